# Some columns of the sinusoidal table, as waves over the positions.
# %%
d_model = 64
base = 10000.0
layout = "interleaved"  # or "concatenated", or "tensor2tensor" with frequencies of its own
positions = (0, 128)  # the first, and the one after the last
dimensions = [0, 8, 16, 32, 48]
# %% sinusoids
count = len(theta)
p = np.arange(*positions)


def wave(dimension):
    if layout == "interleaved":
        pair, is_sine = dimension // 2, dimension % 2 == 0
    else:
        pair, is_sine = dimension % count, dimension < count
    if dimension >= 2 * count:  # an odd width leaves a column without a frequency
        return np.zeros(len(p))
    return np.sin(p * theta[pair]) if is_sine else np.cos(p * theta[pair])


curves = [(p, wave(dimension)) for dimension in dimensions]
