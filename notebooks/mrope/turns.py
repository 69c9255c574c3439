# The angle of each pair between two tokens, in degrees.
# %%
rotary_dim = 128
base = 1000000.0
sections = [16, 24, 24]  # pairs of the time, of the rows, of the columns
order = "blocks"  # or "interleaved"
apart = [0, 1, 1]  # the tokens, in time, rows and columns
# %% sections

curves = [(np.arange(len(theta)), np.degrees(np.array(apart)[axis_of_pair] * theta))]
