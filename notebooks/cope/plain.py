# The positions of a model that counts every token: i − j + 1.
# %%
length = 12
# %%
import numpy as np

i, j = np.arange(length)[:, None], np.arange(length)
values = np.where(j > i, np.nan, i - j + 1)
row_edges = column_edges = np.arange(length + 1)
