# Ids of relative positions under both sign conventions.
# %%
length = 12
max_distance = 4
# %%
import numpy as np

i, j = np.arange(length)[:, None], np.arange(length)
values = [
    np.clip(distance, -max_distance, max_distance) + max_distance for distance in (j - i, i - j)
]
