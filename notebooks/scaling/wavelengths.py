# How many positions each pair takes for one full turn, for each way to stretch.
# %% stretched
curves = []
for frequencies, factor in scaled:
    turning = np.where(frequencies > 0, frequencies, np.nan)  # a pair at rest leaves a gap
    curves.append((pairs, 2 * np.pi / turning))
