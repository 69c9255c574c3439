# A bias made of sines and cosines of the distance, mixed by the weights of one head.
# %%
num_heads = 4
d_model = 64
base = 10000.0
seed = 0  # random weights stand in for trained ones
head = 0
# %%
import numpy as np

weights = np.random.default_rng(seed).standard_normal((num_heads, d_model)) * d_model**-0.5
theta = base ** -(np.arange(0, d_model, 2) / d_model)  # radians per position
of_sines, of_cosines = np.split(weights[head], 2)


def matrix(i, j):
    distances, places = np.unique(i - j, return_inverse=True)
    angles = np.outer(distances, theta)
    bias = np.sin(angles) @ of_sines + np.cos(angles) @ of_cosines
    return bias[places].reshape(np.shape(i - j))
