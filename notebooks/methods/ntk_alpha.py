# NTK-aware with α: a base that grows faster with the length.


def ntk_alpha(theta, base, k, trained, alpha):
    d = 2 * len(theta)
    return (base * (alpha * k - alpha + 1) ** (d / (d - 2))) ** -(np.arange(0, d, 2) / d), 1.0
