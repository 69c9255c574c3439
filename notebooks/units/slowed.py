# How much a setting slows each pair, and how much the target length needs.
# %%
d = 128  # rotated channels
base = 10000.0  # of the trained model
trained = 4096  # tokens of the training
target = 16384  # tokens to read
settings = [(40000.0, 1.0)]  # base and factor of each setting
# %%
import numpy as np

pairs = np.arange(d // 2)
theta = base ** (-2 * pairs / d)  # radians per position
curves = []
for new_base, factor in settings:
    curves.append((pairs, theta / (new_base ** (-2 * pairs / d) / factor)))
# A pair that makes a full turn in training meets no new angle.
is_new = trained * theta < 2 * np.pi
curves.append((pairs, np.where(is_new, target / trained, np.nan)))
