# How much each pair is slowed: its plain frequency over the scaled one.
# %% stretched
curves = []
for frequencies, factor in scaled:
    turning = np.where(frequencies > 0, frequencies, np.nan)  # a pair at rest leaves a gap
    curves.append((pairs, theta / turning))
