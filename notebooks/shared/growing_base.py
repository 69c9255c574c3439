import numpy as np


def frequencies(length):  # dynamic NTK: the base grows once a text is longer than the training
    stretch = max(length, trained) / trained
    new_base = base * (alpha * stretch - alpha + 1) ** (d / (d - 2))
    return new_base ** -(np.arange(0, d, 2) / d)
