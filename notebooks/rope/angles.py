# The angle of every pair of channels at every position, or its cosine or sine.
# %%
rotary_dim = 16
base = 10000.0
value = "cos"  # or "sin", or "angle"
# %%
import numpy as np

theta = base ** -(np.arange(0, rotary_dim, 2) / rotary_dim)  # radians per position
function = {"cos": np.cos, "sin": np.sin, "angle": lambda angle: angle}[value]


def matrix(position, pair):
    return function(position * theta[pair])
