"""Waves: the angle of a frequency at a position, and sums of waves over distance i - j.

Sinusoids, Sandwich, RoPE and xPos are made of them. The terms of a sum are added one after another,
so that a distance has the same bits alone, on a curve and in a matrix. A matrix product would
promise that to the last digits only.
"""

from collections.abc import Callable

import torch
from torch import Tensor

from posenc.checks import check_coordinates, check_tensors
from posenc.quantity.distance import distinct

DISTANCES_AT_ONCE = 16384
"""Distances whose angles are held at a time."""


def geometric(base: float, pairs: int) -> Tensor:
    """θ_i = base^(-2i/d) for i = 0 … d/2 - 1: radians per position, float64 (d/2,)."""
    return base ** (-torch.arange(pairs, dtype=torch.float64) / pairs)


def rope_angles(positions: Tensor, inv_freq: Tensor) -> Tensor:
    """The angle of every pair at every position, p·θ_i.

    Args:
        positions: Integers, or numbers in float32 or float64 (pixels, timesteps), (seq,) or
            (batch, seq) (or a single position, ()).
        inv_freq: θ, (pairs,), radians per position.

    Returns:
        Radians, float64 (..., seq, pairs), on the device of the positions (on the CPU for MPS,
        which has no float64).

    Raises:
        ValueError: If positions are no such numbers.

    Source: Su et al. 2021, section 3.2.2, arXiv:2104.09864.
    """
    check_tensors(positions=positions, inv_freq=inv_freq)
    positions = check_coordinates("positions", positions)
    if positions.dim() > 2:
        raise ValueError(
            f"positions must have shape (seq,) or (batch, seq), got {tuple(positions.shape)}."
        )
    device = float64_device(positions)
    return positions.to(device, torch.float64)[..., None] * inv_freq.to(device, torch.float64)


def float64_device(tensor: Tensor) -> torch.device:
    """Where to compute in float64 for this tensor: its own device, the CPU for MPS."""
    return torch.device("cpu") if tensor.device.type == "mps" else tensor.device


def wave_terms(
    distances: Tensor,
    inv_freq: Tensor,
    cos_weights: Tensor | float = 1.0,
    sin_weights: Tensor | None = None,
) -> Tensor:
    """a_i cos δθ_i + b_i sin δθ_i of every frequency.

    Args:
        distances: δ, integers (n,).
        inv_freq: θ, (freqs,), radians per position.
        cos_weights: a, (freqs,) or one number for all.
        sin_weights: b, (freqs,); None for no sines.

    Returns:
        float64 (n, freqs).
    """
    angles = rope_angles(distances, inv_freq)
    cosines = cos_weights * angles.cos()
    return cosines if sin_weights is None else cosines + sin_weights * angles.sin()


def wave_sum(
    distances: Tensor,
    inv_freq: Tensor,
    cos_weights: Tensor | float = 1.0,
    sin_weights: Tensor | None = None,
) -> Tensor:
    """Σ_i a_i cos δθ_i + b_i sin δθ_i, float64 of the shape of `distances`; see `wave_terms`."""
    if torch.compiler.is_compiling():  # a length may be free there
        return ordered_sum(wave_terms(distances, inv_freq, cos_weights, sin_weights))
    some = distances.flatten().split(DISTANCES_AT_ONCE)
    sums = [ordered_sum(wave_terms(part, inv_freq, cos_weights, sin_weights)) for part in some]
    return torch.cat(sums).reshape(distances.shape)


def ordered_sum(terms: Tensor) -> Tensor:
    """Sum over the last axis, from the first term to the last."""
    return terms.cumsum(dim=-1)[..., -1] if terms.shape[-1] else terms.sum(dim=-1)


def over_pairs(curve: Callable[[Tensor], Tensor], rows: Tensor, cols: Tensor) -> Tensor:
    """A curve of the distance row - column, evaluated once for each distance and spread out.

    Args:
        curve: From distances (n,) to values (n,).
        rows: Integers (r,).
        cols: Integers (c,).

    Returns:
        (r, c).
    """
    distances, where = distinct(rows[:, None] - cols[None, :])
    return curve(distances)[where]


def turns_within(length: int, inv_freq: Tensor) -> Tensor:
    """r_i = L·θ_i / 2π, full turns that each pair makes within a length, float64 (d/2,)."""
    return length * inv_freq / (2 * torch.pi)
