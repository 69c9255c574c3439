# Two positions as rows of the sinusoidal table, and the difference of the rows.
# %%
d_model = 64
base = 10000.0
layout = "interleaved"  # or "concatenated", or "tensor2tensor" with frequencies of its own
a = 7
b = 8
# %% sinusoids
half = d_model // 2


def row(position):
    sines, cosines = np.sin(position * theta), np.cos(position * theta)[:half]
    found = np.zeros(d_model)  # an odd width may leave a column without a frequency
    if layout == "interleaved":
        found[::2], found[1::2] = sines, cosines
    else:
        found[: len(sines)] = sines
        found[len(sines) : len(sines) + half] = cosines
    return found


dimensions = np.arange(d_model)
curves = [(dimensions, row(a)), (dimensions, row(b)), (dimensions, row(b) - row(a))]
