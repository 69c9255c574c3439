"""How far a head of ALiBi sees where all scores are equal."""

import torch
from torch import Tensor

from posenc.checks import check_finite, check_int, check_number


def alibi_flat_weights(slopes: Tensor, distances: Tensor, length: int) -> Tensor:
    """Attention of the last of `length` tokens when all scores are equal: a geometric series.

    Softmax of -mδ over δ = 0 … length - 1: exp(-mδ)·(1 - exp(-m)) / (1 - exp(-m·length)).

    Args:
        slopes: m, (heads,), at least 0.
        distances: δ = i - j, integers (n,), at least 0.
        length: Tokens that the query sees, itself included.

    Returns:
        float64 (heads, n).

    Raises:
        ValueError: If a slope is negative or not finite, or length is below 1.
    """
    check_int("length", length, 1)
    slope = _check_slopes(slopes)[:, None]
    total = torch.where(slope == 0, length, torch.expm1(-slope * length) / torch.expm1(-slope))
    return torch.exp(-slope * distances) / total


def alibi_window(slopes: Tensor, length: int, mass: float = 0.9) -> Tensor:
    """How far a head sees: the nearest w tokens that hold a share of the flat-score attention.

    The smallest w with (1 - exp(-m·w)) / (1 - exp(-m·length)) >= mass.

    Args:
        slopes: m, (heads,), at least 0.
        length: Tokens that the query sees, itself included.
        mass: Share of the attention, above 0, at most 1.

    Returns:
        int64 (heads,), tokens, 1 … length: the query itself counts as one.

    Raises:
        ValueError: If an argument is out of range.
    """
    check_int("length", length, 1)
    check_number("mass", mass, above=0, maximum=1)
    slope = _check_slopes(slopes)
    closed = torch.log1p(mass * torch.expm1(-slope * length)) / -slope
    tokens = torch.where(slope == 0, mass * length, closed)
    return tokens.ceil().clamp(1, length).to(torch.int64)


def _check_slopes(slopes: Tensor) -> Tensor:
    slopes = check_finite("slopes", slopes).detach().to("cpu", torch.float64)
    if bool((slopes < 0).any()):
        raise ValueError(f"slopes must be at least 0, got {float(slopes.min()):g}.")
    return slopes
