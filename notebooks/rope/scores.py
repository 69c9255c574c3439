# The score of one query and one key, wherever the two stand: constant along every diagonal.
# %%
import numpy as np
import torch  # for its random numbers

vectors = np.stack([np.resize([1, 2, 3, 4], 16), np.resize([4, 3, 2, 1], 16)])
rotary_dim = 16  # channels that are rotated, from the first on
base = 10000.0
layout = "interleaved"  # channels 2i and 2i + 1 are a pair; in "half", i and i + d/2
# %%
theta = base ** -(np.arange(0, rotary_dim, 2) / rotary_dim)  # radians per position
query, key = vectors
q, k = query[:rotary_dim], key[:rotary_dim]
if layout == "interleaved":
    q, k = q[::2] + 1j * q[1::2], k[::2] + 1j * k[1::2]
else:
    half = rotary_dim // 2
    q, k = q[:half] + 1j * q[half:], k[:half] + 1j * k[half:]
passed = query[rotary_dim:] @ key[rotary_dim:]  # of the channels that are not rotated


def matrix(m, n):
    distances, places = np.unique(m - n, return_inverse=True)
    turned = np.exp(1j * np.outer(distances, theta))  # each pair turns by distance times its θ
    score = (turned * q * k.conj()).sum(axis=1).real + passed
    return score[places].reshape(np.shape(m - n))
