# The gated delta rule: what a query of length 1 can read of each token, at most.
# %%
ids = [1, 2, 3]  # of the tokens; equal words have equal ids
num_heads = 1
head_dim = 16
seed = 0  # random numbers stand in for trained ones
gates = [0.95, 0.95, 0.2]  # of the tokens
beta = 1.0
# %% projected
k = np.split(qkv, 3, axis=1)[1]
k /= np.linalg.norm(k, axis=1, keepdims=True)
values = np.full((len(ids), len(ids)), np.nan)
for token in range(len(ids)):
    left = beta * k[token]  # what it writes, along its key
    values[token, token] = np.linalg.norm(left)
    for later in range(token + 1, len(ids)):
        left = gates[later] * (left - beta * k[later] * (k[later] @ left))
        values[later, token] = np.linalg.norm(left)


def matrix(i, j):
    return values[i, j]
