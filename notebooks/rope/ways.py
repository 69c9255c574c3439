# One query and one key scored three ways: as trained, with the channels permuted for the other
# layout, and with the permutation forgotten.
# %%
import numpy as np
import torch  # for its random numbers

vectors = np.stack([np.resize([1, 2, 3, 4], 16), np.resize([4, 3, 2, 1], 16)])
rotary_dim = 16  # channels that are rotated, from the first on
base = 10000.0
length = 32
# %%
theta = base ** -(np.arange(0, rotary_dim, 2) / rotary_dim)  # radians per position
distance = np.arange(length)[:, None] - np.arange(length)
half = rotary_dim // 2


def score(query, key, layout):
    q, k = query[:rotary_dim], key[:rotary_dim]
    if layout == "interleaved":  # channels 2i and 2i + 1 are a pair
        q, k = q[::2] + 1j * q[1::2], k[::2] + 1j * k[1::2]
    else:  # channels i and i + d/2
        q, k = q[:half] + 1j * q[half:], k[:half] + 1j * k[half:]
    rotated = (np.exp(1j * distance[:, :, None] * theta) * q * k.conj()).sum(axis=2).real
    return rotated + query[rotary_dim:] @ key[rotary_dim:]


query, key = vectors
order = np.arange(len(query))
order[:rotary_dim] = [*range(0, rotary_dim, 2), *range(1, rotary_dim, 2)]
values = [
    score(query, key, "interleaved"),
    score(query[order], key[order], "half"),
    score(query, key, "half"),
]
