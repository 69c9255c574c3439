"""A short text's attention, read by narrow strips of rows."""

import torch

from posenc.attention.masks import causal_pairs
from posenc.attention.rows import AttentionRows
from posenc.catalogue import CATALOGUE, ModelShape
from posenc.random_model import randomise

LENGTH = 37
HEADS = 2
DIM = 8
STAGES = ("content", "position", "dot", "scaled", "masked", "bias", "logits", "weights", "surplus")


def rows_of(name, pairs=causal_pairs, positions=None):
    seeded = torch.Generator().manual_seed(0)
    q, k, v = torch.randn(3, 1, HEADS, LENGTH, DIM, dtype=torch.float64, generator=seeded)
    encoding = CATALOGUE[name].build(ModelShape(HEADS * DIM, HEADS, DIM, LENGTH + 20))
    return AttentionRows(q, k, v, randomise(encoding, 0).double(), pairs, positions)
