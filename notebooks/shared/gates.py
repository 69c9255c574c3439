import numpy as np


def normal(*stream, rows):  # standard normal numbers, one sequence for each stream
    drawn = np.random.default_rng((seed, *stream)).standard_normal((rows, head_dim))
    return drawn.astype(np.float32)


x = np.concatenate([normal(1, token, rows=1) for token in ids]).astype(float)
q, k, v = np.split(x @ (normal(2, rows=3 * head_dim) * head_dim**-0.5).T, 3, axis=1)
future = np.triu(np.ones((len(ids), len(ids)), bool), 1)
if opens is None:
    gates = 1 / (1 + np.exp(-q @ k.T / head_dim**0.5))
else:
    gates = np.tile(np.where(np.isin(np.arange(len(ids)), opens), 1 - shut, shut), (len(ids), 1))
gates[future] = 0
