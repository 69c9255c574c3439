# The frequency of each pair, for each way to stretch.
# %% stretched
curves = []
for frequencies, factor in scaled:
    curves.append((pairs, np.where(frequencies > 0, frequencies, np.nan)))  # a gap for rest
