# ALiBi's bias of one head: a penalty on the score that grows with the distance.
# %%
num_heads = 8
head = 0
mode = "causal"  # future keys are hidden; "symmetric" and "asymmetric" show them
future = 2.0  # the slope after the query, as a multiple of that before it; only for "asymmetric"
# %% slopes
slope = slopes[head]


def matrix(i, j):
    distance = i - j
    if mode == "causal":
        return np.where(distance < 0, np.nan, -slope * distance)
    after = slope * (future if mode == "asymmetric" else 1.0)
    return np.where(distance < 0, after * distance, -slope * distance)
