# A base that is k times as large.


def ntk_base(theta, base, k, trained, alpha):
    d = 2 * len(theta)
    return (base * k) ** -(np.arange(0, d, 2) / d), 1.0
