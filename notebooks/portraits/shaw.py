# Shaw: each distance up to k has a vector, which the query meets as it meets the keys.


def shaw(x, k=16):
    vectors = normal(2 * k + 1, width)
    return (
        product(x, x) + product(x, vectors)[np.arange(length)[:, None], np.clip(-past, -k, k) + k]
    )
