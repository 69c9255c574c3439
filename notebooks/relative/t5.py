# T5's bucket of each pair of positions: narrow near the diagonal, wide far from it.
# %%
bidirectional = True  # False: all future keys are in bucket 0
num_buckets = 32
max_distance = 128
without_min = False  # True: a mistake, the last step is left out


# %% buckets
def matrix(i, j):
    return bucket(j - i, without_min)
