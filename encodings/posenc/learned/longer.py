"""How a table of learned positions is made longer: by interpolation between its rows."""

from typing import Any

import torch
from torch import Tensor
from torch.nn.functional import interpolate

from posenc.checks import check_bool, check_int, check_number, check_tensors
from posenc.words import say


def interpolate_table(table: Tensor, new_length: int, *, align_corners: bool = False) -> Tensor:
    """Stretch a table of positions to another length by linear interpolation.

    Row o of the result is read at x = (o + 0.5)·L/L' - 0.5 (half-pixel centres, clamped at the
    first and last row), or at x = o·(L - 1)/(L' - 1) with `align_corners`.

    Args:
        table: Float (length, d_model).
        new_length: L', at least 1.
        align_corners: Keep the first and the last row as they are.

    Returns:
        (new_length, d_model), dtype of the table; interpolated in float64.

    Raises:
        ValueError: If the table is not a matrix or new_length is below 1.

    Source: torch.nn.functional.interpolate, mode "linear".
    """
    check_tensors(table=table)
    check_int("new_length", new_length, 1)
    check_bool("align_corners", align_corners)
    if table.dim() != 2 or table.numel() == 0:
        raise ValueError(
            f"table must have shape (length, d_model), neither of them 0, got {tuple(table.shape)}."
        )
    columns = table.to(torch.float64).mT[None]  # (1, d_model, length)
    # (1, d_model, new_length)
    longer = interpolate(columns, size=new_length, mode="linear", align_corners=align_corners)
    return longer[0].mT.to(table.dtype)


def interpolate_grid(
    table: Tensor,
    grid: tuple[int, int],
    new_grid: tuple[int, int],
    *,
    class_tokens: int = 0,
    antialias: bool = False,
    offset: float = 0.0,
) -> Tensor:
    """Stretch a table of image patches to another grid by bicubic interpolation.

    Keys' kernel with a = -0.75, half-pixel centres, the border repeated. The kernel overshoots:
    values beyond the smallest and largest of the table are possible.

    Args:
        table: Float (class_tokens + height · width, d_model), patches row by row.
        grid: (height, width) of the table.
        new_grid: (height, width) of the result.
        class_tokens: Rows in front that belong to no patch and stay as they are (ViT: 1).
        antialias: Where the grid shrinks, widen the kernel (then with a = -0.5) so that no row is
            skipped, as Pillow does and DINOv2 with registers.
        offset: Added to the new sides where the step from patch to patch is computed, at least 0;
            0.1 in DINOv2, which reads row o at (o + 0.5)·h / (h' + offset) - 0.5.

    Returns:
        (class_tokens + new height · new width, d_model), dtype of the table; interpolated in
        float64.

    Raises:
        ValueError: If a side is below 1, the table does not have the rows of its grid, or another
            argument is out of range.

    Source: Dosovitskiy et al. 2020, section 3.2, arXiv:2010.11929; transformers,
        models/vit/modeling_vit.py, interpolate_pos_encoding; facebookresearch/dinov2,
        models/vision_transformer.py, interpolate_pos_encoding.
    """
    for name, sides in (("grid", grid), ("new_grid", new_grid)):
        for side in sides:
            check_int(say("each side of {name}", name=name), side, 1)
    check_int("class_tokens", class_tokens, 0)
    check_bool("antialias", antialias)
    check_number("offset", offset, 0)
    check_tensors(table=table)
    rows = class_tokens + grid[0] * grid[1]
    if table.dim() != 2 or len(table) != rows:
        raise ValueError(
            f"table must have {rows} rows, {class_tokens} in front and {grid[0]} x {grid[1]} "
            f"patches, got shape {tuple(table.shape)}."
        )
    patches = table[class_tokens:].to(torch.float64)
    image = patches.mT.reshape(1, -1, *grid)  # (1, d_model, height, width)
    # (1, d_model, new height, new width)
    if new_grid[1] == 1:  # torch 2.13 repeats the first row of an antialiased column
        larger = _stretched(image.mT, new_grid[::-1], antialias, offset).mT
    else:
        larger = _stretched(image, new_grid, antialias, offset)
    return torch.cat((table[:class_tokens], larger[0].flatten(1).mT.to(table.dtype)))


def _stretched(image: Tensor, sides: tuple[int, int], antialias: bool, offset: float) -> Tensor:
    """An image (1, d_model, height, width) of other sides."""
    how: dict[str, Any] = {"mode": "bicubic", "align_corners": False, "antialias": antialias}
    if not offset:
        return interpolate(image, size=sides, **how)
    scales = [(new + offset) / old for new, old in zip(sides, image.shape[2:], strict=True)]
    larger = interpolate(image, scale_factor=scales, **how)
    if larger.shape[2:] != torch.Size(sides):
        raise ValueError(f"offset must be below 1, so that it adds no patch, got {offset:g}.")
    return larger
