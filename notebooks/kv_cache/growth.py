# How far the scores of cached keys are off on average, while the text grows.
# %%
d = 128  # width of a head
base = 10000.0
alpha = 2.0
trained = 4096  # tokens of the training
prompt = 4096  # tokens that were read in one pass
is_stale = True  # keys are cached after the rotation; False: they are rotated or made again
points = 64  # keys at most
lengths = [4096, 6144]  # of the text
# %% growing_base


means = []
for now in lengths:
    keys = np.linspace(0, now - 1, min(now, points)).round()
    written = np.stack([frequencies(max(n + 1, prompt)) for n in keys])
    angle = is_stale * keys[:, None] * (written - frequencies(now))
    means.append(np.sqrt(8 / d * (np.sin(angle / 2) ** 2).sum(axis=1)).mean())
curves = [(np.array(lengths) - prompt, means)]
