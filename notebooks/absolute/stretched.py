# A learned table of positions, made longer by interpolation between its rows.
# %%
from base64 import b64decode

from numpy import frombuffer, random

table = random.default_rng(0).standard_normal((512, 64)) * 0.02
new_length = 768
align_corners = False  # True: the first and the last row stay as they are
# %%
import numpy as np

length, row = len(table), np.arange(new_length)
if align_corners:
    place = row * (length - 1) / max(new_length - 1, 1)
else:  # half-pixel centres; what lies before the first row or behind the last takes that row
    place = np.clip((row + 0.5) * length / new_length - 0.5, 0, length - 1)
below = np.floor(place).astype(int)
above, share = np.minimum(below + 1, length - 1), (place - below)[:, None]
longer = (1 - share) * table[below] + share * table[above]


def matrix(position, dimension):
    return longer[position, dimension]
