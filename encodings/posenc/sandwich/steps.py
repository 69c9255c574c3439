"""Sandwich followed: the bias of one pair."""

import torch

from posenc.quantity.lines import distance_step
from posenc.quantity.step import SHOWN_TERMS, Step, number, total
from posenc.sandwich.formula import (
    compression_ratios,
    sandwich_bias,
    sandwich_inv_freq,
    sandwich_kernel,
)
from posenc.waves import rope_angles


def sandwich_bias_steps(
    head: int, num_heads: int, row: int, col: int, d_bar: int = 128, base: float = 10000.0
) -> tuple[Step, ...]:
    """Distance, the sum of cosines, and the ratio that divides it: see `sandwich_bias`."""
    delta = torch.tensor([row - col])
    angles = rope_angles(delta, sandwich_inv_freq(d_bar, base))[0].tolist()
    terms = [rf"\cos({number(angle)})" for angle in angles[:SHOWN_TERMS]]
    kernel = sandwich_kernel(delta, d_bar, base)
    half = d_bar // 2
    ratio = compression_ratios(num_heads)[head].item()
    return (
        distance_step(row, col),
        Step("p_i \\cdot p_j", r"\sum_t \cos \delta\theta_t", total(terms, half), kernel.item()),
        Step(r"r_h", "8h/H", rf"8 \cdot {head + 1}/{num_heads}", ratio),
        Step(
            f"b_{{{row},{col}}}",
            r"(p_i \cdot p_j - \bar d/2) / r_h",
            f"({number(kernel.item())} - {half}) / {number(ratio)}",
            sandwich_bias(kernel, num_heads, d_bar)[head].item(),
        ),
    )
