"""Rotary position embedding: each pair of channels is rotated by an angle that grows with position.

Source: Su et al. 2021, sections 3.2.2 and 3.4.2, arXiv:2104.09864. Shapes in comments: b batch,
h heads, s sequence, d channels of a head, p pairs of them that are rotated (d / 2, or fewer).
"""

from collections.abc import Callable

import torch
from torch import Tensor, nn
from torch.nn.functional import pad

from posenc.checks import (
    check_bool,
    check_choice,
    check_int,
    check_number,
    check_places,
    check_tensors,
    shown,
)
from posenc.places import PositionalEncoding
from posenc.rope.fast import cos_sin_once, in_blocks, is_kept, rotate_both, rotate_pairs
from posenc.rope.pairs import LAYOUTS, Layout
from posenc.rope.scaling import Scaling, ScalingByLength
from posenc.waves import float64_device, geometric, rope_angles


def rope_inv_freq(
    head_dim: int, base: float = 10000.0, scaling: Scaling | None = None, length: int | None = None
) -> tuple[Tensor, float]:
    """Frequencies θ_i, float64 (d/2,), fastest first; and the attention factor on cos and sin.

    Args:
        head_dim: Rotated channels d, even (with partial rotary, the rotated part alone).
        base: Base of the geometric series, above 1 (rope_theta).
        scaling: How the frequencies are stretched beyond the trained length.
        length: Tokens in the text being read, at least 1, for the scalings that depend on it;
            None is "not longer than in training".

    Returns:
        θ in radians per position, float64 (head_dim / 2,), and the factor, 1.0 without a scaling.

    Raises:
        ValueError: If an argument is out of range or does not fit the scaling.

    Source: Su et al. 2021, section 3.2.2, arXiv:2104.09864.
    """
    head_dim = check_int("head_dim", head_dim, 2, even=True)
    base = check_number("base", base, above=1)
    if length is not None:
        length = check_int("length", length, 1)
    inv_freq = geometric(base, head_dim // 2)  # base ** (-2i / d)
    if scaling is None:
        return inv_freq, 1.0
    if isinstance(scaling, type) or not hasattr(scaling, "apply"):
        raise ValueError(
            "scaling must be one such as posenc.scaling.Linear(4.0) or None, got "
            f"{shown(scaling)}. What a config.json says, posenc.scaling.from_rope_parameters reads."
        )
    return scaling.apply(inv_freq, base, length)


def rope_wavelengths(inv_freq: Tensor) -> Tensor:
    """Positions in which each pair rotates once, λ_i = 2π / θ_i (inf for a pair at rest).

    Args:
        inv_freq: θ, (pairs,), radians per position.

    Returns:
        λ in positions, float64 (pairs,).

    Raises:
        ValueError: If inv_freq is no tensor.

    Source: Peng et al. 2023, arXiv:2309.00071.
    """
    check_tensors(inv_freq=inv_freq)
    return 2 * torch.pi / inv_freq.to(torch.float64)


def rope_cos_sin(
    positions: Tensor,
    inv_freq: Tensor,
    attention_factor: float = 1.0,
    dtype: torch.dtype = torch.float64,
) -> tuple[Tensor, Tensor]:
    """Cosine and sine of every angle p·θ_i times the attention factor.

    Args:
        positions: p, integers, or numbers in float32 or float64 (pixels), (seq,) or (batch, seq),
            or a single position, ().
        inv_freq: θ, (pairs,), radians per position.
        attention_factor: Factor on both.
        dtype: Of the tables; angles are computed in float64 and rounded at the end.

    Returns:
        Two tables, (..., seq, pairs) in `dtype`, on the device of the positions (on the CPU for
        MPS). Libraries that compute the angle in float32 (transformers, torchtune) have other last
        digits, the more of them the later the position; sums in their tests have them too.

    Raises:
        ValueError: If positions are no such numbers or the factor is no number.

    Source: Su et al. 2021, section 3.4.2, arXiv:2104.09864.
    """
    check_tensors(positions=positions, inv_freq=inv_freq)
    return _cos_sin(positions, inv_freq, check_number("attention_factor", attention_factor), dtype)


def _cos_sin(
    positions: Tensor,
    inv_freq: Tensor,
    factor: Tensor | float,
    dtype: torch.dtype,
    angles_of: Callable[[Tensor, Tensor], Tensor] = rope_angles,
) -> tuple[Tensor, Tensor]:
    """`rope_cos_sin` where frequencies may also be of each row, [b, 1, p], the factor [b, 1, 1]."""
    if inv_freq.dim() == 3:
        positions = positions.expand(*positions.shape[:-2], inv_freq.shape[0], -1)

    def cos_sin(some: Tensor) -> tuple[Tensor, Tensor]:
        angles = angles_of(some, inv_freq)  # p·θ_i in float64: [b, s, 1] * [p] -> [b, s, p]
        if isinstance(factor, float) and is_kept(angles):
            return cos_sin_once(angles, factor, dtype)
        cos = angles.cos()
        sin = angles.sin()
        if not isinstance(factor, float) or factor != 1:
            cos, sin = cos * factor, sin * factor
        return cos.to(dtype), sin.to(dtype)

    # fast.py: a long table is computed block by block.
    return in_blocks(cos_sin, positions, inv_freq, dtype)


def apply_rope(
    x: Tensor,
    positions: Tensor,
    inv_freq: Tensor,
    layout: Layout = "interleaved",
    attention_factor: float = 1.0,
) -> Tensor:
    """Queries or keys rotated by their positions; the same shape and dtype as x.

    Args:
        x: Floating point, (..., seq, head_dim), with the batch first if positions have one. If
            2 · pairs < head_dim only the first channels are rotated.
        positions: Integers, or numbers in float32 or float64 (pixels), (seq,) or (batch, seq).
        inv_freq: θ, (pairs,), radians per position.
        layout: "interleaved" pairs channels (2i, 2i+1); "half" pairs (i, i + d/2).
        attention_factor: Factor on what is rotated.

    Returns:
        R_p x, the shape, dtype and device of x. Products are taken in float32 or better.

    Raises:
        ValueError: If x holds no floating-point numbers, positions are no such numbers, or shapes
            do not fit together.

    Source: Su et al. 2021, section 3.4.2, equation 34, arXiv:2104.09864; "half": transformers,
    models/llama/modeling_llama.py, apply_rotary_pos_emb.
    """
    check_tensors(x=x)
    work = torch.promote_types(x.dtype, torch.float32)
    cos, sin = rope_cos_sin(positions, inv_freq, attention_factor, work)  # [b, s, p] each
    # (a, b) -> (a cos - b sin, b cos + a sin), equation 34: in three plain ways in matrix.py,
    # where it must be quick in fast.py.
    return rotate_pairs(x, cos, sin, layout)


class Rotary(PositionalEncoding):
    """Place 2 by a table of cosines and sines, which `table` makes of positions."""

    layout: Layout

    def forward(self, x: Tensor, positions: Tensor | None = None) -> Tensor:
        """Return queries or keys rotated by their positions.

        Args:
            x: Floating point, (..., seq, head_dim), with the batch first if positions have one.
            positions: As for `table`; default 0 … seq - 1.

        Returns:
            R_p x, the shape, dtype and device of x.

        Raises:
            ValueError: As `apply_rope`.
        """
        check_tensors(x=x)
        if positions is None:
            positions = torch.arange(x.shape[-2], device=x.device)
        return rotate_pairs(x, *self.table(positions, x.dtype), self.layout)

    def rotate_by(
        self, q: Tensor, k: Tensor, table: tuple[Tensor, Tensor]
    ) -> tuple[Tensor, Tensor]:
        """Return queries and keys rotated by a `table` of their positions, same shapes."""
        return rotate_both(q, k, *table, self.layout)

    def table(self, positions: Tensor, dtype: torch.dtype = torch.float32) -> tuple[Tensor, Tensor]:
        """Cosines and sines of these positions, (seq, pairs) or (batch, seq, pairs)."""
        raise NotImplementedError


class RoPE(Rotary):
    """Place 2: queries and keys are rotated, so that their product depends on n - m alone.

    Angles are computed in float64 from positions, not read from a table: they are right to the
    last digit of float32 at position 10 and at 10,000,000, and casting the model does not touch
    them.

    >>> rope = RoPE(64, base=500_000.0, layout="half", scaling=Llama3())  # Llama 3.1's
    >>> q, k, v = torch.randn(3, 1, 8, 10, 64)  # (batch, heads, tokens, head_dim)
    >>> out = attend(q, k, v, rope, mask="causal")
    >>> rotated_q, rotated_k = rope(q), rope(k)  # at 0, 1, …; rope(q, positions) for others
    >>> sdpa = torch.nn.functional.scaled_dot_product_attention
    >>> torch.testing.assert_close(sdpa(rotated_q, rotated_k, v, is_causal=True), out)

    Args:
        head_dim: Channels of a head, even.
        base: Base of the frequencies, above 1 (rope_theta).
        layout: Which channels form a pair, "interleaved" (2i, 2i+1: Meta's Llama, GPT-J,
            torchtune) or "half" (i, i + d/2: weights in transformers' form, which give wrong
            answers without an error in the other).
        scaling: How the frequencies are stretched beyond the trained length.
        rotary_dim: Channels that are rotated, from the first on; default all.
        length: For scalings that depend on the length of the text: that length. By default it is
            each row's own, one more than the largest position that the call is given for the row,
            whatever its neighbours in the batch. In a row of packed documents that is the longest
            one's, for all of them.
        learned: Train the frequencies, from the published ones. They are then a parameter, and
            `module.to(bfloat16)` rounds them: keep it in float32.

    Raises:
        ValueError: If an argument is out of range or does not fit the scaling; in `rotate` as
            `apply_rope`.

    Source: Su et al. 2021, sections 3.2.2 and 3.4.2, arXiv:2104.09864.
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
        learned: bool = False,
    ) -> None:
        super().__init__()
        self.head_dim = check_int("head_dim", head_dim, 2, even=True)
        rotary_dim = head_dim if rotary_dim is None else rotary_dim
        self.rotary_dim = check_int("rotary_dim", rotary_dim, 2, maximum=head_dim, even=True)
        check_choice("layout", layout, LAYOUTS)
        self.base = check_number("base", base, above=1)
        self.layout = layout
        self.scaling = scaling
        self.length = length
        with torch.device("cpu"):
            self.inv_freq, self.attention_factor = self.frequencies(length)
            self._by_length: ScalingByLength | None = None
            if self.rotates_by_length:
                if not isinstance(scaling, ScalingByLength):
                    raise ValueError(
                        f"length must be given for {shown(scaling)}, which has no at_lengths."
                    )
                self._by_length = scaling
                self._long, factor = self.frequencies(scaling.original_length + 1)
                self._factors = torch.tensor((self.attention_factor, factor), dtype=torch.float64)

        if check_bool("learned", learned):
            if self.rotates_by_length:
                raise ValueError(
                    f"learned must be False for {shown(scaling)} without length=, got True: its "
                    "frequencies change with the length of the text."
                )
            published = self.inv_freq
            self.inv_freq = nn.Parameter(torch.empty(len(published)).copy_(published))

    def frequencies(self, length: int | None = None) -> tuple[Tensor, float]:
        """Frequencies, float64 (rotary_dim / 2,), and attention factor for a text of `length`."""
        return rope_inv_freq(self.rotary_dim, self.base, self.scaling, length)

    @property
    def rotates_by_length(self) -> bool:
        """Whether the frequencies change with the length of the text that is read."""
        return self.scaling is not None and self.scaling.needs_length and self.length is None

    def rotate(
        self, q: Tensor, k: Tensor, q_positions: Tensor, k_positions: Tensor
    ) -> tuple[Tensor, Tensor]:
        """Return queries and keys rotated by their positions, R_m q and R_n k.

        Args:
            q: (batch, heads, q_len, head_dim).
            k: (batch, kv_heads, k_len, head_dim).
            q_positions: As for `table`. The very same tensor as `k_positions` where they agree
                spares a second table.
            k_positions: As for `table`.

        Returns:
            The shapes and dtypes of q and k.

        Raises:
            ValueError: As `apply_rope`.
        """
        check_tensors(q_positions=q_positions, k_positions=k_positions)
        inv_freq, factor = self._of_rows(q_positions, k_positions)
        work = torch.promote_types(torch.promote_types(q.dtype, k.dtype), torch.float32)
        table = _cos_sin(q_positions, inv_freq, factor, work, self._angles)
        if k_positions is q_positions:
            return self.rotate_by(q, k, table)
        k_table = _cos_sin(k_positions, inv_freq, factor, work, self._angles)
        return rotate_pairs(q, *table, self.layout), rotate_pairs(k, *k_table, self.layout)

    def table(self, positions: Tensor, dtype: torch.dtype = torch.float32) -> tuple[Tensor, Tensor]:
        """Cosines and sines of these positions, made once for all layers that rotate alike.

        A layer then turns its queries and keys by `rope.rotate_by(q, k, table)`, and attends with
        `attend(…, rotated=True)` or `KVCache.step(…, rotated=True)`.

        Args:
            positions: Integers, or numbers in float32 or float64 (pixels), (seq,) or (batch, seq).
            dtype: Of the queries; the tables are in float32 or better.

        Returns:
            Two tables, (seq, pairs) or (batch, seq, pairs).

        Raises:
            ValueError: If positions are no such numbers.
        """
        positions = check_places("positions", positions, self.axes)
        inv_freq, factor = self._of_rows(positions, positions)
        wide = torch.promote_types(dtype, torch.float32)
        return _cos_sin(positions, inv_freq, factor, wide, self._angles)

    def _angles(self, positions: Tensor, inv_freq: Tensor) -> Tensor:
        return rope_angles(positions, inv_freq)

    def _of_rows(self, q_positions: Tensor, k_positions: Tensor) -> tuple[Tensor, Tensor | float]:
        """Frequencies [p] and a factor; of each row, [b, 1, p] and [b, 1, 1], if lengths say."""
        scaling = self._by_length
        if scaling is None:
            return self.inv_freq, self.attention_factor
        device = float64_device(q_positions)
        both = (at.to(device, torch.int64) for at in (q_positions, k_positions))
        rows = (torch.atleast_2d(at if at.dim() < 3 else at.amax(dim=0)) for at in both)
        # One column more, so that no text is empty.
        lengths = torch.maximum(*(pad(at, (0, 1)).amax(dim=-1) for at in rows)) + 1  # [b]
        short, long = self.inv_freq.to(device), self._long.to(device)
        inv_freq = scaling.at_lengths(lengths, self.base, short, long)
        factor = self._factors.to(device)[(lengths > scaling.original_length).long()]
        if len(lengths) == 1:
            return inv_freq[0], factor[0]
        return inv_freq[:, None], factor[:, None, None]
