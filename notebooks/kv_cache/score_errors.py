# How far the score of each cached key is off, in units of the size of a score.
# %%
d = 128  # width of a head
base = 10000.0
alpha = 2.0
trained = 4096  # tokens of the training
prompt = 4096  # tokens that were read in one pass
length = 6144  # tokens now
is_stale = True  # keys are cached after the rotation; False: they are rotated or made again
points = 512  # keys at most
# %% growing_base


keys = np.linspace(0, length - 1, min(length, points)).round()
written = np.stack([frequencies(max(n + 1, prompt)) for n in keys])
angle = is_stale * keys[:, None] * (written - frequencies(length))
# For queries and keys of independent normal numbers the right score has the size 1.
curves = [(keys, np.sqrt(8 / d * (np.sin(angle / 2) ** 2).sum(axis=1)))]
