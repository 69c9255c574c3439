"""Sandwich: the dot product of two sinusoidal encodings, used as a bias of distance."""

from dataclasses import dataclass

import torch
from torch import Tensor

from posenc.checks import check_int, check_number
from posenc.places import PositionalEncoding
from posenc.quantity.distance import bias_of_distance, per_head
from posenc.quantity.matrix import QueryByKey, mean_cis, value_at
from posenc.quantity.step import SHOWN_TERMS, Step, distance_step, number, total
from posenc.waves import over_pairs, rope_angles, wave_sum

COMPRESSION = 8.0
"""The 8 in the factor 8h/H of head h of H."""


def sandwich_inv_freq(d_bar: int = 128, base: float = 10000.0) -> Tensor:
    """θ_i = base^(-2i/d̄), i = 1 … d̄/2: the paper counts from 1, the usual sinusoid from 0.

    Args:
        d_bar: d̄, even, at least 2; need not be the width of a head.
        base: Base of the geometric series, above 1.

    Returns:
        float64 (d_bar / 2,), radians per position.

    Raises:
        ValueError: If an argument is out of range.
    """
    check_int("d_bar", d_bar, 2, even=True)
    check_number("base", base, above=1)
    return base ** (-2 * torch.arange(1, d_bar // 2 + 1, dtype=torch.float64) / d_bar)


def sandwich_kernel(distances: Tensor, d_bar: int = 128, base: float = 10000.0) -> Tensor:
    """p_i·p_j = Σ_{i=1}^{d̄/2} cos(δθ_i), the inner product of two positions at distance δ.

    Args:
        distances: δ, integers (n,), of either sign.
        d_bar: d̄, even.
        base: Base of the geometric series.

    Returns:
        float64 (n,), d̄/2 at δ = 0.

    Raises:
        ValueError: If an argument is out of range.

    Source: Chi et al. 2022, section 4, arXiv:2212.10356.
    """
    return wave_sum(distances, sandwich_inv_freq(d_bar, base))


def sandwich_bias(kernel: Tensor, num_heads: int, d_bar: int = 128) -> Tensor:
    """The bias (8h/H)·(p_i·p_j - d̄/2) of every head h = 1 … H: zero at distance 0, below elsewhere.

    Args:
        kernel: p_i·p_j, (distances,), (q_len, k_len) or (batch, 1, q_len, k_len).
        num_heads: H, at least 1.
        d_bar: d̄ of the kernel.

    Returns:
        (heads, distances), (heads, q_len, k_len) or (batch, heads, q_len, k_len).

    Raises:
        ValueError: If num_heads is below 1.

    Source: Chi et al. 2022, section 4, arXiv:2212.10356; factor and offset as given by
        arXiv:2503.13299, appendix A.1 (the paper's own code was not released).
    """
    return per_head(sandwich_factors(num_heads).to(kernel.device, kernel.dtype), kernel) * (
        kernel - d_bar / 2
    )


def sandwich_factors(num_heads: int) -> Tensor:
    """8h/H for h = 1 … H, float64 (heads,)."""
    check_int("num_heads", num_heads, 1)
    return COMPRESSION * torch.arange(1, num_heads + 1, dtype=torch.float64) / num_heads


class Sandwich(PositionalEncoding):
    """The inner product of two sinusoidal encodings as a bias; nothing is trained.

    The kernel is even: future keys get the bias of the past at their distance.

    Args:
        num_heads: Number of heads.
        d_bar: d̄, even (the paper uses 128 whatever the width of a head).
        base: Base of the geometric series, above 1.

    Source: Chi et al. 2022, section 4, arXiv:2212.10356.
    """

    def __init__(self, num_heads: int, d_bar: int = 128, base: float = 10000.0) -> None:
        super().__init__()
        self.num_heads = check_int("num_heads", num_heads, 1)
        sandwich_inv_freq(d_bar, base)  # checks the arguments
        self.d_bar, self.base = d_bar, base

    def bias(
        self, q: Tensor, scores: Tensor, q_positions: Tensor, k_positions: Tensor
    ) -> Tensor | None:
        """Return (heads, q_len, k_len), or (batch, heads, q_len, k_len) if positions have rows."""

        def curve(relative_position: Tensor) -> Tensor:
            kernel = sandwich_kernel(relative_position, self.d_bar, self.base)
            return sandwich_bias(kernel, self.num_heads, self.d_bar).to(q.device, q.dtype)

        return bias_of_distance(curve, q_positions, k_positions, q.device)


@dataclass(frozen=True)
class SandwichBias(QueryByKey):
    """Query × key: Sandwich's bias of one head, both sides of the diagonal.

    Args:
        head: h, 0 … num_heads - 1 (the paper's h is one more).
        num_heads: H.
        length: Positions 0 … length - 1 on both axes.
        d_bar: d̄, even.
        base: Base of the geometric series, above 1.
    """

    head: int
    num_heads: int
    length: int
    d_bar: int = 128
    base: float = 10000.0
    name = "Sandwich bias"
    unit = ""
    signed = False

    def __post_init__(self) -> None:
        check_int("num_heads", self.num_heads, 1)
        check_int("head", self.head, 0, maximum=self.num_heads - 1)
        check_int("length", self.length, 1)
        sandwich_inv_freq(self.d_bar, self.base)  # checks the others

    def at(self, rows: Tensor, cols: Tensor) -> Tensor:
        """Exact values, float64 (len(rows), len(cols))."""

        def kernel(distances: Tensor) -> Tensor:
            return sandwich_kernel(distances, self.d_bar, self.base)

        return self._bias(over_pairs(kernel, rows, cols))

    def steps(self, row: int, col: int) -> tuple[Step, ...]:
        """Distance, the sum of cosines, and the factor of the head on it."""
        delta = torch.tensor([row - col])
        angles = rope_angles(delta, sandwich_inv_freq(self.d_bar, self.base))[0].tolist()
        terms = [rf"\cos({number(angle)})" for angle in angles[:SHOWN_TERMS]]
        kernel = sandwich_kernel(delta, self.d_bar, self.base).item()
        scale, half = sandwich_factors(self.num_heads)[self.head].item(), self.d_bar // 2
        return (
            distance_step(row, col),
            Step("p_i \\cdot p_j", r"\sum_t \cos \delta\theta_t", total(terms, half), kernel),
            Step(r"f_h", "8h/H", rf"8 \cdot {self.head + 1}/{self.num_heads}", scale),
            Step(
                f"b_{{{row},{col}}}",
                r"f_h\,(p_i \cdot p_j - \bar d/2)",
                f"{number(scale)}\\,({number(kernel)} - {half})",
                value_at(self, row, col),
            ),
        )

    def mean(self, row_edges: Tensor, col_edges: Tensor) -> Tensor:
        """Exact mean over blocks: the product of mean encodings, because i and j are free."""
        theta = sandwich_inv_freq(self.d_bar, self.base)
        return self._bias((mean_cis(theta, row_edges) @ mean_cis(theta, col_edges).conj().mT).real)

    def _bias(self, kernel: Tensor) -> Tensor:
        return sandwich_bias(kernel, self.num_heads, self.d_bar)[self.head]
