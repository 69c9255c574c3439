# The score of one query and one key, wherever the two stand: constant along every diagonal.
# %%
import numpy as np
import torch  # for its random numbers

vectors = np.stack([np.resize([1, 2, 3, 4], 16), np.resize([4, 3, 2, 1], 16)])
rotary_dim = 16  # channels that are rotated, from the first on
base = 10000.0
layout = "interleaved"  # channels 2i and 2i + 1 are a pair; in "half", i and i + d/2


# %% pairs
def matrix(m, n):
    distances, places = np.unique(m - n, return_inverse=True)
    turned = np.exp(1j * np.outer(distances, theta))  # each pair turns by distance times its θ
    score = (turned * products).sum(axis=1).real + passed
    return score[places].reshape(np.shape(m - n))
