# From gates to positions: the sum from the query back to each key, beside the plain distance.
# %%
ids = [1, 2, 3]  # of the tokens; equal words have equal ids
head_dim = 64
seed = 0  # random numbers stand in for trained ones
opens = None  # the tokens on which every gate is open, or None: gates read the scores
shut = 0.0  # a gate on other tokens; an open one is 1 - shut
max_positions = 64
query = 8
# %% gates
keys = np.arange(query + 1)
gate = gates[query, keys]
position = np.minimum(gate[::-1].cumsum()[::-1], max_positions - 1)
curves = [(keys, position), (keys, query - keys + 1), (keys, gate)]
