import numpy as np

theta = base ** -(np.arange(0, rotary_dim, 2) / rotary_dim)  # radians per position
axis_of_pair = np.repeat([0, 1, 2], sections)
if order == "interleaved":  # rows and columns take every third pair, the time all others
    axis_of_pair = np.zeros(len(theta), int)
    for axis in (1, 2):
        axis_of_pair[axis : 3 * sections[axis] : 3] = axis
