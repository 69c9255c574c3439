# The attention of the last query where all scores are equal: ALiBi's bias alone decides.
# %%
num_heads = 8
length = 64
count = 64  # distances that are drawn
# %% slopes
curves = []
for slope in slopes[:8]:
    weights = np.exp(-slope * np.arange(length))
    curves.append((np.arange(count), (weights / weights.sum())[:count]))
