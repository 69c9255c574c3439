# Stick-breaking: each key, from the nearest back, takes its share of what is left.
# %%
ids = [1, 2, 3]  # of the tokens; equal words have equal ids
num_heads = 1
head_dim = 16
seed = 0  # random numbers stand in for trained ones
share = None  # the share of every pair, or None: queries and keys set it
# %% projected
q, k, v = np.split(qkv, 3, axis=1)
shares = 1 / (1 + np.exp(-q @ k.T / head_dim**0.5)) if share is None else share
shares = np.broadcast_to(shares, (len(ids), len(ids)))
values = np.full((len(ids), len(ids)), np.nan)
for query in range(len(ids)):
    left = 1.0
    for key in reversed(range(query)):
        values[query, key] = shares[query, key] * left
        left *= 1 - shares[query, key]


def matrix(i, j):
    return values[i, j]
