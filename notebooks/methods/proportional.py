# p-RoPE: the pairs that made a full turn in training go on turning, the others stop.


def proportional(theta, base, k, trained, alpha):
    turning = np.sum((trained - 1) * theta >= 2 * np.pi)
    return np.where(np.arange(len(theta)) < turning, theta, 0.0), 1.0
