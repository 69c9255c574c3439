# CoPE's positions: the gates, summed from the key to the query.
# %%
ids = [1, 2, 3]  # of the tokens; equal words have equal ids
head_dim = 64
seed = 0  # random numbers stand in for trained ones
opens = None  # the tokens on which every gate is open, or None: gates read the scores
shut = 0.0  # a gate on other tokens; an open one is 1 - shut
max_positions = 64
# %% gates
sums = gates[:, ::-1].cumsum(axis=1)[:, ::-1]
positions = np.where(future, np.nan, np.minimum(sums, max_positions - 1))


def matrix(i, j):
    return positions[i, j]
