# One matrix that moves every row of the sinusoidal table by k positions: M · PE(p) = PE(p + k).
# %%
d_model = 64
base = 10000.0
layout = "interleaved"  # or "concatenated", or "tensor2tensor" with frequencies of its own
offset = 3  # k
# %%
import numpy as np

half = d_model // 2
exponents = np.arange(half) / max(half - 1, 1) if layout == "tensor2tensor" else None
theta = base ** -(np.arange(0, d_model, 2) / d_model if exponents is None else exponents)
dimensions = np.arange(d_model)
sines = dimensions[::2] if layout == "interleaved" else dimensions[:half]
cosines = dimensions[1::2] if layout == "interleaved" else dimensions[half:]

# sin((p + k)θ) = cos(kθ) sin(pθ) + sin(kθ) cos(pθ), and the same for the cosine.
M = np.zeros((d_model, d_model))
M[sines, sines] = M[cosines, cosines] = np.cos(offset * theta)
M[sines, cosines] = np.sin(offset * theta)
M[cosines, sines] = -np.sin(offset * theta)


def matrix(row, column):
    return M[row, column]
