"""Sums of waves over distance: what sinusoids, Sandwich and RoPE make of i - j.

The terms are added one after another, so that a distance has the same bits alone, on a curve and
in a matrix. A matrix product would promise that to the last digits only.
"""

from collections.abc import Callable

import torch
from torch import Tensor

from posenc.quantity.distance import distinct
from posenc.rope.formula import rope_angles

DISTANCES_AT_ONCE = 16384
"""Distances whose angles are held at a time."""


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
