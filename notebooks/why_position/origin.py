# Where a number of attention's output comes from: a row of weights times a column of values, and
# each weight from a query and a key. Without positions; the first head.
# %%
ids = [1, 2, 3]  # of the tokens; equal words have equal ids
num_heads = 2
head_dim = 32
seed = 0  # random numbers stand in for a trained model
causal = False  # True: a word attends to those before it alone
word = 2  # the number that is followed: its row,
dimension = 0  # its column,
key = 0  # and the word whose part of it is looked at
# %% projected
q, k, v = qkv.reshape(len(ids), 3, num_heads, head_dim)[:, :, 0].swapaxes(0, 1)
scores = q @ k.T / head_dim**0.5
if causal:
    scores[np.triu_indices(len(ids), 1)] = -np.inf
weights = np.exp(scores - scores.max(axis=1, keepdims=True))
weights /= weights.sum(axis=1, keepdims=True)
output = weights @ v
values = [q, k, weights, v, output]

terms = [f"{weight:.4g} · {value:.4g}" for weight, value in zip(weights[word], v[:, dimension])]
print(f"output {output[word, dimension]:.6g} =", " + ".join(terms))
products = [f"{one:.4g} · {other:.4g}" for one, other in zip(q[word], k[key])]
print(f"score {scores[word, key]:.6g} = (", " + ".join(products), f") / √{head_dim}")
