"""Learned tables followed: an interpolated entry, the angle between two rows."""

import math

import torch
from torch import Tensor

from posenc.learned.longer import interpolate_table
from posenc.quantity.lines import dot_step
from posenc.quantity.step import Step, factor, no_value, number


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


def interpolation_steps(
    table: Tensor, new_length: int, row: int, col: int, *, align_corners: bool = False
) -> tuple[Step, ...]:
    """How one entry of `interpolate_table` comes about: where it is read, between which rows."""
    length = len(table)
    formula = r"\max((o + 0.5) L/L' - 0.5,\; 0)"
    numbers = rf"\max(({row} + 0.5) \cdot {length}/{new_length} - 0.5,\; 0)"
    at = max((row + 0.5) * length / new_length - 0.5, 0.0)
    if align_corners:
        formula = "o (L - 1)/(L' - 1)"
        numbers = rf"{row} \cdot {length - 1}/{max(new_length - 1, 1)}"
        at = row * (length - 1) / max(new_length - 1, 1)
    low = min(math.floor(at), length - 1)
    high = min(low + 1, length - 1)
    below = table[low, col].item()
    above = table[high, col].item()
    share = at - low
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


def row_similarity_steps(table: Tensor, row: int, col: int) -> tuple[Step, ...]:
    """How one entry of `row_similarity` comes about: a dot product over two lengths."""
    one, other = table[row].to(torch.float64), table[col].to(torch.float64)
    dot = dot_step(r"a \cdot b", one, other, "a", "b")
    a, b = one.norm().item(), other.norm().item()
    symbol = rf"\cos({row},\, {col})"
    if a * b == 0:
        return (no_value(symbol, "nothing, because a row is zero"),)
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
