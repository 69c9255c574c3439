# Kerple: a penalty that grows with the logarithm of the distance, with two numbers to train.


def kerple(x):
    r1, r2 = np.maximum([uniform(1), uniform(1)], 0.01)
    return product(x, x) - r1 * np.log1p(r2 * np.abs(past))
