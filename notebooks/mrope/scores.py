# The score of the middle patch with every patch by position alone, in two models.
# %%
rows = 4
columns = 6
up = 1  # to the patch that is looked for
left = 0
used = 4  # the fastest pairs of the rows, and of the columns
# %%
import numpy as np

blocks = np.repeat([0, 1, 2], [16, 24, 24])  # Qwen2.5-VL: time, rows, columns
interleaved = np.array([0, 1, 2] * 20 + [0] * 4)  # Qwen3-VL
down = (rows // 2 - up - np.arange(rows))[:, None, None]
across = (columns // 2 - left - np.arange(columns))[None, :, None]
values = []
for base, axis_of_pair in [(1e6, blocks), (5e6, interleaved)]:
    theta = base ** -(np.arange(64) / 64)  # radians per position
    by_row, by_column = (theta[axis_of_pair == axis][:used] for axis in (1, 2))
    terms = np.cos(down * by_row).sum(2) + np.cos(across * by_column).sum(2)
    values.append(terms / (2 * used))
