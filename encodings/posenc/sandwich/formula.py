"""Sandwich: the dot product of two sinusoidal encodings, used as a bias of distance."""

import torch
from torch import Tensor

from posenc.checks import check_int, check_number, check_tensors
from posenc.places import PositionalEncoding
from posenc.quantity.distance import bias_of_distance, per_head
from posenc.waves import wave_sum

COMPRESSION = 8.0
"""The 8 in the compression ratio 8h/H of head h of H."""


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

    Source: Chi et al. 2022, arXiv:2212.10356.
    """
    # (n, d_bar / 2) cosines -> (n,), some distances at a time: see posenc/waves.py
    return wave_sum(distances, sandwich_inv_freq(d_bar, base))


def sandwich_bias(kernel: Tensor, num_heads: int, d_bar: int = 128) -> Tensor:
    """The bias (p_i·p_j - d̄/2) / (8h/H) of head h = 1 … H: zero at distance 0, below elsewhere.

    Args:
        kernel: p_i·p_j, (distances,), (q_len, k_len) or (batch, 1, q_len, k_len).
        num_heads: H, at least 1.
        d_bar: d̄ of the kernel.

    Returns:
        (heads, distances), (heads, q_len, k_len) or (batch, heads, q_len, k_len).

    Raises:
        ValueError: If an argument is out of range.

    Source: Chi et al. 2022, arXiv:2212.10356, of which no repository was found; ratio and offset
        as in NVIDIA NeMo, `SandwichRelativePositionEmbedding` (the survey arXiv:2503.13299
        multiplies by 8h/H instead).
    """
    check_tensors(kernel=kernel)
    check_int("d_bar", d_bar, 2, even=True)
    ratios = compression_ratios(num_heads).to(kernel.device, kernel.dtype)
    # (q_len, k_len) / (heads, 1, 1) -> (heads, q_len, k_len)
    return (kernel - d_bar / 2) / per_head(ratios, kernel)


def compression_ratios(num_heads: int) -> Tensor:
    """8h/H for h = 1 … H, float64 (heads,); its heads see farther as h grows."""
    check_int("num_heads", num_heads, 1)
    return COMPRESSION * torch.arange(1, num_heads + 1, dtype=torch.float64) / num_heads


class Sandwich(PositionalEncoding):
    """The inner product of two sinusoidal encodings as a bias; nothing is trained.

    The kernel is even: future keys get the bias of the past at their distance.

    Args:
        num_heads: Number of heads.
        d_bar: d̄, even (the paper uses 128 whatever the width of a head).
        base: Base of the geometric series, above 1.

    Source: Chi et al. 2022, arXiv:2212.10356.
    """

    def __init__(self, num_heads: int, d_bar: int = 128, base: float = 10000.0) -> None:
        super().__init__()
        self.num_heads = check_int("num_heads", num_heads, 1)
        sandwich_inv_freq(d_bar, base)  # checks the arguments
        self.d_bar = d_bar
        self.base = base

    def bias(
        self, q: Tensor, scores: Tensor, q_positions: Tensor, k_positions: Tensor
    ) -> Tensor | None:
        """Return (heads, q_len, k_len), or (batch, heads, q_len, k_len) if positions have rows."""

        def curve(relative_position: Tensor) -> Tensor:
            # (distances,) -> (heads, distances)
            kernel = sandwich_kernel(relative_position, self.d_bar, self.base)
            return sandwich_bias(kernel, self.num_heads, self.d_bar).to(q.device, q.dtype)

        # Once for each distance, then spread over all pairs.
        return bias_of_distance(curve, q_positions, k_positions, q.device)
