"""Sinusoids followed: a cell of the table, the product of two rows, a cell of the shift."""

from typing import Literal

import torch
from torch import Tensor

from posenc.quantity.lines import distance_step
from posenc.quantity.step import SHOWN_TERMS, Step, number, total, words
from posenc.sinusoidal.formula import SinusoidalLayout, sinusoidal_inv_freq, wave_columns
from posenc.sinusoidal.shift import sinusoidal_shift
from posenc.waves import rope_angles, wave_sum


def sinusoidal_steps(
    row: int, col: int, d_model: int, base: float, layout: SinusoidalLayout, value: float
) -> tuple[Step, ...]:
    """Frequency of the pair, angle at the position, its sine or cosine.

    Args:
        row: Position p.
        col: Column of the table.
        d_model: Width; may be odd.
        base: Base of the geometric series.
        layout: Order of the columns.
        value: The cell of the table as it was computed.
    """
    symbol = rf"\mathrm{{PE}}({row}, {col})"
    pair, wave = _wave_of_column(col, d_model, layout)
    if wave == "zero":
        return (Step(symbol, words("the column of zeros of an odd width"), "", value),)
    theta = sinusoidal_inv_freq(d_model, base, layout)
    angle = rope_angles(torch.tensor([row]), theta)[0, pair].item()
    product = rf"{row} \cdot {number(theta[pair].item())}"
    return (
        _frequency_step(pair, d_model, base, layout),
        Step(rf"p\,\theta_{{{pair}}}", "", product, angle),
        Step(symbol, rf"\{wave}(p\,\theta_{{{pair}}})", rf"\{wave}({number(angle)})", value),
    )


def similarity_steps(
    row: int, col: int, inv_freq: Tensor, single: Tensor, value: float
) -> tuple[Step, ...]:
    """Distance, what each pair adds, the sum over the pairs.

    Args:
        row: Position m.
        col: Position n.
        inv_freq: θ of the pairs of a sine and a cosine, (pairs,).
        single: θ of the last sine of an odd width, (1,), else (0,).
        value: PE(m)·PE(n) as it was computed.
    """
    distance = distance_step(row, col, names="mn")
    angles = rope_angles(torch.tensor(row - col), inv_freq).tolist()
    terms = [rf"\cos({number(angle)})" for angle in angles[:SHOWN_TERMS]]
    one = r"\sin m\theta_i \sin n\theta_i + \cos m\theta_i \cos n\theta_i"
    formula = rf"\sum_i {one} = \sum_i \cos \delta\theta_i"
    symbol = rf"\mathrm{{PE}}({row}) \cdot \mathrm{{PE}}({col})"
    if len(single) == 0:
        return distance, Step(symbol, formula, total(terms, len(angles)), value)
    paired = wave_sum(torch.tensor([row - col]), inv_freq).item()
    left, right = (rope_angles(torch.tensor(p), single).item() for p in (row, col))
    return (
        distance,
        Step(r"\text{pairs}", formula, total(terms, len(angles)), paired),
        Step(
            symbol,
            r"\text{pairs} + \sin m\theta \sin n\theta\;\text{of the last sine}",
            rf"{number(paired)} + \sin({number(left)}) \sin({number(right)})",
            value,
        ),
    )


def sinusoidal_shift_steps(
    row: int,
    col: int,
    offset: int,
    d_model: int,
    base: float = 10000.0,
    layout: SinusoidalLayout = "interleaved",
) -> tuple[Step, ...]:
    """How one entry of `sinusoidal_shift` comes about; d_model even."""
    entry = sinusoidal_shift(offset, d_model, base, layout)[row, col].item()
    symbol = rf"M_{{{row},\,{col}}}"
    (pair, wave), (other, _) = (_wave_of_column(c, d_model, layout) for c in (row, col))
    if pair != other:
        reason = words("column {0} is of pair {1}, column {2} of pair {3}", row, pair, col, other)
        return (Step(symbol, reason, "", entry),)
    theta = sinusoidal_inv_freq(d_model, base, layout)
    angle = rope_angles(torch.tensor(offset), theta)[pair].item()
    function = r"\cos" if row == col else r"\sin" if wave == "sin" else r"-\sin"
    product = rf"{number(offset)} \cdot {number(theta[pair].item())}"
    return (
        _frequency_step(pair, d_model, base, layout),
        Step(rf"k\,\theta_{{{pair}}}", "", product, angle),
        Step(symbol, rf"{function} k\theta_{{{pair}}}", rf"{function}({number(angle)})", entry),
    )


def _frequency_step(pair: int, d_model: int, base: float, layout: SinusoidalLayout) -> Step:
    """θ_i from base, pair and width."""
    exponent = r"-2i/d"
    numbers = f"-2 \\cdot {pair}/{d_model}"
    if layout == "tensor2tensor":
        exponent = "-i/(n-1)"
        numbers = f"-{pair}/{max(d_model // 2 - 1, 1)}"
    return Step(
        rf"\theta_{{{pair}}}",
        rf"\text{{base}}^{{{exponent}}}",
        rf"{number(base)}^{{{numbers}}}",
        sinusoidal_inv_freq(d_model, base, layout)[pair].item(),
    )


def _wave_of_column(
    col: int, d_model: int, layout: SinusoidalLayout
) -> tuple[int, Literal["sin", "cos", "zero"]]:
    """Pair and function of a column of the table; "zero" for the last of an odd tensor2tensor."""
    sines, cosines = (columns.tolist() for columns in wave_columns(torch.arange(d_model), layout))
    if col in sines:
        return sines.index(col), "sin"
    return (cosines.index(col), "cos") if col in cosines else (len(sines), "zero")
