# What attention makes of words in two orders: without positions, with rows added, and rotated.
# %%
ids = [0, 1, 2, 0, 3]  # of the words; equal words have equal ids
order = [0, 4, 2, 3, 1]  # which word stands at each place of the other order
width = 8
seed = 0  # random numbers stand in for a trained model
scenes = ["nope", "sinusoidal", "rope"]
# %%
import numpy as np


def normal(*stream, rows):  # standard normal numbers, one sequence for each stream
    drawn = np.random.default_rng((seed, *stream)).standard_normal((rows, width))
    return drawn.astype(np.float32)


words = np.concatenate([normal(1, word, rows=1) for word in ids]).astype(float)
projections = normal(2, rows=3 * width) * width**-0.5
angles = np.outer(np.arange(len(ids)), 10000.0 ** -(np.arange(0, width, 2) / width))
table = np.stack([np.sin(angles), np.cos(angles)], axis=2).reshape(-1, width)


def read(x, scene):
    x = x + table if scene == "sinusoidal" else x  # a row of the table is added at each place
    q, k, v = np.split(x @ projections.T, 3, axis=1)
    q, k = q[:, ::2] + 1j * q[:, 1::2], k[:, ::2] + 1j * k[:, 1::2]
    if scene == "rope":  # each pair of channels is turned by an angle of its place
        q, k = q * np.exp(1j * angles), k * np.exp(1j * angles)
    weights = np.exp((q @ k.conj().T).real / width**0.5)
    return weights / weights.sum(axis=1, keepdims=True) @ v


values = []  # for each scene: the rows of the words as typed, then those in the other order
for scene in scenes:
    values += [read(words, scene), read(words[order], scene)[np.argsort(order)]]
