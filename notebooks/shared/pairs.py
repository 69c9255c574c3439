theta = base ** -(np.arange(0, rotary_dim, 2) / rotary_dim)  # radians per position
both = vectors[:, :rotary_dim]  # of the query and of the key
if layout == "interleaved":
    query_pairs, key_pairs = both[:, ::2] + 1j * both[:, 1::2]
else:
    query_pairs, key_pairs = both[:, : rotary_dim // 2] + 1j * both[:, rotary_dim // 2 :]
products = query_pairs * key_pairs.conj()
passed = vectors[0, rotary_dim:] @ vectors[1, rotary_dim:]  # of channels that are not rotated
