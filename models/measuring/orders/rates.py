"""Shares of scores that are in order when keys stand at other places of a text.

Nothing is attended here: a query is compared with keys that are put to places drawn at random, by
the score before the softmax.

Source: what Du et al. 2026, arXiv:2605.15514, say of RoPE in long texts, tried on given vectors.
"""

from typing import NamedTuple

import torch
from torch import Generator, Tensor

from posenc import PositionalEncoding

LENGTHS = (64, 512, 2048, 8192, 16384, 65536, 2**20)
"""Tokens of the texts that keys are put into."""


class Rates(NamedTuple):
    """Shares of the draws, (…): one for each head."""

    nearer: Tensor
    """Where a key scores more at a place than at another at least twice as far."""
    flipped: Tensor
    """Where of two keys at one place the other scores more than at another place."""


def rates(
    encoding: PositionalEncoding, q: Tensor, key: Tensor, other: Tensor, length: int, at: Generator
) -> Rates:
    """Compare scores at places of a text, by their distance from the query, 1 … length - 1.

    Of the two copies of `key`, the farther one is drawn from 2 … length - 1, the nearer one from 1
    to half of that; the two places at which it is compared with `other` are drawn independently.

    Args:
        encoding: What rotates them.
        q: Queries before the rotation, (…, draws, channels).
        key: Keys that are moved, the same shape.
        other: Keys that they are compared with, the same shape.
        length: Tokens of the text, at least 3.
        at: Draws the places, the same ones for all heads.
    """
    draws = q.shape[-2]

    def score(k: Tensor, distance: Tensor) -> Tensor:
        turned, k = encoding.rotate(q, k, distance, torch.zeros_like(distance))
        return (turned * k).sum(-1)

    def places(end: int) -> Tensor:
        return torch.randint(1, end, (draws,), generator=at)

    def share(x: Tensor) -> Tensor:
        return x.double().mean(-1)

    far = 1 + places(length - 1)
    near = 1 + (torch.rand(draws, dtype=torch.float64, generator=at) * (far // 2)).long()
    here, there = (score(key - other, places(length)) > 0 for _ in range(2))
    return Rates(share(score(key, near) > score(key, far)), share(here != there))
