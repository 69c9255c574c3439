"""The rotation of RoPE as a matrix, and the three plain forms of it that give equal numbers."""

import torch
from torch import Tensor

from posenc.checks import check_int
from posenc.rope.formula import rope_cos_sin
from posenc.rope.pairs import Layout, beside_heads, join_pairs, rotated_channels, split_pairs
from posenc.waves import rope_angles


def rotation_matrix(angles: Tensor, layout: Layout = "interleaved") -> Tensor:
    """The matrix that rotates each pair of channels by its angle.

    Args:
        angles: Radians, (..., pairs).
        layout: "interleaved" pairs channels (2i, 2i+1); "half" pairs (i, i + d/2).

    Returns:
        float64 (..., d, d) with d = 2 · pairs, to be multiplied from the left: R @ x.

    Raises:
        ValueError: If the layout is neither of the two.

    Source: Su et al. 2021, equation 15, arXiv:2104.09864.
    """
    pairs = angles.shape[-1]
    first, second = split_pairs(torch.arange(2 * pairs, device=angles.device), layout)
    cos = angles.to(torch.float64).cos()
    sin = angles.to(torch.float64).sin()
    matrix = cos.new_zeros(*angles.shape[:-1], 2 * pairs, 2 * pairs)
    matrix[..., first, first] = cos
    matrix[..., first, second] = -sin
    matrix[..., second, first] = sin
    matrix[..., second, second] = cos
    return matrix


def rope_rotation_matrix(
    positions: int | Tensor, inv_freq: Tensor, layout: Layout = "interleaved"
) -> Tensor:
    """The rotation R_p of one position, or the stack of many.

    Args:
        positions: One integer, or integers (seq,) or (batch, seq).
        inv_freq: θ, (pairs,), radians per position.
        layout: Which channels form a pair, "interleaved" or "half".

    Returns:
        float64 (d, d) for one position, (..., seq, d, d) for many; d = 2 · pairs.

    Raises:
        ValueError: If positions are not integers or the layout is unknown.

    Source: Su et al. 2021, equation 15, arXiv:2104.09864.
    """
    if not isinstance(positions, Tensor):
        positions = torch.tensor(check_int("positions", positions))
    return rotation_matrix(rope_angles(positions, inv_freq), layout)


def rope_freqs_cis(positions: Tensor, inv_freq: Tensor) -> Tensor:
    """exp(i·p·θ) for every position and pair.

    Args:
        positions: p, integers (seq,) or (batch, seq).
        inv_freq: θ, (pairs,), radians per position.

    Returns:
        complex128 (..., seq, pairs).

    Raises:
        ValueError: If positions are not integers.

    Source: meta-llama/llama-models, models/llama3/model.py, precompute_freqs_cis.
    """
    angles = rope_angles(positions, inv_freq)
    return torch.polar(torch.ones_like(angles), angles)


def apply_rope_elementwise(
    x: Tensor,
    positions: Tensor,
    inv_freq: Tensor,
    layout: Layout = "interleaved",
    attention_factor: float = 1.0,
) -> Tensor:
    """`apply_rope` as x·cos + rotate(x)·sin, where rotate takes (a, b) to (-b, a).

    Same arguments, same result.

    Source: Su et al. 2021, equation 34, arXiv:2104.09864.
    """
    rotary_dim = rotated_channels(x, inv_freq.shape[0])
    cos, sin = rope_cos_sin(positions, inv_freq, attention_factor)
    cos = beside_heads(join_pairs(cos, cos, layout), x, 2).to(x.device)
    sin = beside_heads(join_pairs(sin, sin, layout), x, 2).to(x.device)
    part = x[..., :rotary_dim].to(torch.float64)
    a, b = split_pairs(part, layout)
    rotated = part * cos + join_pairs(-b, a, layout) * sin
    return torch.cat((rotated.to(x.dtype), x[..., rotary_dim:]), dim=-1)


def apply_rope_complex(
    x: Tensor,
    positions: Tensor,
    inv_freq: Tensor,
    layout: Layout = "interleaved",
    attention_factor: float = 1.0,
) -> Tensor:
    """`apply_rope` as a complex product: (a + ib) · exp(i·p·θ). Same arguments, same result."""
    rotary_dim = rotated_channels(x, inv_freq.shape[0])
    cis = beside_heads(rope_freqs_cis(positions, inv_freq) * attention_factor, x, 2)
    a, b = split_pairs(x[..., :rotary_dim].to(torch.float64), layout)
    rotated = torch.complex(a, b) * cis.to(x.device)
    joined = join_pairs(rotated.real, rotated.imag, layout).to(x.dtype)
    return torch.cat((joined, x[..., rotary_dim:]), dim=-1)


def apply_rope_matrix(
    x: Tensor,
    positions: Tensor,
    inv_freq: Tensor,
    layout: Layout = "interleaved",
    attention_factor: float = 1.0,
) -> Tensor:
    """`apply_rope` as the dense matrix R_p @ x. Same arguments, same result, d times the work."""
    rotary_dim = rotated_channels(x, inv_freq.shape[0])
    matrix = rope_rotation_matrix(positions, inv_freq, layout) * attention_factor
    matrix = beside_heads(matrix, x, 3).to(x.device)
    rotated = (matrix @ x[..., :rotary_dim, None].to(torch.float64))[..., 0].to(x.dtype)
    return torch.cat((rotated, x[..., rotary_dim:]), dim=-1)
