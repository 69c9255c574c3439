# The paper's "long-term decay": the mean of |S_j|, S_j the sum of the first j hands.
# %%
rotary_dim = 16
base = 10000.0
length = 32
points = 4096  # distances at most
# %%
import numpy as np

theta = base ** -(np.arange(0, rotary_dim, 2) / rotary_dim)  # radians per position
distances = np.linspace(0, length - 1, min(length, points)).round()
hands = np.exp(1j * np.outer(distances, theta))
curves = [(distances, np.abs(hands.cumsum(axis=1)).mean(axis=1))]
