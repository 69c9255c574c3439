"""Rotary positions of several axes: text and image (M-RoPE), rows and columns (axial)."""

from collections.abc import Sequence
from typing import Literal

import torch
from torch import Tensor

from posenc.checks import INTEGER_DTYPES, check_choice, check_int, check_number
from posenc.rope.fast import rotate_pairs
from posenc.rope.pairs import Layout
from posenc.waves import float64_device, geometric

AXIS_ORDERS = ("xy", "hw")


def axis_angles(positions: Tensor, inv_freq: Tensor, axis_of_pair: Tensor) -> Tensor:
    """Angles where every pair follows one axis: positions[axis_of_pair[i]] · θ_i.

    Args:
        positions: Integers (axes, seq) or (axes, batch, seq).
        inv_freq: θ, (pairs,), radians per position.
        axis_of_pair: Integers (pairs,), which axis each pair follows.

    Returns:
        Radians, float64 (seq, pairs) or (batch, seq, pairs).

    Raises:
        ValueError: If positions are not integers or the pairs are not as many as frequencies.
    """
    if positions.dtype not in INTEGER_DTYPES or positions.dim() not in (2, 3):
        raise ValueError(
            "positions must be integers of shape (axes, seq) or (axes, batch, seq), got "
            f"{positions.dtype} of shape {tuple(positions.shape)}."
        )
    if axis_of_pair.shape != inv_freq.shape:
        raise ValueError(
            f"axis_of_pair must hold one axis for each of the {len(inv_freq)} frequencies, got "
            f"{len(axis_of_pair)}."
        )
    device = float64_device(positions)
    by_pair = positions.to(device)[axis_of_pair.to(device)].movedim(0, -1)
    return by_pair.to(torch.float64) * inv_freq.to(device, torch.float64)


def apply_angles(x: Tensor, angles: Tensor, layout: Layout = "interleaved") -> Tensor:
    """Rotate queries or keys by given angles.

    Args:
        x: (..., seq, head_dim); channels past 2 · pairs pass unchanged.
        angles: Radians, (seq, pairs) or (batch, seq, pairs).
        layout: Which channels form a pair, "interleaved" or "half".

    Returns:
        The same shape and dtype as x.
    """
    return rotate_pairs(x, angles.cos(), angles.sin(), layout)


def mrope_axis_of_pair(sections: Sequence[int], *, interleaved: bool = False) -> Tensor:
    """Which of the axes time (0), height (1), width (2) each pair follows.

    Args:
        sections: Pairs per axis, such as (16, 24, 24).
        interleaved: False: the axes follow one another (Qwen2-VL). True: height takes every third
            pair from 1 on, width from 2 on, time all others (Qwen3-VL).

    Returns:
        int64 (pairs,).

    Raises:
        ValueError: If there are not three sections, or interleaving cannot place them.

    Source: Wang et al. 2024, arXiv:2409.12191; transformers, models/qwen3_vl/modeling_qwen3_vl.py,
    apply_interleaved_mrope.
    """
    if len(sections) != 3:
        count = len(sections)
        raise ValueError(f"sections must hold three numbers of pairs, got {count}.")
    for axis, section in enumerate(sections):
        check_int(f"sections[{axis}]", section, 0)
    if not interleaved:
        return torch.repeat_interleave(torch.arange(3), torch.tensor(sections))
    axis_of_pair = torch.zeros(sum(sections), dtype=torch.int64)
    for axis in (1, 2):
        every_third = slice(axis, 3 * sections[axis], 3)
        if 3 * (sections[axis] - 1) + axis >= len(axis_of_pair):
            raise ValueError(
                f"sections[{axis}] must be at most a third of all pairs when interleaved, got "
                f"{sections[axis]} of {len(axis_of_pair)}."
            )
        axis_of_pair[every_third] = axis
    return axis_of_pair


def mrope_positions(segments: Sequence[int | tuple[int, int, int]]) -> Tensor:
    """Time, height and width of every token of a text with images in it.

    A text token has the same position on all three axes; an image counts its grid from where the
    text stopped, and the next text starts after the largest position met.

    Args:
        segments: A number of text tokens, or the (time, height, width) grid of an image or video.

    Returns:
        int64 (3, seq).

    Raises:
        ValueError: If a number is below 1.

    Source: Wang et al. 2024, section 2.1, arXiv:2409.12191.
    """
    parts = [torch.zeros(3, 0, dtype=torch.int64)]
    start = 0
    for index, segment in enumerate(segments):
        sizes = (segment,) if isinstance(segment, int) else segment
        for size in sizes:
            check_int(f"segments[{index}]", size, 1)
        grid = torch.cartesian_prod(*(torch.arange(size) for size in sizes))
        parts.append(start + (grid.expand(3, -1) if len(sizes) == 1 else grid.mT))
        start = int(parts[-1].max()) + 1
    return torch.cat(parts, dim=1)


def axial_inv_freq(head_dim: int, base: float = 100.0) -> Tensor:
    """Frequencies of 2-D axial RoPE: base^(-4i/d), i < d/4, once for each axis.

    Args:
        head_dim: Channels d, a multiple of 4.
        base: Base of the series; 100 in rope-vit, 10000 in transformers' vision towers.

    Returns:
        float64 (head_dim / 2,).

    Raises:
        ValueError: If head_dim is not a multiple of 4 or base is not above 1.

    Source: Heo et al. 2024, section 3.2, arXiv:2403.13298.
    """
    check_int("head_dim", head_dim, 4, even=True)
    if head_dim % 4:
        raise ValueError(f"head_dim must be a multiple of 4 for two axes, got {head_dim}.")
    check_number("base", base, above=1)
    return geometric(base, head_dim // 4).repeat(2)


def axial_angles(
    height: int,
    width: int,
    head_dim: int,
    base: float = 100.0,
    order: Literal["xy", "hw"] = "xy",
) -> Tensor:
    """Angles of every patch of an image, row after row: half of the pairs for each axis.

    Args:
        height: Rows of patches.
        width: Columns of patches.
        head_dim: Channels d, a multiple of 4.
        base: Base of the frequencies.
        order: "xy": the column's pairs come first (rope-vit); "hw": the row's (transformers'
            vision towers). Nothing in a checkpoint tells one from the other.

    Returns:
        Radians, float64 (height · width, head_dim / 2).

    Raises:
        ValueError: If a number is out of range or the order unknown.

    Source: naver-ai/rope-vit, deit/models_v2_rope.py, compute_axial_cis.
    """
    check_int("height", height, 1)
    check_int("width", width, 1)
    check_choice("order", order, AXIS_ORDERS)
    inv_freq = axial_inv_freq(head_dim, base)
    row_and_column = torch.cartesian_prod(torch.arange(height), torch.arange(width)).mT
    positions = row_and_column.flip(0) if order == "xy" else row_and_column
    return axis_angles(positions, inv_freq, torch.arange(2).repeat_interleave(head_dim // 4))
