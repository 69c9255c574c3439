"""How far two rotations of the same positions drift apart: a lost base, an ignored scaling."""

import math

import torch
from torch import Tensor

from posenc.checks import check_number


def distance_apart(inv_freq: Tensor, other: Tensor, angle: float = math.pi) -> Tensor:
    """Distance between query and key from which a pair's two angles differ by `angle` or more.

    Args:
        inv_freq: θ, (pairs,), radians per position.
        other: θ of the other rotation, (pairs,).
        angle: Radians; the default is half a turn, where a pair says the opposite.

    Returns:
        float64 (pairs,), whole numbers of tokens; infinity where both turn alike.

    Raises:
        ValueError: If the shapes differ, or angle is not above 0.
    """
    check_number("angle", angle, above=0)
    if inv_freq.shape != other.shape:
        raise ValueError(
            f"other must have the shape {tuple(inv_freq.shape)}, got {tuple(other.shape)}."
        )
    drift = (inv_freq.to(torch.float64) - other.to(torch.float64)).abs()
    return (angle / drift).ceil()
