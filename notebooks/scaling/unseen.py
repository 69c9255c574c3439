# The part of the circle that the target length reaches and training never showed.
# %% stretched
circle = 2 * np.pi
seen = np.minimum((trained - 1) * theta, circle)
curves = []
for (frequencies, factor), k in zip(scaled, factors, strict=True):
    reached = np.minimum((round(k * trained) - 1) * frequencies, circle)
    curves.append((pairs, 100 * np.maximum(reached - seen, 0) / circle))  # per cent of a turn
