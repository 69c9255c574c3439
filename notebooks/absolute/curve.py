# The dot product of two rows of the sinusoidal table against their distance.
# %%
d_model = 64
base = 10000.0
layout = "interleaved"  # or "concatenated", or "tensor2tensor" with frequencies of its own
count = 128  # distances
# %% sinusoids
distances = np.arange(count)
# sin(mθ) sin(nθ) + cos(mθ) cos(nθ) = cos((m - n)θ), summed over the frequencies.
curves = [(distances, np.cos(np.outer(distances, theta)).sum(axis=1))]
