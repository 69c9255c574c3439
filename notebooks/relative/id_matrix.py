# Ids of relative positions: the distance, clipped, and counted from 0.
# %%
q_len = 12  # queries: the last of the positions
length = 12  # keys
max_distance = 4
convention = "key_minus_query"  # or "query_minus_key"
# %%
import numpy as np


def matrix(query, key):
    distance = key - (query + length - q_len)
    if convention == "query_minus_key":
        distance = -distance
    return np.clip(distance, -max_distance, max_distance) + float(max_distance)
