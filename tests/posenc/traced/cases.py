"""Every encoding of the catalogue and its variants, in a module that attends with it."""

from functools import partial

import pytest
import torch
from torch import Tensor, nn

from posenc import PositionalEncoding, RoPE, attend
from posenc.catalogue import CATALOGUE
from posenc.scaling import DynamicNTK, LongRoPE
from tests.posenc.laws import VARIANTS, build
from tests.tensors import random

HEADS, WIDTH = 4, 6
BY_LENGTH = {
    "rope, dynamic NTK": lambda: RoPE(WIDTH, scaling=DynamicNTK(2.0, 8)),
    "rope, LongRoPE": lambda: RoPE(
        WIDTH, layout="half", scaling=LongRoPE((1.0, 1.1, 1.2), (2.0, 3.0, 4.0), 8, 4.0)
    ),
    "rope, LongRoPE with two factors": lambda: RoPE(
        WIDTH,
        scaling=LongRoPE((1.0,) * 3, (2.0,) * 3, 8, 4.0, short_mscale=1.0, long_mscale=1.5),
    ),
}
NAMES = [*CATALOGUE, *VARIANTS, *BY_LENGTH]
OFTEN = ("learned", "sinusoidal", "t5", "alibi", "rope", "cope", "rope, dynamic NTK")
MOST_ARE_SLOW = [
    name if name in OFTEN else pytest.param(name, marks=pytest.mark.slow) for name in NAMES
]
"""All of them; one of each kind where a graph is made in seconds."""


def made(name: str, dtype: torch.dtype = torch.float64) -> PositionalEncoding:
    """An encoding by name, whose learned tables are not zero."""
    return BY_LENGTH[name]() if name in BY_LENGTH else build(name, dtype)


class Attention(nn.Module):
    """The last queries of a text, from given positions of all keys or from the default ones."""

    def __init__(self, encoding: PositionalEncoding) -> None:
        super().__init__()
        self.encoding = encoding

    def forward(self, q: Tensor, k: Tensor, v: Tensor, positions: Tensor | None = None) -> Tensor:
        if positions is None:
            return attend(q, k, v, self.encoding, mask="causal")
        return attend(
            q,
            k,
            v,
            self.encoding,
            mask="causal",
            q_positions=positions[..., k.shape[-2] - q.shape[-2] :],
            k_positions=positions,
        )


class Embedded(nn.Module):
    """The embeddings of a text with position added."""

    def __init__(self, encoding: PositionalEncoding) -> None:
        super().__init__()
        self.encoding = encoding

    def forward(self, x: Tensor, positions: Tensor) -> Tensor:
        return self.encoding.embed(x, positions)


def text(
    q_len: int, k_len: int, batch: int = 2, dtype: torch.dtype = torch.float64
) -> tuple[Tensor, Tensor, Tensor]:
    """Queries of the last tokens, keys and values."""
    some = partial(random, batch, HEADS, dtype=dtype)
    return some(q_len, WIDTH, seed=1), some(k_len, WIDTH, seed=2), some(k_len, WIDTH, seed=3)
