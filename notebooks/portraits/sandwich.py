# Sandwich: the product of two sinusoidal rows as a bias, 0 at distance 0 and below elsewhere;
# a head that is alone divides it by 8.


def sandwich(x, width=128):
    theta = 10000.0 ** -(np.arange(2, width + 1, 2) / width)
    return product(x, x) + (np.cos(past[..., None] * theta).sum(axis=-1) - width / 2) / 8
