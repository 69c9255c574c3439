# A base that is k times as large, and every pair slowed by k^(2/d) besides.


def ntk_fixed(theta, base, k, trained, alpha):
    d = 2 * len(theta)
    return (base * k) ** -(np.arange(0, d, 2) / d) / k ** (2 / d), 1.0
