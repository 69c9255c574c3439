# The score of one query and one key against their distance, for each way to stretch.
# %%
import numpy as np
import torch  # for its random numbers

rotary_dim = 128
base = 10000.0
factors = [4.0, 4.0, 4.0]  # of each method: target length / trained length
trained = 4096  # tokens of the training
alpha = 2.0  # of the methods that have one
methods = ["none", "linear", "ntk"]
points = 2048  # distances at most
vectors = np.ones((2, 128))  # the query and the key
# %%
theta = base ** -(np.arange(0, rotary_dim, 2) / rotary_dim)  # radians per position
scaled = [
    functions[name](theta, base, k, trained, alpha)
    for name, k in zip(methods, factors, strict=True)
]
query, key = vectors
# In the interleaved layout: channels 2i and 2i + 1 are a pair.
q, key = query[::2] + 1j * query[1::2], key[::2] + 1j * key[1::2]
last = round(factors[0] * trained) - 1
distances = np.unique(np.logspace(0, np.log2(last), points, base=2).round())
curves = []
for frequencies, factor in scaled:
    turned = np.exp(1j * np.outer(distances, frequencies))
    curves.append((distances, factor**2 * (turned * q * key.conj()).sum(axis=1).real))
