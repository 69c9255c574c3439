"""Which rotary angles training has shown, and which a longer text asks for."""

from dataclasses import dataclass

import torch
from torch import Tensor

from posenc.checks import check_int


@dataclass(frozen=True)
class AngleCoverage:
    """Per pair: which angles training has shown, and which the target length asks for.

    All tensors are float64 (pairs,), angles in radians of rotation between query and key.
    """

    turns: Tensor
    """Full turns within the trained length, L₀ / λ_i."""
    seen: Tensor
    """Largest angle met in training, (L₀ - 1) · θ_i."""
    reached: Tensor
    """Largest angle at the target length, (L - 1) · θ'_i."""
    full_turn: Tensor
    """bool: the pair made a full turn in training, so no angle is new to it."""
    unseen: Tensor
    """Radians of the circle that the target length reaches and training never did."""
    excess: Tensor
    """reached / seen: above 1 the pair turns further than it ever did."""


def angle_coverage(
    inv_freq: Tensor, trained_length: int, target_length: int, scaled: Tensor | None = None
) -> AngleCoverage:
    """Angles reached at the target length against those seen in training.

    Args:
        inv_freq: θ of the trained model, (pairs,).
        trained_length: L₀, at least 2.
        target_length: L.
        scaled: θ' used at the target length; default the trained ones.

    Returns:
        The `AngleCoverage`.

    Raises:
        ValueError: If a length is below 2.
    """
    check_int("trained_length", trained_length, 2)
    check_int("target_length", target_length, 2)
    theta = inv_freq.to(torch.float64)
    target_theta = theta if scaled is None else scaled.to(torch.float64)
    seen, reached = (trained_length - 1) * theta, (target_length - 1) * target_theta
    circle = 2 * torch.pi
    return AngleCoverage(
        turns=trained_length * theta / circle,
        seen=seen,
        reached=reached,
        full_turn=seen >= circle,
        unseen=(reached.clamp(max=circle) - seen.clamp(max=circle)).clamp(min=0),
        excess=torch.where(seen > 0, reached / seen, 1.0),
    )
