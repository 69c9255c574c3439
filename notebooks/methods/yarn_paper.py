# YaRN as its paper writes it: NTK-by-parts, and a factor on cosines and sines.


def yarn_paper(theta, base, k, trained, alpha):
    turns = trained * theta / (2 * np.pi)
    keep = np.clip((turns - 1) / (32 - 1), 0, 1)
    return (1 - keep) * theta / k + keep * theta, 0.1 * np.log(k) + 1
