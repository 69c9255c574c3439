# ALiBi's bias of the first heads, on one scale.
# %%
num_heads = 8
length = 32
mode = "causal"  # future keys are hidden; "symmetric" and "asymmetric" show them
future = 2.0  # the slope after the query, as a multiple of that before it; only for "asymmetric"
# %% slopes
distance = np.arange(length)[:, None] - np.arange(length)


def bias(slope):
    if mode == "causal":
        return np.where(distance < 0, np.nan, -slope * distance)
    after = slope * (future if mode == "asymmetric" else 1.0)
    return np.where(distance < 0, after * distance, -slope * distance)


values = [bias(slope) for slope in slopes[:8]]
