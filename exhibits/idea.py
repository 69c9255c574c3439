"""Five words in two orders, read without positions, with rows added, and with rotation."""

from functools import cache

import torch
from torch import Tensor

from posenc.attention.formula import attend
from posenc.catalogue import CATALOGUE, ModelShape
from posenc.random_model import RandomProjections
from posenc.words import say

WORDS = (say("the"), say("dog"), say("bites"), say("the"), say("man"))
IDS = (0, 1, 2, 0, 3)
ORDER = (0, 4, 2, 3, 1)
"""Which word stands at each place of the other order: the man bites the dog."""
WIDTH = 8
SEED = 0


@cache
def both_orders(name: str) -> tuple[Tensor, Tensor]:
    """Attention's output for each word, in the order typed and in the other one.

    Args:
        name: Of an encoding that trains nothing, in the catalogue.

    Returns:
        The outputs of the words as typed, and of the same words when they stand in `ORDER`, each
        float64 (5, 8), a row for each word. Embeddings and projections are random; no mask.
    """
    model = RandomProjections(SEED, d_model=WIDTH, num_heads=1, head_dim=WIDTH)
    encoding = CATALOGUE[name].build(ModelShape(WIDTH, 1, WIDTH, length=len(WORDS)))
    x = model.embed(IDS).double()
    order = torch.tensor(ORDER)

    def read(words: Tensor) -> Tensor:
        q, k, v = model.project(encoding.embed(words, torch.arange(len(WORDS))))
        return attend(q, k, v, encoding.double())[0, 0]

    with torch.no_grad():
        other = torch.empty(len(WORDS), WIDTH, dtype=torch.float64)
        other[order] = read(x[:, order])
        return read(x), other
