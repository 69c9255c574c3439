# The score of a query and a key against their distance, read as the picture of two hands reads it.
# %%
import numpy as np
import torch  # for its random numbers

vectors = np.resize([1.0, 0.0], (2, 16))  # the query and the key
rotary_dim = 16  # channels that are rotated, from the first on
base = 10000.0
layout = "interleaved"  # channels 2i and 2i + 1 are a pair; in "half", i and i + d/2
length = 32
points = 4096  # distances at most
k = 2.0  # the text is k times as long as those of the training
trained = 16
methods = ["none"]
alpha = 2.0  # of no method here
m = 3  # place of the query
n = 0  # place of the key
# %% pairs
scaled, factor = functions[methods[0]](theta, base, k, trained, alpha)
distances = np.linspace(0, length - 1, min(length, points)).round()
score = factor**2 * (np.exp(1j * np.outer(distances, scaled)) * products).sum(axis=1).real + passed
curves = [(distances, score)]
terms = factor**2 * (np.exp(1j * (m - n) * scaled) * products).real  # what each pair adds at m, n
