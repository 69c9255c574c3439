# YaRN: fast pairs stay, slow ones are slowed by k, and a factor stands on cosines and sines.


def yarn(theta, base, k, trained, alpha):
    d = 2 * len(theta)
    # The pairs that turn 32 times and once in training: the ramp lies between them.
    low, high = (d * np.log(trained / (2 * np.pi * r)) / (2 * np.log(base)) for r in (32, 1))
    low, high = max(np.floor(low), 0), min(np.ceil(high), d - 1)
    high += 0.001 * (low == high)
    keep = 1 - np.clip((np.arange(d // 2) - low) / (high - low), 0, 1)
    return (1 - keep) * theta / k + keep * theta, 0.1 * np.log(k) + 1
