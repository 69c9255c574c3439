# What Shaw's embeddings of keys add to each score.
# %% shaw
def matrix(i, j):
    return key_term[i, j]
