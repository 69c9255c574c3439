import numpy as np


def normal(*stream, rows):  # standard normal numbers, one sequence for each stream
    drawn = np.random.default_rng((seed, *stream)).standard_normal((rows, width))
    return drawn.astype(np.float32)


width = num_heads * head_dim
x = np.concatenate([normal(1, token, rows=1) for token in ids]).astype(float)
qkv = x @ (normal(2, rows=3 * width) * width**-0.5).T
