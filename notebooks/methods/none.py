# Plain RoPE.


def none(theta, base, k, trained, alpha):
    return theta, 1.0
