# FoX's bias: the logarithms of the gates between a key and a query, added.
# %%
gates = [0.95, 0.95, 0.2, 0.95]  # of the tokens
# %%
import numpy as np

total = np.cumsum(np.log(gates))
values = total[:, None] - total[None, :]
values[np.triu(np.ones(values.shape, bool), 1)] = np.nan


def matrix(i, j):
    return values[i, j]
