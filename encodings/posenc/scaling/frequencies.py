"""How far each pair of rotary frequencies gets within a length."""

import torch
from torch import Tensor


def turns_within(length: int, inv_freq: Tensor) -> Tensor:
    """r_i = L·θ_i / 2π, full turns that each pair makes within a length, float64 (d/2,)."""
    return length * inv_freq / (2 * torch.pi)
