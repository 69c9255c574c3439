import numpy as np

if layout == "tensor2tensor":
    half = d_model // 2
    theta = base ** -(np.arange(half) / max(half - 1, 1))
else:
    theta = base ** -(np.arange(0, d_model, 2) / d_model)  # radians per position
