"""Rotary encodings whose positions have several axes: text with images in it, patches."""

from collections.abc import Sequence
from typing import Literal

import torch
from torch import Tensor

from posenc.checks import check_choice, check_int, check_places
from posenc.rope.axes import AXIS_ORDERS, axial_inv_freq, axis_angles, mrope_axis_of_pair
from posenc.rope.fast import rotate_pairs
from posenc.rope.formula import RoPE, Rotary
from posenc.rope.pairs import LAYOUTS, Layout
from posenc.rope.scaling import Scaling


class MRoPE(RoPE):
    """Place 2 for text with images and videos in it: each pair follows time, height or width.

    Positions are (3, batch, seq), as `mrope_positions` gives them for one row; (seq,) and
    (batch, seq) are text, whose three axes agree. A cache counts on from the largest.

    >>> rope = MRoPE(128, sections=(16, 24, 24), base=1_000_000.0)
    >>> at = mrope_positions([5, (1, 4, 6), 3])[:, None]  # text, an image, text: (3, 1, 32)
    >>> q, k, v = torch.randn(3, 1, 8, 32, 128)  # (batch, heads, tokens, head_dim)
    >>> out = attend(q, k, v, rope, mask="causal", q_positions=at, k_positions=at)
    >>> cache = KVCache(rope)
    >>> torch.testing.assert_close(cache.step(q, k, v, at), out)

    Args:
        head_dim: As for `RoPE`.
        sections: Pairs that follow time, height and width, rotary_dim / 2 in all.
        base: As for `RoPE`; 1,000,000 in Qwen2-VL, 5,000,000 in Qwen3-VL's released files.
        interleaved: As for `mrope_axis_of_pair`: False in Qwen2-VL and Qwen2.5-VL, True in
            Qwen3-VL.
        layout: As for `RoPE`, but "half" by default: all published weights have it.
        scaling: As for `RoPE`; one that depends on the length takes the largest of all axes.
        rotary_dim: As for `RoPE`.
        length: As for `RoPE`.

    Raises:
        ValueError: If an argument is out of range, or sections do not add up.

    Source: Wang et al. 2024, section 2.1, arXiv:2409.12191; transformers,
    models/qwen3_vl/modeling_qwen3_vl.py.
    """

    axes = 3

    def __init__(
        self,
        head_dim: int,
        sections: Sequence[int],
        base: float = 10000.0,
        *,
        interleaved: bool = False,
        layout: Layout = "half",
        scaling: Scaling | None = None,
        rotary_dim: int | None = None,
        length: int | None = None,
    ) -> None:
        super().__init__(
            head_dim, base, layout=layout, scaling=scaling, rotary_dim=rotary_dim, length=length
        )
        with torch.device("cpu"):
            self._axis_of_pair = mrope_axis_of_pair(sections, interleaved=interleaved)
        if len(self._axis_of_pair) != self.rotary_dim // 2:
            raise ValueError(
                f"sections must add up to {self.rotary_dim // 2}, the pairs of {self.rotary_dim} "
                f"channels, got {len(self._axis_of_pair)}."
            )
        self.sections = tuple(sections)
        self.interleaved = interleaved

    def _angles(self, positions: Tensor, inv_freq: Tensor) -> Tensor:
        if positions.dim() < 3:
            return super()._angles(positions, inv_freq)
        return axis_angles(positions, inv_freq, self._axis_of_pair)


