"""Which rotary angles training has shown, and which a longer text asks for."""

import math
from collections.abc import Callable
from dataclasses import dataclass

import torch
from torch import Tensor

from posenc.checks import check_int, check_tensors

LARGEST = 1e6
"""Where the search for a covering number ends."""


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
    is_new: Tensor
    """bool: the pair goes more than one position past what training has shown."""


def angle_coverage(
    inv_freq: Tensor, trained_length: int, target_length: int, scaled: Tensor | None = None
) -> AngleCoverage:
    """Angles reached at the target length against those seen in training.

    Args:
        inv_freq: θ of the trained model, (pairs,).
        trained_length: L₀, at least 2.
        target_length: L.
        scaled: θ' used at the target length; default the trained ones.

    Raises:
        ValueError: If a length is below 2.
    """
    check_tensors(inv_freq=inv_freq)
    if scaled is not None:
        check_tensors(scaled=scaled)
    check_int("trained_length", trained_length, 2)
    check_int("target_length", target_length, 2)
    theta = inv_freq.to(torch.float64)
    target_theta = theta if scaled is None else scaled.to(torch.float64)
    seen = (trained_length - 1) * theta
    reached = (target_length - 1) * target_theta
    circle = 2 * torch.pi
    unseen = (reached.clamp(max=circle) - seen.clamp(max=circle)).clamp(min=0)
    return AngleCoverage(
        turns=trained_length * theta / circle,
        seen=seen,
        reached=reached,
        full_turn=seen >= circle,
        unseen=unseen,
        excess=torch.where(seen > 0, reached / seen, 1.0),
        # Exactly one position past is no more than one, whatever the difference is rounded to.
        is_new=unseen > theta + 1e-12 * seen,
    )


def last_shown_angle(inv_freq: Tensor, trained_length: int) -> Tensor:
    """The widest angle between query and key that is not new to a pair, in the sense of `is_new`.

    Training showed (L₀ - 1)·θ; one position more is not counted as new, so this is L₀·θ. It is
    infinite for a pair that comes so far round its circle that no angle is new to it.

    Args:
        inv_freq: θ of the trained model, (pairs,).
        trained_length: L₀, at least 2.

    Returns:
        Radians, float64 (pairs,).

    Raises:
        ValueError: If the length is below 2.
    """
    check_int("trained_length", trained_length, 2)
    theta = inv_freq.to(torch.float64)
    seen = (trained_length - 1) * theta
    last = seen + theta + 1e-12 * seen
    return torch.where(last >= 2 * torch.pi, torch.inf, last)


def arc_is_new(
    distance: int, inv_freq: Tensor, trained_length: int, scaled: Tensor | None = None
) -> Tensor:
    """Whether one distance turns a pair to where training never was, round the circle.

    `angle_coverage` is of a whole text, whose distances pass every angle up to the widest; the arc
    of one distance may have gone past what is new and stand where training has been.

    Args:
        distance: Between query and key, at least 0.
        inv_freq: θ of the trained model, (pairs,).
        trained_length: L₀, at least 2.
        scaled: θ' that is turned by; default the trained ones.

    Returns:
        bool (pairs,).

    Raises:
        ValueError: If the distance is negative or the length below 2.
    """
    check_int("distance", distance, 0)
    check_tensors(inv_freq=inv_freq, scaled=inv_freq if scaled is None else scaled)
    theta = (inv_freq if scaled is None else scaled).to(torch.float64)
    return distance * theta % (2 * torch.pi) > last_shown_angle(inv_freq, trained_length)


def smallest_covering(
    scaled: Callable[[float], Tensor], inv_freq: Tensor, trained_length: int, target_length: int
) -> float | None:
    """The smallest number, such as a factor, with which no pair meets an unseen angle.

    Args:
        scaled: The number, at least 1, to θ', (pairs,); a larger one turns no pair faster.
        inv_freq: θ of the trained model, (pairs,).
        trained_length: L₀, at least 2.
        target_length: L, at least 2.

    Returns:
        The number within one part in a million, and it covers; None if a million does not.
    """
    before = angle_coverage(inv_freq, trained_length, target_length)
    circle = 2 * torch.pi
    theta = inv_freq.to(torch.float64)
    seen = before.seen.clamp(max=circle)
    allowed = theta + 1e-12 * before.seen

    def covers(number: float) -> bool:
        # `is_new` alone: asked some thirty times, it is most of what comparing methods takes.
        reached = (target_length - 1) * scaled(number).to(torch.float64)
        return not bool((reached.clamp(max=circle) - seen > allowed).any())

    if covers(1.0):
        return 1.0
    if not covers(LARGEST):
        return None
    low = 1.0
    high = LARGEST
    while high > low * (1 + 1e-6):
        middle = math.sqrt(low * high)
        low, high = (low, middle) if covers(middle) else (middle, high)
    plain = float(f"{high:.6g}")  # 16 where the search has come to 16.00001
    return plain if low < plain < high and covers(plain) else high
