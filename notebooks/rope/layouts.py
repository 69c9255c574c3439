# The rotation in both layouts, and the permutation of channels that leads from one to the other.
# %%
rotary_dim = 16
base = 10000.0
position = 9
degrees = None  # or a list: one angle for each pair, in place of position times frequency
# %%
import numpy as np

theta = base ** -(np.arange(0, rotary_dim, 2) / rotary_dim)  # radians per position
angles = position * theta if degrees is None else np.deg2rad(degrees)
channels = np.arange(rotary_dim)
interleaved = np.zeros((rotary_dim, rotary_dim))
first, second = channels[::2], channels[1::2]
interleaved[first, first] = interleaved[second, second] = np.cos(angles)
interleaved[first, second], interleaved[second, first] = -np.sin(angles), np.sin(angles)

P = np.eye(rotary_dim)[np.concatenate([first, second])]  # all first channels, then all second
values = [interleaved, P @ interleaved @ P.T, P]
