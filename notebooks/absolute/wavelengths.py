# How many positions each pair of dimensions takes for one full turn.
# %%
d_model = 64
base = 10000.0
layout = "interleaved"  # or "concatenated", or "tensor2tensor" with frequencies of its own
# %% sinusoids
curves = [(np.arange(len(theta)), 2 * np.pi / theta)]
