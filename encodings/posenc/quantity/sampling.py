"""Which positions a curve is evaluated at when there are more of them than points to draw."""

import math

import torch
from torch import Tensor

from posenc.checks import check_int


def even_positions(length: int, points: int) -> Tensor:
    """Positions from 0 to length - 1, evenly spread: all of them if points allow.

    Args:
        length: Positions there are, at least 1.
        points: Most positions to choose, at least 2.

    Returns:
        int64 (n,), increasing, n at most `points`; both ends are among them.

    Raises:
        ValueError: If an argument is out of range.
    """
    check_int("length", length, 1)
    check_int("points", points, 2)
    places = torch.linspace(0, length - 1, min(length, points), dtype=torch.float64)
    return places.round().long()


def log_positions(length: int, points: int) -> Tensor:
    """Positions from 1 to length - 1, evenly spread on a logarithmic axis.

    Args:
        length: Positions there are, at least 2.
        points: Most positions to choose, at least 2; small positions that coincide count once.

    Returns:
        int64 (n,), increasing, n at most `points`; both ends are among them.

    Raises:
        ValueError: If an argument is out of range.
    """
    check_int("length", length, 2)
    check_int("points", points, 2)
    places = torch.logspace(0, math.log2(length - 1), points, 2, dtype=torch.float64)
    return places.round().long().unique()
