# How alike the output of a head stays as its text moves on, where values are turned, too.
# %%
head_dim = 16
rotary_dim = 16  # channels that are turned, from the first on
base = 10000.0
length = 32
seed = 0
# %%
import numpy as np
import torch  # for its random numbers

tokens = 12
generator = torch.Generator().manual_seed(seed)
vectors = torch.randn(1 + 2 * tokens, head_dim, generator=generator, dtype=torch.float64).numpy()
q, k, v = vectors[:1], vectors[1 : 1 + tokens], vectors[1 + tokens :]
theta = base ** -(np.arange(0, rotary_dim, 2) / rotary_dim)  # radians per position


def turn(x, positions):
    pairs = x[:, 0:rotary_dim:2] + 1j * x[:, 1:rotary_dim:2]
    pairs = pairs * np.exp(1j * np.outer(positions, theta))
    x = x.copy()
    x[:, 0:rotary_dim:2], x[:, 1:rotary_dim:2] = pairs.real, pairs.imag
    return x


last = torch.tensor(length - 1.0, dtype=torch.float64).log2()
shifts = torch.logspace(0, last, 200, 2, dtype=torch.float64).round().unique().numpy()
outputs = []  # of the last token: values left alone, turned, and the output turned back
for shift in [0, *shifts]:
    places = shift + np.arange(tokens)
    scores = turn(q, places[-1:]) @ turn(k, places).T / np.sqrt(head_dim)
    weights = np.exp(scores) / np.exp(scores).sum()
    turned = weights @ turn(v, places)
    outputs.append([weights @ v, turned, turn(turned, -places[-1:])])
outputs = np.array(outputs)[:, :, 0].transpose(1, 0, 2)
lengths = np.linalg.norm(outputs, axis=2)
products = (outputs * outputs[:, :1]).sum(axis=2)
curves = [(shifts, one[1:]) for one in products / (lengths * lengths[:, :1])]
