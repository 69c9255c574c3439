"""Sandwich: the dot product of two sinusoidal encodings, used as a bias of distance."""

import torch
from torch import Tensor

from posenc.checks import check_int, check_number, check_tensors
from posenc.quantity.distance import DistanceBias, per_head
from posenc.waves import rope_angles, wave_sum

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
    return _compressed(kernel, compression_ratios(num_heads), d_bar)


def _compressed(kernel: Tensor, ratios: Tensor, d_bar: int) -> Tensor:
    # (q_len, k_len) / (heads, 1, 1) -> (heads, q_len, k_len)
    return (kernel - d_bar / 2) / per_head(ratios.to(kernel.device, kernel.dtype), kernel)


def compression_ratios(num_heads: int) -> Tensor:
    """8h/H for h = 1 … H, float64 (heads,); its heads see farther as h grows."""
    check_int("num_heads", num_heads, 1)
    return COMPRESSION * torch.arange(1, num_heads + 1, dtype=torch.float64) / num_heads


class Sandwich(DistanceBias):
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
        with torch.device("cpu"):
            self.inv_freq = sandwich_inv_freq(d_bar, base)
            self.ratios = compression_ratios(num_heads)
        self.d_bar = d_bar
        self.base = base

    def curve(self, relative_position: Tensor, dtype: torch.dtype) -> Tensor:
        """The compressed kernel, (heads, n)."""
        kernel = wave_sum(relative_position, self.inv_freq)
        curve = _compressed(kernel, self.ratios, self.d_bar)
        return curve.to(relative_position.device, dtype)

    # Its bias is that of its curve.
    _bias_of_last = DistanceBias._bias_of_last
    _view_of_last = DistanceBias._view_of_last
    score_mod = DistanceBias.score_mod

    def bias(self, q: Tensor, scores: Tensor, q_positions: Tensor, k_positions: Tensor) -> Tensor:
        """Return (heads, q_len, k_len), or (batch, heads, q_len, k_len) if positions have rows.

        The inner products themselves: a cosine for each position, not for each pair.
        """
        queries, keys = (
            self._encoded(q_positions.to(q.device)),
            self._encoded(k_positions.to(q.device)),
        )
        kernel = queries @ keys.mT  # (q_len, k_len), or (batch, q_len, k_len)
        kernel = kernel if kernel.dim() == 2 else kernel[:, None]
        return _compressed(kernel, self.ratios, self.d_bar).to(q.device, q.dtype)

    def _encoded(self, positions: Tensor) -> Tensor:
        """p of positions, float64 (..., seq, d_bar)."""
        angles = rope_angles(positions, self.inv_freq)
        return torch.cat((angles.cos(), angles.sin()), dim=-1)
