# ALiBi's bias of one head: a penalty on the score that grows with the distance.
# %%
num_heads = 8
head = 0
mode = "causal"  # future keys are hidden; "symmetric" and "asymmetric" show them
future = 2.0  # the slope after the query, as a multiple of that before it; only for "asymmetric"
# %%
import numpy as np

# The slopes of n heads, n a power of two; other counts add every second slope of twice as many.
n = 2 ** (num_heads.bit_length() - 1)
slopes = [2 ** (-8 * (h + 1) / n) for h in range(n)]
slopes += [2 ** (-8 * (h + 1) / (2 * n)) for h in range(0, 2 * n, 2)][: num_heads - n]
slope = slopes[head]


def matrix(i, j):
    distance = i - j
    if mode == "causal":
        return np.where(distance < 0, np.nan, -slope * distance)
    after = slope * (future if mode == "asymmetric" else 1.0)
    return np.where(distance < 0, after * distance, -slope * distance)
