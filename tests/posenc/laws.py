"""A small model around an encoding, for laws that hold for all of them."""

import torch

from posenc import CATALOGUE, RandomProjections, attend, randomise
from posenc.catalogue import ModelShape

LENGTH, BATCH = 11, 2
SHAPE = ModelShape(d_model=12, num_heads=4, head_dim=6, length=40)
MODEL = RandomProjections(seed=3, d_model=12, num_heads=4, head_dim=6)
IDS = [[5, 1, 8, 5, 2, 9, 3, 5, 7, 4, 6], [2, 2, 7, 1, 9, 8, 3, 6, 4, 5, 1]]


def build(name, dtype=torch.float64, device="cpu"):
    """An encoding of the catalogue whose learned tables are not zero."""
    return randomise(CATALOGUE[name].build(SHAPE), seed=1, std=0.7).to(device, dtype)


def texts(dtype=torch.float64, device="cpu"):
    """Embeddings of two texts, (2, LENGTH, d_model)."""
    return torch.cat([MODEL.embed(ids) for ids in IDS]).to(device, dtype)


def qkv(encoding, positions, x):
    """Queries, keys and values of embeddings at these positions."""
    return MODEL.project(encoding.embed(x, positions))


def output(encoding, positions, x, mask="causal", *, trace=False):
    """All four places, from embeddings to the output of attention."""
    q, k, v = qkv(encoding, positions, x)
    return attend(q, k, v, encoding, mask=mask, k_positions=positions, trace=trace)
