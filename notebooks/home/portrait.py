# Attention when position is all that differs: every token is the same vector, and queries and keys
# are the tokens themselves. Each weight is divided by the largest of its row.
# %%
encoding = "rope"  # a function of this notebook
width = 32  # of the tokens, and of the only head
length = 32
seed = 0  # random numbers stand in for what is trained
# %%
import numpy as np

random = np.random.default_rng(seed)
past = np.subtract.outer(np.arange(length), np.arange(length))  # how far back a key stands


def normal(*shape):
    return random.standard_normal(shape).astype(np.float32).astype(float)


def uniform(size):
    return random.uniform(size=size).astype(np.float32).astype(float)


def product(q, k):
    return q @ k.T / width**0.5


scores = functions[encoding](np.ones((length, width)))
weights = np.exp(np.where(past < 0, -np.inf, scores - scores.max(axis=1, keepdims=True)))
values = np.where(past < 0, np.nan, weights / weights.max(axis=1, keepdims=True))
row_edges = column_edges = np.arange(length + 1)
