# A bias made of sines and cosines of the distance, one curve for each of the first heads.
# %%
num_heads = 4
d_model = 64
base = 10000.0
seed = 0  # random weights stand in for trained ones
reach = 128  # distances on each side
# %%
import numpy as np

weights = np.random.default_rng(seed).standard_normal((num_heads, d_model)) * d_model**-0.5
theta = base ** -(np.arange(0, d_model, 2) / d_model)  # radians per position
distances = np.arange(1 - reach, reach)
angles = np.outer(distances, theta)
waves = np.hstack([np.sin(angles), np.cos(angles)])
curves = [(distances, waves @ weight) for weight in weights[:6]]
