"""Rotary position embedding: frequencies, angles, layouts, rotation, RoPE."""

import torch
from torch import Tensor

from posenc.checks import check_choice, check_int, check_number, check_positions
from posenc.places import PositionalEncoding
from posenc.rope.pairs import LAYOUTS, Layout, rotate_pairs
from posenc.scaling.frequencies import Scaling, geometric
from posenc.waves import rope_angles

BLOCK = 2**18
"""Angles that a CPU thread computes at a time in a long table: they stay in its cache."""


def rope_inv_freq(
    head_dim: int, base: float = 10000.0, scaling: Scaling | None = None, length: int | None = None
) -> tuple[Tensor, float]:
    """Rotary frequencies θ_i = base^(-2i/d), rescaled if asked.

    Args:
        head_dim: Rotated channels d, even (with partial rotary, the rotated part alone).
        base: Base of the geometric series, above 1 (rope_theta).
        scaling: How the frequencies are stretched beyond the trained length.
        length: Tokens in the text being read, for the scalings that depend on it.

    Returns:
        inv_freq, float64 (head_dim / 2,), radians per position, fastest first; and the
        attention factor on cos and sin, 1 without scaling.

    Raises:
        ValueError: If head_dim is odd or base is not above 1.

    Source: Su et al. 2021, section 3.2.2, arXiv:2104.09864.
    """
    check_int("head_dim", head_dim, 2, even=True)
    check_number("base", base, above=1)
    inv_freq = geometric(base, head_dim // 2)
    if scaling is None:
        return inv_freq, 1.0
    if length is not None:
        check_int("length", length, 1)
    return scaling.apply(inv_freq, base, length)


def rope_wavelengths(inv_freq: Tensor) -> Tensor:
    """Positions that each pair takes for a full turn, λ_i = 2π / θ_i (inf for a pair at rest)."""
    return 2 * torch.pi / inv_freq.to(torch.float64)


def rope_freqs_cis(positions: Tensor, inv_freq: Tensor) -> Tensor:
    """exp(i·p·θ) for every position and pair, complex128 (..., seq, pairs).

    Source: meta-llama/llama-models, models/llama3/model.py, precompute_freqs_cis.
    """
    angles = rope_angles(positions, inv_freq)
    return torch.polar(torch.ones_like(angles), angles)


def rope_cos_sin(
    positions: Tensor,
    inv_freq: Tensor,
    attention_factor: float = 1.0,
    dtype: torch.dtype = torch.float64,
) -> tuple[Tensor, Tensor]:
    """Cosine and sine of every angle, times the attention factor.

    Args:
        positions: Integers, (seq,) or (batch, seq).
        inv_freq: θ, (pairs,), radians per position.
        attention_factor: Factor on both.
        dtype: Of the result; the angles are float64 in any case.

    Returns:
        cos and sin, each (..., seq, pairs).
    """
    rows = max(1, BLOCK * torch.get_num_threads() // max(len(inv_freq), 1))
    on_cpu = positions.device.type == "cpu" and not inv_freq.requires_grad
    if not on_cpu or positions.dim() == 0 or positions.shape[-1] <= rows:
        return _cos_sin(positions, inv_freq, attention_factor, dtype)
    shape = *positions.shape, len(inv_freq)
    cos, sin = (torch.empty(shape, dtype=dtype, device="cpu") for _ in range(2))
    for start in range(0, positions.shape[-1], rows):
        block = (..., slice(start, start + rows))
        part = _cos_sin(positions[block], inv_freq, attention_factor, dtype)
        cos[*block, :], sin[*block, :] = part
    return cos, sin


def _cos_sin(
    positions: Tensor, inv_freq: Tensor, attention_factor: float, dtype: torch.dtype
) -> tuple[Tensor, Tensor]:
    angles = rope_angles(positions, inv_freq)
    cos, sin = angles.cos(), angles.sin()
    if attention_factor != 1:
        cos, sin = cos * attention_factor, sin * attention_factor
    return cos.to(dtype), sin.to(dtype)


class RopeCache:
    """Cosines and sines of positions 0 … length - 1, built once and looked up for any positions.

    Args:
        inv_freq: θ, (pairs,), radians per position.
        length: Positions in the table.
        attention_factor: Factor on cos and sin.
        dtype: Of the table.
    """

    def __init__(
        self,
        inv_freq: Tensor,
        length: int,
        attention_factor: float = 1.0,
        dtype: torch.dtype = torch.float32,
    ) -> None:
        self.length = check_int("length", length, 1)
        positions = torch.arange(length, device=inv_freq.device)
        self.cos, self.sin = rope_cos_sin(positions, inv_freq, attention_factor, dtype)

    def at(self, positions: Tensor) -> tuple[Tensor, Tensor]:
        """Return cos and sin (..., seq, pairs) of `positions` (seq,) or (batch, seq)."""
        check_positions("positions", positions)
        if (
            positions.numel()
            and not 0 <= int(positions.min()) <= int(positions.max()) < self.length
        ):
            low, high = int(positions.min()), int(positions.max())
            raise ValueError(
                f"positions must lie between 0 and {self.length - 1}, the end of the table, "
                f"got {low} to {high}."
            )
        index = positions.to(self.cos.device)
        return self.cos[index], self.sin[index]


def apply_rope(
    x: Tensor,
    positions: Tensor,
    inv_freq: Tensor,
    layout: Layout = "interleaved",
    attention_factor: float = 1.0,
) -> Tensor:
    """Turn queries or keys by their positions.

    Args:
        x: (..., seq, head_dim). If 2 · pairs < head_dim only the first channels are rotated.
        positions: Integers, (seq,) or (batch, seq).
        inv_freq: θ, (pairs,), radians per position.
        layout: "interleaved" pairs channels (2i, 2i+1); "half" pairs (i, i + d/2).
        attention_factor: Factor on what is rotated.

    Returns:
        The same shape and dtype as x.

    Raises:
        ValueError: If x is narrower than 2 · pairs, positions are not integers, or the layout is
            unknown.

    Source: Su et al. 2021, section 3.4.2, arXiv:2104.09864.
    """
    work = torch.promote_types(x.dtype, torch.float32)
    cos, sin = rope_cos_sin(positions, inv_freq, attention_factor, work)
    return rotate_pairs(x, cos, sin, layout)


class RoPE(PositionalEncoding):
    """Rotary position embedding: place 2, queries and keys are turned by their positions.

    Args:
        head_dim: Channels of a head.
        base: Base of the frequencies (rope_theta).
        layout: Which channels form a pair, "interleaved" or "half".
        scaling: How the frequencies are stretched beyond the trained length.
        rotary_dim: Channels that are rotated, from the first on; default all.
        length: For scalings that depend on the length of the text: that length. By default each
            call takes the largest position it is given, plus one.

    Raises:
        ValueError: If head_dim or rotary_dim is odd, or rotary_dim exceeds head_dim.

    Source: Su et al. 2021, arXiv:2104.09864.
    """

    def __init__(
        self,
        head_dim: int,
        base: float = 10000.0,
        *,
        layout: Layout = "interleaved",
        scaling: Scaling | None = None,
        rotary_dim: int | None = None,
        length: int | None = None,
    ) -> None:
        super().__init__()
        self.head_dim = check_int("head_dim", head_dim, 2, even=True)
        rotary_dim = head_dim if rotary_dim is None else rotary_dim
        self.rotary_dim = check_int("rotary_dim", rotary_dim, 2, maximum=head_dim, even=True)
        check_choice("layout", layout, LAYOUTS)
        self.base, self.layout, self.scaling, self.length = base, layout, scaling, length
        # Not a buffer: module.to(bfloat16) would round the frequencies and no later cast brings
        # them back.
        self.inv_freq, self.attention_factor = self.frequencies(length)

    def frequencies(self, length: int | None = None) -> tuple[Tensor, float]:
        """Frequencies, float64 (rotary_dim / 2,), and attention factor for a text of `length`."""
        return rope_inv_freq(self.rotary_dim, self.base, self.scaling, length)

    def rotate(
        self, q: Tensor, k: Tensor, q_positions: Tensor, k_positions: Tensor
    ) -> tuple[Tensor, Tensor]:
        """Return R_m q and R_n k; shapes (batch, heads, seq, head_dim)."""
        inv_freq, factor = self.inv_freq, self.attention_factor
        if self.scaling is not None and self.scaling.needs_length and self.length is None:
            length = 1 + max(int(q_positions.max()), int(k_positions.max()))
            inv_freq, factor = self.frequencies(max(length, 1))
        work = torch.promote_types(q.dtype, torch.float32)
        q_table = rope_cos_sin(q_positions, inv_freq, factor, work)
        k_table = q_table
        if k_positions is not q_positions:
            k_table = rope_cos_sin(k_positions, inv_freq, factor, work)
        return rotate_pairs(q, *q_table, self.layout), rotate_pairs(k, *k_table, self.layout)
