"""Rescaled rotary frequencies: what lets a model read further than it was trained to.

A scaling is a small frozen object with one method, `apply`, that turns the plain frequencies into
the scaled ones and says by how much cos and sin are multiplied (`attention_factor`).
"""

from typing import ClassVar, Protocol

import torch
from torch import Tensor


class Scaling(Protocol):
    """What every scaling has."""

    needs_length: ClassVar[bool]
    """True where the frequencies depend on the length of the text being read."""

    def apply(
        self, inv_freq: Tensor, base: float, length: int | None = None
    ) -> tuple[Tensor, float]:
        """Return the scaled frequencies and the attention factor.

        Args:
            inv_freq: Plain frequencies θ_i = base^(-2i/d), float64 (d/2,), radians per position.
            base: The base they were made with.
            length: Tokens in the text being read; None is "not longer than in training".

        Returns:
            Scaled frequencies, float64 (d/2,), and the factor on cos and sin (the scores change
            by its square).
        """
        ...


def geometric(base: float, pairs: int) -> Tensor:
    """θ_i = base^(-2i/d) for i = 0 … d/2 - 1, float64 (d/2,)."""
    return base ** (-torch.arange(pairs, dtype=torch.float64) / pairs)


def turns_within(length: int, inv_freq: Tensor) -> Tensor:
    """r_i = L·θ_i / 2π, full turns that each pair makes within a length, float64 (d/2,)."""
    return length * inv_freq / (2 * torch.pi)
