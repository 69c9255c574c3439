# Time, row and column of every token of a text with an image or a film in it.
# %%
before = 3  # words
rows = 4
columns = 6
frames = 1
family = "qwen2"  # counts frames; "qwen2_5" counts seconds, "qwen3" reads times in words
seconds = 1.0  # from frame to frame
stamp = 2  # tokens of a time in words
after = 3  # words
# %% mrope

count = positions.shape[1]
places = np.arange(count)
if count > 4096:  # of each block of tokens the lowest and the highest on each axis
    width = -(-count // 681)
    cuts = [positions[:, i : i + width] for i in range(0, count, width)]
    ends = [
        np.concatenate((cut.argmin(1), cut.argmax(1))) + i * width for i, cut in enumerate(cuts)
    ]
    places = np.unique(np.concatenate([[0, count - 1], *ends]))
curves = [(places, axis[places]) for axis in positions[::-1]]  # column, row, time
