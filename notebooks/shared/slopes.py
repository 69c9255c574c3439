import numpy as np

# The slopes of n heads, n a power of two; other counts add every second slope of twice as many.
n = 2 ** (num_heads.bit_length() - 1)
slopes = [2 ** (-8 * (h + 1) / n) for h in range(n)]
slopes += [2 ** (-8 * (h + 1) / (2 * n)) for h in range(0, 2 * n, 2)][: num_heads - n]
