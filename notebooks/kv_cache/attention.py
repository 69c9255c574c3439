# Attention of one head with RoPE, token by token: row t is the step that adds token t.
# %%
ids = [1, 2, 3]  # of the tokens; equal words have equal ids
num_heads = 2
head_dim = 32
seed = 0  # random numbers stand in for a trained model
head = 0
steps = 8  # tokens that are decoded
# %% projected
q, k, v = qkv.reshape(len(ids), 3, num_heads, head_dim)[:, :, head].swapaxes(0, 1)
theta = 10000.0 ** -(np.arange(0, head_dim, 2) / head_dim)  # radians per position


def rotated(rows, positions):
    turn = np.exp(1j * np.outer(positions, theta))  # channels 2i and 2i + 1 are a pair
    return (rows[:, ::2] + 1j * rows[:, 1::2]) * turn


weights = np.full((len(ids), len(ids)), np.nan)
cache = np.empty((0, head_dim // 2), complex)
for t in range(steps):
    cache = np.concatenate([cache, rotated(k[t : t + 1], [t])])  # a key is rotated once
    scores = (rotated(q[t : t + 1], [t]).conj() * cache).sum(axis=1).real / head_dim**0.5
    shares = np.exp(scores - scores.max())
    weights[t, : t + 1] = shares / shares.sum()


def matrix(i, j):
    return weights[i, j]
