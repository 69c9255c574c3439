"""How far two rotations of the same positions drift apart: a lost base, an ignored scaling."""

import math

import torch
from torch import Tensor


def distance_apart(inv_freq: Tensor, other: Tensor) -> Tensor:
    """Distance between query and key from which a pair's two angles differ by half a turn or more.

    There the pair says the opposite.

    Args:
        inv_freq: θ, (pairs,), radians per position.
        other: θ of the other rotation, (pairs,).

    Returns:
        float64 (pairs,), whole numbers of tokens; infinity where both turn alike.

    Raises:
        ValueError: If the shapes differ.
    """
    if inv_freq.shape != other.shape:
        raise ValueError(
            f"other must have the shape {tuple(inv_freq.shape)}, got {tuple(other.shape)}."
        )
    drift = (inv_freq.to(torch.float64) - other.to(torch.float64)).abs()
    return (math.pi / drift).ceil()
