"""Rotary positions of several axes: text and image (M-RoPE), rows and columns (axial)."""

from collections.abc import Sequence
from typing import Literal

import torch
from torch import Tensor

from posenc.checks import (
    check_bool,
    check_choice,
    check_coordinates,
    check_int,
    check_integers,
    check_number,
    check_tensors,
)
from posenc.rope.fast import rotate_pairs
from posenc.rope.pairs import Layout
from posenc.waves import float64_device, geometric

AXIS_ORDERS = ("xy", "hw")


def axis_angles(positions: Tensor, inv_freq: Tensor, axis_of_pair: Tensor) -> Tensor:
    """Angles where every pair follows one axis: positions[axis_of_pair[i]] · θ_i.

    Args:
        positions: Integers, or numbers in float32 or float64 (pixels, seconds), (axes, seq) or
            (axes, batch, seq).
        inv_freq: θ, (pairs,), radians per position; (batch, 1, pairs) for each row its own.
        axis_of_pair: Integers (pairs,), which axis each pair follows.

    Returns:
        Radians, float64 (seq, pairs) or (batch, seq, pairs).

    Raises:
        ValueError: If positions are no such numbers, or there is not one axis for each pair.
    """
    check_tensors(positions=positions, inv_freq=inv_freq)
    positions = check_coordinates("positions", positions)
    axis_of_pair = check_integers("axis_of_pair", axis_of_pair)
    if positions.dim() not in (2, 3):
        raise ValueError(
            "positions must be of shape (axes, seq) or (axes, batch, seq), got "
            f"{tuple(positions.shape)}."
        )
    pairs = inv_freq.shape[-1]
    if axis_of_pair.shape != (pairs,):
        raise ValueError(
            f"axis_of_pair must hold one axis for each of the {pairs} frequencies, got "
            f"{tuple(axis_of_pair.shape)}."
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
        The same shape and dtype as x. Give them to `attend(rotated=True)`.

    Raises:
        ValueError: If shapes do not fit together or the layout is unknown.
    """
    check_tensors(x=x, angles=angles)
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
    check_bool("interleaved", interleaved)
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


def mrope_positions(
    segments: Sequence[int | tuple[int, int, int]],
    *,
    second_per_grid_t: float | None = None,
    tokens_per_second: float = 2.0,
) -> Tensor:
    """Time, height and width of every token of a text with images in it.

    A text token has the same position on all three axes; an image counts its grid from where the
    text stopped, and the next text starts after the largest position met. Families differ in videos
    alone:

    - Qwen2-VL counts frames: (frames, rows, columns) as it is.
    - Qwen2.5-VL counts time: with `second_per_grid_t`, frame n stands ⌊n · tokens_per_second ·
      second_per_grid_t⌋ after the start, computed in float32 as the models do.
    - Qwen3-VL and Qwen3.5 read a time in words before each frame: `split_video`.

    A frame is a step of the grid's time, which these models make of two frames of the film.

    Args:
        segments: A number of text tokens, or the (time, height, width) grid of an image or video,
            after patches are merged.
        second_per_grid_t: Seconds from one frame of the grid to the next, above 0 (transformers'
            second_per_grid_ts); default to count frames.
        tokens_per_second: Positions in a second, above 0; 2 in Qwen2.5-VL's released files.

    Returns:
        int64 (3, seq). The token that is decoded next stands at its largest number + 1.
        (transformers 5.23 lets the text after a video of Qwen2-VL and Qwen2.5-VL begin at the
        larger of rows and columns instead, which may be inside the video's time.)

    Raises:
        ValueError: If a number is out of range.

    Source: Wang et al. 2024, section 2.1, arXiv:2409.12191; Bai et al. 2025 (Qwen2.5-VL), section
    2.1, arXiv:2502.13923.
    """
    step = check_number("tokens_per_second", tokens_per_second, above=0)
    if second_per_grid_t is not None:
        step *= check_number("second_per_grid_t", second_per_grid_t, above=0)
    parts = [torch.zeros(3, 0, dtype=torch.int64)]
    start = 0
    for index, segment in enumerate(segments):
        sizes = (segment,) if isinstance(segment, int) else segment
        for size in sizes:
            check_int(f"segments[{index}]", size, 1)
        grid = torch.cartesian_prod(*(torch.arange(size) for size in sizes))
        part = grid.expand(3, -1) if len(sizes) == 1 else grid.mT.clone()
        if len(sizes) > 1 and second_per_grid_t is not None:
            part[0] = (part[0] * torch.tensor(step, dtype=torch.float32)).long()
        parts.append(start + part)
        start = int(parts[-1].max()) + 1
    return torch.cat(parts, dim=1)


def split_video(
    frames: int, height: int, width: int, text_tokens: int | Sequence[int]
) -> list[int | tuple[int, int, int]]:
    """Segments of a video whose frames stand apart, each behind the time in words (Qwen3-VL).

    Args:
        frames: Frames of the grid, at least 1.
        height: Rows of a frame.
        width: Columns of a frame.
        text_tokens: Text tokens before each frame; one number for all, or one for each.

    Returns:
        Text and images in turns, for `mrope_positions`.

    Raises:
        ValueError: If a number is out of range, or there is not one of text_tokens for each frame.

    Source: transformers, models/qwen3_vl/modeling_qwen3_vl.py, get_rope_index.
    """
    check_int("frames", frames, 1)
    check_int("height", height, 1)
    check_int("width", width, 1)
    if isinstance(text_tokens, Sequence) and not isinstance(text_tokens, str):
        each = [check_int(f"text_tokens[{at}]", count, 1) for at, count in enumerate(text_tokens)]
    else:
        each = [check_int("text_tokens", text_tokens, 1)] * frames
    if len(each) != frames:
        raise ValueError(
            f"text_tokens must be one number, or one for each of {frames} frames, got {len(each)}."
        )
    segments: list[int | tuple[int, int, int]] = []
    for before in each:
        segments += [before, (1, height, width)]
    return segments


def grid_angles(sizes: Sequence[int], inv_freq: Tensor) -> Tensor:
    """Angles of every cell of a grid of any number of axes, the last axis running quickest.

    Every axis has pairs of its own, those of the first axis first (a video: time, height, width).

    Args:
        sizes: Cells along each axis, at least 1 each.
        inv_freq: θ of one axis, (pairs,), radians per cell.

    Returns:
        Radians, float64 (cells, axes · pairs).

    Raises:
        ValueError: If a size is out of range or there is none.

    Source: lucidrains/rotary-embedding-torch, get_axial_freqs.
    """
    check_tensors(inv_freq=inv_freq)
    if not len(sizes):
        raise ValueError("sizes must hold a number of cells for each axis, got none.")
    for axis, size in enumerate(sizes):
        check_int(f"sizes[{axis}]", size, 1)
    grid = torch.meshgrid(*(torch.arange(size) for size in sizes), indexing="ij")
    positions = torch.stack([axis.flatten() for axis in grid])
    axis_of_pair = torch.arange(len(sizes)).repeat_interleave(len(inv_freq))
    return axis_angles(positions, inv_freq.repeat(len(sizes)), axis_of_pair)


def pixel_inv_freq(head_dim: int, max_freq: float = 10.0) -> Tensor:
    """Frequencies for coordinates from -1 to 1: from π to π · max_freq / 2 in equal steps.

    Args:
        head_dim: Channels of one axis, even.
        max_freq: Twice the turns of the fastest pair from one edge to the other, at least 2.

    Returns:
        float64 (head_dim / 2,), radians per unit.

    Raises:
        ValueError: If an argument is out of range.

    Source: lucidrains/rotary-embedding-torch, freqs_for="pixel"; Jaegle et al. 2021 (Perceiver),
    section 3.2, arXiv:2103.03206.
    """
    check_int("head_dim", head_dim, 2, even=True)
    check_number("max_freq", max_freq, 2)
    return torch.linspace(1.0, max_freq / 2, head_dim // 2, dtype=torch.float64) * torch.pi


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
    height: int, width: int, head_dim: int, base: float = 100.0, order: Literal["xy", "hw"] = "xy"
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
