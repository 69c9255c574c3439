# NTK-by-parts: pairs that turn 32 times in training stay, those that turn once are slowed by k.


def ntk_by_parts(theta, base, k, trained, alpha):
    turns = trained * theta / (2 * np.pi)
    keep = np.clip((turns - 1) / (32 - 1), 0, 1)
    return (1 - keep) * theta / k + keep * theta, 1.0
