# The dot product of every two rows of the sinusoidal table: it depends on the distance alone.
# %%
d_model = 64
base = 10000.0
layout = "interleaved"  # or "concatenated", or "tensor2tensor" with frequencies of its own


# %% sinusoids
def matrix(m, n):
    # sin(mθ) sin(nθ) + cos(mθ) cos(nθ) = cos((m - n)θ), summed over the frequencies.
    distances, places = np.unique(m - n, return_inverse=True)
    return np.cos(np.outer(distances, theta)).sum(axis=1)[places].reshape(np.shape(m - n))
