# The matrix that rotates the query: each pair of channels by an angle of its own.
# %%
rotary_dim = 16
base = 10000.0
layout = "interleaved"  # channels 2i and 2i + 1 are a pair; in "half", i and i + d/2
position = 9
degrees = None  # or a list: one angle for each pair, in place of position times frequency
# %%
import numpy as np

theta = base ** -(np.arange(0, rotary_dim, 2) / rotary_dim)  # radians per position
angles = position * theta if degrees is None else np.deg2rad(degrees)
channels = np.arange(rotary_dim)
first, second = (
    (channels[::2], channels[1::2])
    if layout == "interleaved"
    else (channels[: rotary_dim // 2], channels[rotary_dim // 2 :])
)
R = np.zeros((rotary_dim, rotary_dim))
R[first, first] = R[second, second] = np.cos(angles)
R[first, second], R[second, first] = -np.sin(angles), np.sin(angles)


def matrix(row, column):
    return R[row, column]
