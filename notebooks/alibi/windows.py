# How many tokens hold 90% of a head's attention where all scores are equal.
# %%
num_heads = 8
length = 64
# %% slopes
tokens = []
for slope in slopes:
    # The nearest w tokens hold (1 - exp(-m·w)) / (1 - exp(-m·L)) of it.
    w = np.log1p(0.9 * np.expm1(-slope * length)) / -slope
    tokens.append(np.clip(np.ceil(w), 1, length))
curves = [(range(num_heads), tokens)]
