# One rotation for each pair, and last the product of all.
# %%
rotary_dim = 4
base = 10000.0
layout = "interleaved"  # channels 2i and 2i + 1 are a pair; in "half", i and i + d/2
position = 9
degrees = None  # or a list: one angle for each pair, in place of position times frequency
# %%
import numpy as np

pairs = rotary_dim // 2
theta = base ** -(np.arange(0, rotary_dim, 2) / rotary_dim)  # radians per position
angles = position * theta if degrees is None else np.deg2rad(degrees)


def rotation(pair):
    a, b = (2 * pair, 2 * pair + 1) if layout == "interleaved" else (pair, pair + pairs)
    R = np.eye(rotary_dim)
    R[a, a] = R[b, b] = np.cos(angles[pair])
    R[a, b], R[b, a] = -np.sin(angles[pair]), np.sin(angles[pair])
    return R


planes = [rotation(pair) for pair in range(pairs)]
values = [*planes, np.linalg.multi_dot(planes) if pairs > 1 else planes[0]]
