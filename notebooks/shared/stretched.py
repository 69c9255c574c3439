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
