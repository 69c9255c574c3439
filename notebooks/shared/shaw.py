length = 24
max_distance = 16
head_dim = 64
seed = 0  # random numbers stand in for trained ones
# %%
import numpy as np


def normal(*stream, rows):  # standard normal numbers, one sequence for each stream
    drawn = np.random.default_rng((seed, *stream)).standard_normal((rows, head_dim))
    return drawn.astype(np.float32)


x = np.concatenate([normal(1, token, rows=1) for token in range(length)])
q, k, v = np.split(x @ (normal(2, rows=3 * head_dim) * head_dim**-0.5).T, 3, axis=1)
table = np.random.default_rng(seed).standard_normal((2, 2 * max_distance + 1, head_dim))
ids = np.arange(length) - np.arange(length)[:, None]  # j - i
ids = np.clip(ids, -max_distance, max_distance) + max_distance
content = q @ k.T / head_dim**0.5
key_term = np.take_along_axis(q @ table[0].T, ids, axis=1) / head_dim**0.5
