# How many positions each pair of dimensions takes for one full turn.
# %%
d_model = 64
base = 10000.0
layout = "interleaved"  # or "concatenated", or "tensor2tensor" with frequencies of its own
# %%
import numpy as np

if layout == "tensor2tensor":
    half = d_model // 2
    theta = base ** -(np.arange(half) / max(half - 1, 1))
else:
    theta = base ** -(np.arange(0, d_model, 2) / d_model)  # radians per position
curves = [(np.arange(len(theta)), 2 * np.pi / theta)]
