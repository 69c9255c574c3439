# What of each token arrives at a query: the product of the gates between.
# %%
gates = [0.95, 0.95, 0.2, 0.95]  # of the tokens
query = 3
# %%
import numpy as np

between = [np.prod(gates[key + 1 : query + 1]) for key in range(query + 1)]
curves = [(np.arange(query + 1), np.array(between))]
