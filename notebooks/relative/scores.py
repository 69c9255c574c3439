# The score of Shaw's attention from its two terms: content, and embeddings of the distance.
# %% shaw
values = [content, key_term, content + key_term]
