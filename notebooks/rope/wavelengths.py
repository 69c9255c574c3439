# How many positions each pair takes for one full turn.
# %%
rotary_dim = 16
base = 10000.0
# %%
import numpy as np

theta = base ** -(np.arange(0, rotary_dim, 2) / rotary_dim)  # radians per position
curves = [(np.arange(len(theta)), 2 * np.pi / theta)]
