# How far the angles of cached keys are off, because the base has grown since they were rotated.
# %%
d = 128  # width of a head
base = 10000.0
alpha = 2.0
trained = 4096  # tokens of the training
prompt = 4096  # tokens that were read in one pass
length = 6144  # tokens now
is_stale = True  # keys are cached after the rotation; False: they are rotated or made again


# %% growing_base
def matrix(key, pair):
    written = np.stack([frequencies(max(n + 1, prompt)) for n in np.ravel(key)])
    error = np.abs(np.reshape(key, (-1, 1)) * (written - frequencies(length)))
    return is_stale * error[:, pair]
