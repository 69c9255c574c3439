# What each way of using relative positions keeps in memory, in one layer, in float32.
# %%
num_heads = 8
head_dim = 64
max_distance = 16  # Shaw's k
num_buckets = 32  # T5's
# %%
import numpy as np

L = 2.0 ** np.arange(4, 21)
scores = num_heads * L**2 * 4
table = num_heads * num_buckets * 4
curves = [
    (L, scores),
    (L, L**2 * 8),  # an index for each pair of tokens
    (L, L**2 * head_dim * 4),  # Shaw: a vector for each pair
    (L, num_heads * L * (2 * max_distance + 1) * 4),  # Shaw: each query against each id
    (L, num_heads * L * (L + 1) * 4),  # skewed: each query against each distance
    (L, scores + table),  # T5: a number for each head and pair
    (L, 0 * L + table),  # T5: what is stored and trained
]
