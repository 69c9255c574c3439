# Position interpolation: every pair is slowed alike.


def linear(theta, base, k, trained, alpha):
    return theta / k, 1.0
