# CoPE: gates say which keys count; positions are their sum, from a key to the query.


def cope(x):
    table, scores = normal(width, length + 1), np.where(past < 0, -np.inf, product(x, x))
    gates = 1 / (1 + np.exp(-scores))
    places = np.minimum(np.cumsum(gates[:, ::-1], axis=1)[:, ::-1], length)
    low, row = np.floor(places).astype(int), np.arange(length)[:, None]
    at, share = product(x, table.T), places - low
    return scores + (1 - share) * at[row, low] + share * at[row, np.minimum(low + 1, length)]
