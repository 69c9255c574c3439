# The part of the circle that the target length reaches and training never showed.
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
pairs, circle = np.arange(len(theta)), 2 * np.pi
seen = np.minimum((trained - 1) * theta, circle)
curves = []
for frequencies, factor in scaled:
    reached = np.minimum((round(k * trained) - 1) * frequencies, circle)
    curves.append((pairs, 100 * np.maximum(reached - seen, 0) / circle))  # per cent of a turn
