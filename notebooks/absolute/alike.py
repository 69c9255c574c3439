# How alike the rows of a learned table of positions are, beside those of a sinusoidal table.
# %%
from base64 import b64decode

from numpy import frombuffer, random

table = random.default_rng(0).standard_normal((512, 64)) * 0.02
compared = 128  # rows at most
# %%
import numpy as np

learned, d_model = table[:compared], table.shape[1]
angles = np.outer(np.arange(len(learned)), 10000.0 ** -(np.arange(0, d_model, 2) / d_model))
sinusoidal = np.stack([np.sin(angles), np.cos(angles)], axis=2).reshape(len(learned), -1)
values = []
for one in (learned, sinusoidal[:, :d_model]):
    rows = one / np.linalg.norm(one, axis=1, keepdims=True)
    values.append(rows @ rows.T)  # the cosine of the angle between each two rows
