# One stage of the attention of one head, from the queries and keys that a model has made of a text.
# %%
from base64 import b64decode

from numpy import frombuffer, zeros

q = zeros((16, 64))  # queries, a row for each token, with their positions in them
k = zeros((16, 64))  # keys
scale = 0.125  # of a product of both, for most models 1 / sqrt(width of a head)
causal = True  # a token attends to itself and those before it alone
stage = "weights"  # or "scaled", "masked" and "logits": scores
# %%
import numpy as np

cells = q @ k.T * scale
hidden = causal & ~np.tri(len(q), dtype=bool)
if stage == "weights":
    cells = np.exp(np.where(hidden, -np.inf, cells - cells.max(axis=1, keepdims=True)))
    cells /= cells.sum(axis=1, keepdims=True)
if stage != "scaled":
    cells = np.where(hidden, np.nan, cells)


def matrix(query, key):
    return cells[query, key]
