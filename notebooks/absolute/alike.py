# How alike the rows of a table of random numbers are, beside those of a sinusoidal table.
# %%
length = 512
d_model = 64
seed = 0
compared = 128  # rows at most
# %%
import numpy as np

random = np.random.default_rng(seed).standard_normal((length, d_model))[:compared]
angles = np.outer(np.arange(len(random)), 10000.0 ** -(np.arange(0, d_model, 2) / d_model))
sinusoidal = np.stack([np.sin(angles), np.cos(angles)], axis=2).reshape(len(random), -1)
values = []
for table in (random, sinusoidal[:, :d_model]):
    rows = table / np.linalg.norm(table, axis=1, keepdims=True)
    values.append(rows @ rows.T)  # the cosine of the angle between each two rows
