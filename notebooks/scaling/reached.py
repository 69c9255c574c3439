# How far each pair turns within the target length; last, how far within training.
# %% stretched
curves = []
for frequencies, factor in [*scaled, (theta, 1.0)]:
    length = trained if len(curves) == len(scaled) else round(factors[0] * trained)
    turns = (length - 1) * frequencies / (2 * np.pi)
    curves.append((pairs, np.where(turns > 0, turns, np.nan)))  # a pair at rest leaves a gap
