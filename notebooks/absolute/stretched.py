# A table of random numbers, made longer by interpolation between its rows.
# %%
length = 512
d_model = 64
seed = 0
new_length = 768
align_corners = False  # True: the first and the last row stay as they are
# %%
import numpy as np

table = np.random.default_rng(seed).standard_normal((length, d_model)) * 0.02
row = np.arange(new_length)
if align_corners:
    place = row * (length - 1) / max(new_length - 1, 1)
else:  # half-pixel centres; what lies before the first row or behind the last takes that row
    place = np.clip((row + 0.5) * length / new_length - 0.5, 0, length - 1)
below = np.floor(place).astype(int)
above, share = np.minimum(below + 1, length - 1), (place - below)[:, None]
longer = (1 - share) * table[below] + share * table[above]


def matrix(position, dimension):
    return longer[position, dimension]
