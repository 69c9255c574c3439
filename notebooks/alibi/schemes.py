# ALiBi's slopes by four rules: two that models use, the paper's sentence, and a mistake.
# %%
num_heads = 8
# %%
import numpy as np


def series(count, start=1):
    return 2.0 ** (-8 * np.arange(start, start + count) / count)


below = 2 ** (num_heads.bit_length() - 1)
above = 2 ** (num_heads - 1).bit_length()
authors = np.concatenate([series(below), series(2 * below)[::2]])[:num_heads]
mpt = np.concatenate([series(above)[1::2], series(above)[::2]])[:num_heads]
if above == num_heads:
    mpt = series(num_heads)
heads = np.arange(num_heads)
curves = [(heads, authors), (heads, mpt), (heads, series(num_heads)), (heads, series(num_heads, 0))]
