# Scores of keys that were rotated under the base of their own time, minus scores of keys that are
# rotated again at every step.
# %%
ids = [1, 2, 3]  # of the tokens; equal words have equal ids
num_heads = 2
head_dim = 32
seed = 0  # random numbers stand in for a trained model
head = 0
steps = 8  # tokens that are decoded
base = 10000.0
alpha = 2.0
trained = 4  # tokens of the training
# %% projected
q, k, v = qkv.reshape(len(ids), 3, num_heads, head_dim)[:, :, head].swapaxes(0, 1)
d, positions = head_dim, np.arange(len(ids))
q, k = q[:, ::2] + 1j * q[:, 1::2], k[:, ::2] + 1j * k[:, 1::2]


def frequencies(length):  # dynamic NTK: the base grows once a text is longer than the training
    stretch = max(length, trained) / trained
    new_base = base * (alpha * stretch - alpha + 1) ** (d / (d - 2))
    return new_base ** -(np.arange(0, d, 2) / d)


written = k * np.exp(1j * positions[:, None] * [frequencies(n + 1) for n in positions])
values = np.full((len(ids), len(ids)), np.nan)
for t in range(steps):
    now = frequencies(t + 1)
    again = k * np.exp(1j * np.outer(positions, now))
    query = q[t] * np.exp(1j * t * now)
    error = (query.conj() * (written - again)[: t + 1]).sum(axis=1).real
    values[t, : t + 1] = error / head_dim**0.5
row_edges = column_edges = np.arange(len(ids) + 1)
