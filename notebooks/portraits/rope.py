# RoPE: channels 2i and 2i + 1 of queries and keys are turned by the position times θ_i.


def rope(x):
    theta = 10000.0 ** -(np.arange(0, width, 2) / width)
    turned = (x[:, ::2] + 1j * x[:, 1::2]) * np.exp(1j * np.outer(np.arange(length), theta))
    return product(turned, turned.conj()).real
