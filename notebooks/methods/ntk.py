# NTK-aware: a larger base. The fastest pair stays, the slowest is slowed by k.


def ntk(theta, base, k, trained, alpha):
    d = 2 * len(theta)
    return (base * k ** (d / (d - 2))) ** -(np.arange(0, d, 2) / d), 1.0
