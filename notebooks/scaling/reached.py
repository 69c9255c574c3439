# How far each pair turns within the target length; last, how far within training.
# %%
import numpy as np

rotary_dim = 128
base = 10000.0
k = 4.0  # the target length is k times the trained length
trained = 4096  # tokens of the training
alpha = 2.0  # of the methods that have one
methods = ["none", "linear", "ntk"]
# %%
theta = base ** -(np.arange(0, rotary_dim, 2) / rotary_dim)  # radians per position
scaled = [functions[name](theta, base, k, trained, alpha) for name in methods]
pairs = np.arange(len(theta))
curves = []
for frequencies, factor in [*scaled, (theta, 1.0)]:
    length = trained if len(curves) == len(scaled) else round(k * trained)
    turns = (length - 1) * frequencies / (2 * np.pi)
    curves.append((pairs, np.where(turns > 0, turns, np.nan)))  # a pair at rest leaves a gap
