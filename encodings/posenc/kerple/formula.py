"""Kerple: a bias that falls with the logarithm or a power of distance, learned per head."""

import math
from typing import Literal

import torch
from torch import Tensor, nn

from posenc.checks import (
    can_look,
    check_bool,
    check_choice,
    check_int,
    check_integers,
    check_tensors,
    shown,
)
from posenc.quantity.distance import DistanceBias, past_distance, per_head

KerpleVariant = Literal["log", "power"]
KERPLE_VARIANTS = ("log", "power")
SMALLEST = 0.01
LARGEST_POWER = 2.0
"""Bounds of the released code: the least r1 and r2, and the largest r2 of the power form."""


def kerple_bias(
    r1: Tensor,
    r2: Tensor,
    relative_position: Tensor,
    variant: KerpleVariant = "log",
    symmetric: bool = False,
) -> Tensor:
    """Log: -r1·ln(1 + r2·δ). Power: -r1·δ^r2. δ = i - j; 0 on future keys unless symmetric.

    The power form with r2 = 1 is ALiBi with slope r1.

    Args:
        r1: (heads,), above 0.
        r2: (heads,), above 0; at most 2 in the power form.
        relative_position: j - i, integers (distances,), (q_len, k_len) or
            (batch, 1, q_len, k_len); the past is negative.
        variant: "log" or "power".
        symmetric: Take δ = |i - j|, as the paper's kernels do; the released models are causal.

    Returns:
        (heads, distances), (heads, q_len, k_len) or (batch, heads, q_len, k_len), dtype of r1.

    Raises:
        ValueError: If the variant is unknown, r1 or r2 is out of range, or an argument is of
            another kind.

    Source: Chi et al. 2022, arXiv:2205.09921; chijames/KERPLE, megatron/mpu/layers.py,
        ParallelKerpleLog and ParallelKerplePower.
    """
    check_tensors(r1=r1, r2=r2)
    relative_position = check_integers("relative_position", relative_position)
    check_choice("variant", variant, KERPLE_VARIANTS)
    check_bool("symmetric", symmetric)
    if r1.dim() != 1 or r1.shape != r2.shape:
        raise ValueError(
            f"r1 and r2 must be (heads,) each, got {tuple(r1.shape)} and {tuple(r2.shape)}."
        )
    for name, r, most in (("r1", r1, math.inf), ("r2", r2, _largest(variant))):
        if can_look(r) and not bool(((r > 0) & (r <= most)).all()):
            limit = "" if most == math.inf else f" and at most {most:g}"
            raise ValueError(f"{name} must be above 0{limit}, got {shown(r.tolist())}.")
    return _bias(r1, r2, relative_position, variant, symmetric).to(r1.dtype)


def _largest(variant: KerpleVariant) -> float:
    return LARGEST_POWER if variant == "power" else math.inf


def _bias(
    r1: Tensor, r2: Tensor, relative_position: Tensor, variant: KerpleVariant, symmetric: bool
) -> Tensor:
    wide = torch.promote_types(r1.dtype, torch.float32)  # bfloat16 does not hold distances
    distance = past_distance(relative_position, symmetric).to(wide)  # (q_len, k_len)
    r1, r2 = per_head(r1.to(wide), distance), per_head(r2.to(wide), distance)  # (heads, 1, 1)
    return -r1 * torch.log1p(r2 * distance) if variant == "log" else -r1 * distance**r2


class Kerple(DistanceBias):
    """Bias -r1·ln(1 + r2·δ) or -r1·δ^r2 with r1 and r2 trained per head.

    They start where the released code starts them (the factor of δ uniform in (0, 1), the other
    one in (0, 2)) and act as if clamped to at least 0.01, and r2 of the power form to at most 2;
    the gradient passes the clamp.

    Args:
        num_heads: Number of heads.
        variant: "log" or "power".
        symmetric: Take δ = |i - j|; else future keys get 0, and the mask hides them.

    Source: Chi et al. 2022, arXiv:2205.09921.
    """

    def __init__(
        self, num_heads: int, variant: KerpleVariant = "log", *, symmetric: bool = False
    ) -> None:
        super().__init__()
        self.num_heads = check_int("num_heads", num_heads, 1)
        check_choice("variant", variant, KERPLE_VARIANTS)
        self.variant = variant
        self.symmetric = check_bool("symmetric", symmetric)
        starts = (2.0, 1.0) if variant == "log" else (1.0, 2.0)
        self.r1 = nn.Parameter(torch.empty(num_heads).uniform_(SMALLEST, starts[0]))
        self.r2 = nn.Parameter(torch.empty(num_heads).uniform_(SMALLEST, starts[1]))

    def curve(self, relative_position: Tensor, dtype: torch.dtype) -> Tensor:
        """-r1·ln(1 + r2·δ) or -r1·δ^r2, (heads, n)."""
        wide = torch.promote_types(dtype, torch.float32)
        r1 = _clamped(self.r1, math.inf).to(wide)
        r2 = _clamped(self.r2, _largest(self.variant)).to(wide)
        return _bias(r1, r2, relative_position, self.variant, self.symmetric).to(dtype)


def _clamped(parameter: Tensor, largest: float) -> Tensor:
    """The parameter between its limits, with the gradient of the parameter itself."""
    return parameter + (parameter.clamp(SMALLEST, largest) - parameter).detach()
