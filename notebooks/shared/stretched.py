import numpy as np

rotary_dim = 128
base = 10000.0
factors = [4.0, 4.0, 4.0]  # of each method: target length / trained length
trained = 4096  # tokens of the training
alpha = 2.0  # of the methods that have one
methods = ["none", "linear", "ntk"]
# %%
theta = base ** -(np.arange(0, rotary_dim, 2) / rotary_dim)  # radians per position
scaled = [
    functions[name](theta, base, k, trained, alpha)
    for name, k in zip(methods, factors, strict=True)
]
pairs = np.arange(len(theta))
