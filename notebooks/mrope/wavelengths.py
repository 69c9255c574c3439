# How many positions each pair takes for one full turn, by the position that it turns by.
# %%
rotary_dim = 128
base = 1000000.0
sections = [16, 24, 24]  # pairs of the time, of the rows, of the columns
order = "blocks"  # or "interleaved"
# %% sections

pairs = [np.flatnonzero(axis_of_pair == axis) for axis in range(3)]
curves = [(own, 2 * np.pi / theta[own]) for own in pairs if len(own)]
