# How many tokens hold 90 % of a head's attention where all scores are equal.
# %%
num_heads = 8
length = 64
# %%
import numpy as np

# The slopes of n heads, n a power of two; other counts add every second slope of twice as many.
n = 2 ** (num_heads.bit_length() - 1)
slopes = [2 ** (-8 * (h + 1) / n) for h in range(n)]
slopes += [2 ** (-8 * (h + 1) / (2 * n)) for h in range(0, 2 * n, 2)][: num_heads - n]
tokens = []
for slope in slopes:
    # The nearest w tokens hold (1 - exp(-m·w)) / (1 - exp(-m·L)) of it.
    w = np.log1p(0.9 * np.expm1(-slope * length)) / -slope
    tokens.append(np.clip(np.ceil(w), 1, length))
curves = [(range(num_heads), tokens)]
