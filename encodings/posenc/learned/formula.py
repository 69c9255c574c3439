"""Learned absolute positions: one trained vector per position, and how a table is made longer."""

import math

import torch
from torch import Tensor, nn
from torch.nn.functional import interpolate

from posenc.checks import check_embedding, check_int
from posenc.places import PositionalEncoding
from posenc.quantity.step import Step, dot_step, factor, nothing, number

INIT_STD = 0.02
"""Standard deviation with which BERT and GPT-2 start their tables."""


class Learned(PositionalEncoding):
    """A trained vector for each position, added to the token embeddings.

    Args:
        length: Number of positions, at least 1 (BERT 512, GPT-2 1024).
        d_model: Width of the token embeddings.
        offset: Rows in front of position 0 that no position uses: 0 in BERT and GPT-2, 2 in
            RoBERTa and OPT, where they belong to padding.

    Raises:
        ValueError: If an argument is out of range; in `embed`, if a position has no row.

    Source: Devlin et al. 2018, arXiv:1810.04805; Radford et al. 2019 (GPT-2); offset: transformers,
        models/opt/modeling_opt.py, OPTLearnedPositionalEmbedding.
    """

    def __init__(self, length: int, d_model: int, *, offset: int = 0) -> None:
        super().__init__()
        self.length = check_int("length", length, 1)
        self.d_model = check_int("d_model", d_model, 1)
        self.offset = check_int("offset", offset, 0)
        self.table = nn.Parameter(torch.empty(length + offset, d_model))
        nn.init.normal_(self.table, std=INIT_STD)

    def embed(self, x: Tensor, positions: Tensor) -> Tensor:
        """Return x + table[positions + offset], (batch, seq, d_model)."""
        check_embedding(x, positions, self.d_model)
        if positions.numel():
            low, high = int(positions.min()), int(positions.max())
            if low < 0 or high >= self.length:
                raise ValueError(
                    f"positions must lie between 0 and {self.length - 1}, the last row of the "
                    f"learned table, got {low if low < 0 else high}."
                )
        return x + self.table[positions.to(self.table.device) + self.offset].to(x.dtype)


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
    check_int("new_length", new_length, 1)
    if table.dim() != 2 or table.numel() == 0:
        raise ValueError(
            f"table must have shape (length, d_model), neither empty, got {tuple(table.shape)}."
        )
    columns = table.to(torch.float64).mT[None]  # (1, d_model, length)
    longer = interpolate(columns, size=new_length, mode="linear", align_corners=align_corners)
    return longer[0].mT.to(table.dtype)


def interpolation_steps(
    table: Tensor, new_length: int, row: int, col: int, *, align_corners: bool = False
) -> tuple[Step, ...]:
    """How one entry of `interpolate_table` comes about: where it is read, between which rows."""
    length = len(table)
    formula, numbers = (
        r"\max((o + 0.5) L/L' - 0.5,\; 0)",
        rf"\max(({row} + 0.5) \cdot {length}/{new_length} - 0.5,\; 0)",
    )
    at = max((row + 0.5) * length / new_length - 0.5, 0.0)
    if align_corners:
        formula = "o (L - 1)/(L' - 1)"
        numbers = rf"{row} \cdot {length - 1}/{max(new_length - 1, 1)}"
        at = row * (length - 1) / max(new_length - 1, 1)
    low = min(math.floor(at), length - 1)
    high = min(low + 1, length - 1)
    below, above, share = table[low, col].item(), table[high, col].item(), at - low
    value = interpolate_table(table[:, [col]], new_length, align_corners=align_corners)[row, 0]
    return (
        Step("x", formula, numbers, at),
        Step(rf"E_{{{low},{col}}}", "", "", below),
        Step(rf"E_{{{high},{col}}}", "", "", above),
        Step(
            f"E'_{{{row},{col}}}",
            rf"E_{{{low},{col}}} + (x - {low})(E_{{{high},{col}}} - E_{{{low},{col}}})",
            rf"{number(below)} + {number(share)} \cdot ({number(above)} - {factor(below)})",
            value.item(),
        ),
    )


def row_similarity(table: Tensor) -> Tensor:
    """Cosine of the angle between each two rows of a table of positions.

    Args:
        table: Float (length, d_model).

    Returns:
        (length, length), float64; 1 on the diagonal, NaN where a row is zero.
    """
    rows = table.to(torch.float64)
    norms = rows.norm(dim=1)
    return rows @ rows.T / (norms[:, None] * norms[None, :])


def row_similarity_steps(table: Tensor, row: int, col: int) -> tuple[Step, ...]:
    """How one entry of `row_similarity` comes about: a dot product over two lengths."""
    one, other = table[row].to(torch.float64), table[col].to(torch.float64)
    dot = dot_step(r"a \cdot b", one, other, "a", "b")
    a, b = one.norm().item(), other.norm().item()
    symbol = rf"\cos({row},\, {col})"
    if a * b == 0:
        return (nothing(symbol, "nothing, because a row is zero"),)
    return (
        dot,
        Step("|a|", r"\sqrt{a \cdot a}", "", a),
        Step("|b|", r"\sqrt{b \cdot b}", "", b),
        Step(
            symbol,
            r"a \cdot b/(|a|\,|b|)",
            rf"{number(dot.value)}/({number(a)} \cdot {number(b)})",
            dot.value / (a * b),
        ),
    )


def interpolate_grid(
    table: Tensor, grid: tuple[int, int], new_grid: tuple[int, int], *, class_tokens: int = 0
) -> Tensor:
    """Stretch a table of image patches to another grid by bicubic interpolation.

    Keys' kernel with a = -0.75, half-pixel centres, the border repeated, no antialiasing. The
    kernel overshoots: values beyond the smallest and largest of the table are possible.

    Args:
        table: Float (class_tokens + height · width, d_model), patches row by row.
        grid: (height, width) of the table.
        new_grid: (height, width) of the result.
        class_tokens: Rows in front that belong to no patch and stay as they are (ViT: 1).

    Returns:
        (class_tokens + new height · new width, d_model), dtype of the table; interpolated in
        float64.

    Raises:
        ValueError: If a side is below 1 or the table has not the rows of its grid.

    Source: Dosovitskiy et al. 2020, section 3.2, arXiv:2010.11929; transformers,
        models/vit/modeling_vit.py, interpolate_pos_encoding.
    """
    for name, sides in (("grid", grid), ("new_grid", new_grid)):
        for side in sides:
            check_int(f"each side of {name}", side, 1)
    check_int("class_tokens", class_tokens, 0)
    rows = class_tokens + grid[0] * grid[1]
    if table.dim() != 2 or len(table) != rows:
        raise ValueError(
            f"table must have {rows} rows, {class_tokens} in front and {grid[0]} x {grid[1]} "
            f"patches, got shape {tuple(table.shape)}."
        )
    patches = table[class_tokens:].to(torch.float64)
    image = patches.mT.reshape(1, -1, *grid)  # (1, d_model, height, width)
    larger = interpolate(image, size=new_grid, mode="bicubic", align_corners=False)
    return torch.cat((table[:class_tokens], larger[0].flatten(1).mT.to(table.dtype)))
