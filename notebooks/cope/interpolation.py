# From a position to its logit: a straight line between the embeddings of whole positions.
# %%
ids = [1, 2, 3]  # of the tokens; equal words have equal ids
head_dim = 64
seed = 0  # random numbers stand in for trained ones
opens = None  # the tokens on which every gate is open, or None: gates read the scores
shut = 0.0  # a gate on other tokens; an open one is 1 - shut
max_positions = 64
query = 8
# %% gates
embedding = np.random.default_rng(seed).standard_normal((head_dim, max_positions))
position = np.minimum(gates[query, : query + 1][::-1].cumsum()[::-1], max_positions - 1)
last = min(max_positions - 1, int(np.ceil(position.max())) + 3)
z = q[query] @ embedding[:, : last + 1]  # at whole positions
low, high = np.floor(position).astype(int), np.ceil(position).astype(int)
c = z[low] + (position - low) * (z[high] - z[low])
curves = [(np.arange(last + 1), z), (position, c)]
