# What lies in the cache: a key for each token so far.
# %%
ids = [1, 2, 3]  # of the tokens; equal words have equal ids
num_heads = 2
head_dim = 32
seed = 0  # random numbers stand in for a trained model
head = 0
steps = 8  # tokens that are decoded
rotate_on_write = True  # False: keys are cached as they are, and rotated when they are read
# %% projected
q, k, v = qkv.reshape(len(ids), 3, num_heads, head_dim)[:, :, head].swapaxes(0, 1)
theta = 10000.0 ** -(np.arange(0, head_dim, 2) / head_dim)  # radians per position
keys = k[:steps]
if rotate_on_write:  # channels 2i and 2i + 1 are a pair
    turn = np.exp(1j * np.outer(np.arange(steps), theta))
    pairs = (keys[:, ::2] + 1j * keys[:, 1::2]) * turn
    keys = np.stack([pairs.real, pairs.imag], axis=2).reshape(steps, head_dim)


def matrix(token, channel):
    return keys[token, channel]
