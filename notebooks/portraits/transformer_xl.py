# Transformer-XL: the query meets the sinusoid of the distance, with biases u and v of its own.


def transformer_xl(x):
    u, v, projection = normal(1, width), normal(1, width), normal(1, width, width)[0]
    distances = np.arange(-length + 1, length)
    angles = np.outer(distances, 10000.0 ** -(np.arange(0, width, 2) / width))
    sinusoids = np.concatenate([np.sin(angles), np.cos(angles)], axis=1) @ projection.T
    return (
        product(x + u, x) + product(x + v, sinusoids)[np.arange(length)[:, None], past + length - 1]
    )
