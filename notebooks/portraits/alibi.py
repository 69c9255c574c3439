# ALiBi: a penalty that grows with the distance; the slope of a head that is alone is 2^-8.


def alibi(x):
    return product(x, x) - 2.0**-8 * np.abs(past)
