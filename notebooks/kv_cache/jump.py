# What a query sees just before LongRoPE switches to its long list, and just after.
# %%
short = [1.0, 1.0, 1.0, 1.0]
long = [1.0, 2.0, 8.0, 32.0]
base = 10000.0
trained = 4096  # tokens of the training: longer texts take the long list
points = 400  # distances at most
# %%
import numpy as np

d = 2 * len(short)
theta = base ** -(np.arange(0, d, 2) / d)  # radians per position
distances = np.unique(np.logspace(0, np.log2(trained), points, base=2).round())
curves = []
for divisors in (short, long):
    cosines = np.cos(np.outer(distances, theta / divisors))
    curves.append((distances, cosines.mean(axis=1)))  # keys and query alike
