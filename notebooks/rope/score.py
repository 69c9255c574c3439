# The score of one query and one key against the distance between them.
# %%
import numpy as np
import torch  # for its random numbers

vectors = np.stack([np.resize([1, 2, 3, 4], 16), np.resize([4, 3, 2, 1], 16)])
rotary_dim = 16  # channels that are rotated, from the first on
base = 10000.0
layout = "interleaved"  # channels 2i and 2i + 1 are a pair; in "half", i and i + d/2
length = 32
points = 4096  # distances at most
# %% pairs
distances = np.linspace(0, length - 1, min(length, points)).round()
turned = np.exp(1j * np.outer(distances, theta))  # each pair turns by the distance times its θ
curves = [(distances, (turned * products).sum(axis=1).real + passed)]
