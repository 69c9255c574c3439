# The sinusoidal table: a sine and a cosine of the position for each of a series of frequencies.
# %%
d_model = 64
base = 10000.0
layout = "interleaved"  # or "concatenated", or "tensor2tensor" with frequencies of its own
# %% sinusoids
dimensions = np.arange(d_model)
if layout == "interleaved":  # sin θ₀, cos θ₀, sin θ₁, cos θ₁, …
    frequency, is_sine = theta[dimensions // 2], dimensions % 2 == 0
else:  # all sines, then all cosines
    both = np.concatenate([theta, theta, [0.0]])
    frequency, is_sine = both[:d_model], dimensions < len(theta)


def matrix(position, dimension):
    angle = position * frequency[dimension]
    wave = np.where(is_sine[dimension], np.sin(angle), np.cos(angle))
    is_left_over = (layout == "tensor2tensor") & (dimension >= 2 * len(theta))
    return np.where(is_left_over, 0.0, wave)  # an odd width leaves a column without a frequency
