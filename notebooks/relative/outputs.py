# The output of Shaw's attention from its two terms: values, and embeddings of the distance.
# %% shaw
weights = np.exp(content + key_term - (content + key_term).max(axis=1, keepdims=True))
weights /= weights.sum(axis=1, keepdims=True)
of_values = weights @ v
of_distances = np.einsum("ij,ijd->id", weights, table[1][ids])
values = [of_values, of_distances, of_values + of_distances]
