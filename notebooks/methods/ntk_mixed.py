# Every pair is slowed, the slowest by k.


def ntk_mixed(theta, base, k, trained, alpha):
    pairs = len(theta)
    strength = np.log(k) / pairs**0.75
    return theta * np.exp(-strength * np.arange(1, pairs + 1) ** 0.75), 1.0
