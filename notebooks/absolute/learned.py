# A table of random numbers: what a learned table is before its training.
# %%
length = 512
d_model = 64
seed = 0
# %%
import numpy as np

table = np.random.default_rng(seed).standard_normal((length, d_model)) * 0.02


def matrix(position, dimension):
    return table[position, dimension]
