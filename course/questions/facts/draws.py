"""Random numbers, always the same, and what is told of many draws of them."""

import math
from collections.abc import Callable

import torch
from torch import Tensor

DRAWS = 300
"""Draws that a number is worked out from, where it changes from draw to draw."""


def drawn(*shape: int, seed: int = 0) -> Tensor:
    """Standard normal numbers, float64; those of another seed are independent of these."""
    return torch.randn(*shape, generator=torch.Generator().manual_seed(seed), dtype=torch.float64)


def projected(x: Tensor, heads: int) -> tuple[Tensor, Tensor, Tensor]:
    """Queries, keys and values of embeddings by random matrices, others in each draw.

    Args:
        x: (draws, tokens, width).
        heads: A divisor of the width.

    Returns:
        q, k and v, each (draws, heads, tokens, width / heads).
    """
    draws, _, width = x.shape
    matrices = drawn(3, draws, width, width, seed=1) / width**0.5
    q, k, v = (x @ matrices).unflatten(-1, (heads, -1)).transpose(2, 3)
    return q, k, v


def change(before: Tensor, after: Tensor) -> Tensor:
    """Length of the difference of all numbers of a draw, over that of the first, (draws,)."""
    return (after - before).flatten(1).norm(dim=1) / before.flatten(1).norm(dim=1)


def median(values: Tensor) -> float:
    """Median of (draws,) numbers."""
    return float(values.quantile(0.5))


def bound(differences: Tensor) -> float:
    """Largest of some differences, rounded up to one digit: all of them are at most that.

    On some processors a difference is 0; no bound is told below what float64 resolves at 1.
    """
    largest = max(float(differences.abs().max()), torch.finfo(torch.float64).eps)
    digit = 10.0 ** math.floor(math.log10(largest))
    return math.ceil(largest / digit) * digit


def spread(name: str, values: Callable[[], Tensor]) -> dict[str, Callable[[], float]]:
    """The median of (draws,) numbers by its name, and the ends of the nine tenths in the middle."""
    return {
        name: lambda: median(values()),
        f"{name}_low": lambda: float(values().quantile(0.05)),
        f"{name}_high": lambda: float(values().quantile(0.95)),
    }
