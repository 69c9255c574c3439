# Sinusoidal: each place has a row of sines and cosines, which is added to the token there.


def sinusoidal(x):
    angles = np.outer(np.arange(length), 10000.0 ** -(np.arange(0, width, 2) / width))
    table = np.stack([np.sin(angles), np.cos(angles)], axis=2).reshape(length, width)
    return product(table, table)  # tokens of zeros, so that the rows alone are left
