# Dynamic NTK: NTK-aware with α, its base worked out anew for the length of every text.


def dynamic_ntk(theta, base, k, trained, alpha):
    d, stretch = 2 * len(theta), max(round(k * trained), trained) / trained
    new_base = base * (alpha * stretch - alpha + 1) ** (d / (d - 2))
    return new_base ** -(np.arange(0, d, 2) / d), 1.0
