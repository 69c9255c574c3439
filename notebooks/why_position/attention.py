# Attention without positions: embeddings, Q, K and V, scores, weights, and the output, for words in
# the order typed and for the same words shuffled, whose rows are put back.
# %%
ids = [1, 2, 3]  # of the tokens; equal words have equal ids
num_heads = 2
head_dim = 32
seed = 0  # random numbers stand in for a trained model
causal = False  # True: a word attends to those before it alone
order = [0, 2, 1]  # which word stands at each place of the shuffled sentence
shown = ["weights"]  # or other names below; several of one shape, or one


# %% projected
def attention(rows):
    q, k, v = qkv[rows].reshape(len(rows), 3, num_heads, head_dim)[:, :, 0].swapaxes(0, 1)
    logits = q @ k.T / head_dim**0.5
    if causal:
        logits[np.triu_indices(len(rows), 1)] = -np.inf
    weights = np.exp(logits - logits.max(axis=1, keepdims=True))
    weights /= weights.sum(axis=1, keepdims=True)
    stages = {"Q": q, "K": k, "V": v, "QK": q @ k.T, "logits": logits, "weights": weights}
    return stages | {"typed": weights @ v}  # of the first head


found = attention(range(len(ids)))
found["shuffled"] = attention(order)["typed"][np.argsort(order)]
found["difference"] = found["shuffled"] - found["typed"]
values = [np.where(np.isinf(found[name]), np.nan, found[name]) for name in shown]
if len(values) == 1:
    (values,) = values
    row_edges, column_edges = (np.arange(size + 1) for size in values.shape)
