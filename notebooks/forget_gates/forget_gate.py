# The gate of each token.
# %%
gates = [0.95, 0.95, 0.2, 0.95]  # of the tokens
# %%
import numpy as np

curves = [(np.arange(len(gates)), np.array(gates))]
