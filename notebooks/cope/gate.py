# CoPE's gates: what each key counts for each query.
# %%
ids = [1, 2, 3]  # of the tokens; equal words have equal ids
head_dim = 64
seed = 0  # random numbers stand in for trained ones
opens = None  # the tokens on which every gate is open, or None: gates read the scores
shut = 0.0  # a gate on other tokens; an open one is 1 - shut
# %% gates
values = np.where(future, np.nan, gates)
row_edges = column_edges = np.arange(len(ids) + 1)
