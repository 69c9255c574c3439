# What FIRE's network reads: the distance as a share of the query's position, on a logarithm.
# %%
queries = [15, 31, 63]
points = 1024  # distances on a curve at most
threshold = 512.0  # T: up to here all queries read one curve
# %%
import numpy as np

curves = []
for i in queries:
    delta = np.linspace(0, i, min(i + 1, points)).astype(int)
    divisor = np.log1p(0.1 * max(threshold, i)) + 1e-6  # ψ(x) = ln(c·x + 1) with c = 0.1
    curves.append((delta, np.log1p(0.1 * delta) / divisor))