class AxialRoPE(Rotary):
    """Place 2 for the patches of an image: half of the pairs follow rows, half columns.

    Positions are (2, batch, seq), rows and columns. With `width` they may be left out: the tokens
    are then the patches of an image, row after row, and (seq,) and (batch, seq) number them.

    >>> rope = AxialRoPE(64, width=14, class_tokens=1)
    >>> q, k, v = torch.randn(3, 2, 8, 1 + 14 * 14, 64)  # (batch, heads, patches, head_dim)
    >>> out = attend(q, k, v, rope)
    >>> at = torch.cartesian_prod(torch.arange(14), torch.arange(14)).mT[:, None]  # (2, 1, 196)
    >>> rotated = AxialRoPE(64)(q[:, :, 1:], at)
    >>> torch.testing.assert_close(rotated, rope(q)[:, :, 1:])

    Args:
        head_dim: Channels of a head, a multiple of 4.
        base: Base of the frequencies; 100 in rope-vit, 10000 in transformers' vision towers.
        width: Patches in a row, at least 1; default none: positions must then be given.
        class_tokens: Tokens in front of the patches that are not rotated, with `width` alone.
        order: As for `axial_angles`.
        layout: Which channels form a pair, "interleaved" or "half".

    Raises:
        ValueError: If an argument is out of range; in a call, if positions are needed.

    Source: Heo et al. 2024, section 3.2, arXiv:2403.13298; naver-ai/rope-vit,
    deit/models_v2_rope.py.
    """

    axes = 2

    def __init__(
        self,
        head_dim: int,
        base: float = 100.0,
        *,
        width: int | None = None,
        class_tokens: int = 0,
        order: Literal["xy", "hw"] = "xy",
        layout: Layout = "interleaved",
    ) -> None:
        super().__init__()
        with torch.device("cpu"):
            self.inv_freq = axial_inv_freq(head_dim, base)
            axis_of_pair = torch.arange(2).repeat_interleave(head_dim // 4)
        check_choice("order", order, AXIS_ORDERS)
        self._axis_of_pair = axis_of_pair if order == "hw" else 1 - axis_of_pair
        self.head_dim = head_dim
        self.base = base
        self.width = None if width is None else check_int("width", width, 1)
        self.class_tokens = check_int("class_tokens", class_tokens, 0)
        if class_tokens and width is None:
            raise ValueError(f"class_tokens must be 0 without width, got {class_tokens}.")
        self.order = order
        check_choice("layout", layout, LAYOUTS)
        self.layout = layout

    def rotate(
        self, q: Tensor, k: Tensor, q_positions: Tensor, k_positions: Tensor
    ) -> tuple[Tensor, Tensor]:
        """Return rotated queries and keys, the shapes of q and k; positions as for `table`."""
        work = torch.promote_types(q.dtype, k.dtype)
        table = self.table(q_positions, work)
        if k_positions is q_positions:
            return self.rotate_by(q, k, table)
        k_table = self.table(k_positions, work)
        return rotate_pairs(q, *table, self.layout), rotate_pairs(k, *k_table, self.layout)

    def table(self, positions: Tensor, dtype: torch.dtype = torch.float32) -> tuple[Tensor, Tensor]:
        """Cosines and sines of these positions.

        Args:
            positions: Rows and columns, integers or numbers in float32 or float64, (2, batch, seq);
                with `width` also numbers of tokens, integers (seq,) or (batch, seq).
            dtype: Of the queries; the tables are in float32 or better.

        Returns:
            Two tables, (seq, pairs) or (batch, seq, pairs).

        Raises:
            ValueError: If positions are not of such a shape.
        """
        positions = check_places("positions", positions, 2)
        wide = torch.promote_types(dtype, torch.float32)
        if positions.dim() == 3:
            angles = axis_angles(positions, self.inv_freq, self._axis_of_pair)
            return angles.cos().to(wide), angles.sin().to(wide)
        if self.width is None:
            raise ValueError(
                "positions must be given as rows and columns, (2, batch, seq), to an AxialRoPE "
                f"without width, got {tuple(positions.shape)}."
            )
        patch = (positions.long() - self.class_tokens).clamp(min=0)
        grid = torch.stack((patch // self.width, patch % self.width))
        angles = axis_angles(grid, self.inv_freq, self._axis_of_pair)
        angles = angles * (positions >= self.class_tokens)[..., None].to(angles.device)
        return angles.cos().to(wide), angles.sin().to(wide)
