# Llama 3.1: pairs that turn four times in training stay, those that turn less than once are slowed.


def llama3(theta, base, k, trained, alpha):
    turns = trained * theta / (2 * np.pi)
    keep = np.clip((turns - 1) / (4 - 1), 0, 1)
    return (1 - keep) * theta / k + keep * theta, 1.0
