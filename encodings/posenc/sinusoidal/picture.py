"""What the screen of absolute positions draws: the sinusoidal table, its similarity, its shift."""

from dataclasses import dataclass

import torch
from torch import Tensor

from posenc.checks import check_int
from posenc.quantity.matrix import Axis, mean_cis, value_at
from posenc.quantity.step import SHOWN_TERMS, Step, distance_step, number, total, words
from posenc.sinusoidal.formula import (
    SinusoidalLayout,
    arrange,
    sinusoidal_at,
    sinusoidal_inv_freq,
    sinusoidal_shift,
    wave_of_column,
)
from posenc.waves import over_pairs, rope_angles, wave_sum


@dataclass(frozen=True)
class SinusoidalTable:
    """Position × dimension: the sinusoidal encoding itself.

    Args:
        length: Positions 0 … length - 1.
        d_model: Width; may be odd.
        base: Base of the geometric series, above 1.
        layout: Order of the columns.
    """

    length: int
    d_model: int
    base: float = 10000.0
    layout: SinusoidalLayout = "interleaved"
    name = "sinusoidal encoding PE"
    unit = ""
    signed = True

    def __post_init__(self) -> None:
        check_int("length", self.length, 1)
        sinusoidal_inv_freq(self.d_model, self.base, self.layout)  # checks the others

    @property
    def rows(self) -> Axis:
        """Positions."""
        return Axis("position", self.length)

    @property
    def cols(self) -> Axis:
        """Dimensions."""
        return Axis("dimension", self.d_model)

    def at(self, rows: Tensor, cols: Tensor) -> Tensor:
        """Exact values, float64 (len(rows), len(cols))."""
        return sinusoidal_at(rows, self.d_model, self.base, self.layout)[:, cols]

    def steps(self, row: int, col: int) -> tuple[Step, ...]:
        """Frequency of the pair, angle at the position, its sine or cosine."""
        symbol, value = rf"\mathrm{{PE}}({row}, {col})", value_at(self, row, col)
        pair, wave = wave_of_column(col, self.d_model, self.layout)
        if wave == "zero":
            return (Step(symbol, r"\text{the column of zeros of an odd width}", "", value),)
        theta = sinusoidal_inv_freq(self.d_model, self.base, self.layout)
        angle = rope_angles(torch.tensor([row]), theta)[0, pair].item()
        turned = rf"{row} \cdot {number(theta[pair].item())}"
        return (
            frequency_step(pair, self.d_model, self.base, self.layout),
            Step(rf"p\,\theta_{{{pair}}}", "", turned, angle),
            Step(symbol, rf"\{wave}(p\,\theta_{{{pair}}})", rf"\{wave}({number(angle)})", value),
        )

    def mean(self, row_edges: Tensor, col_edges: Tensor) -> Tensor:
        """Exact mean over blocks of positions and dimensions."""
        by_dimension = self.mean_rows(row_edges)
        spans = zip(col_edges[:-1].tolist(), col_edges[1:].tolist(), strict=True)
        return torch.stack([by_dimension[:, a:b].mean(dim=1) for a, b in spans], dim=1)

    def mean_rows(self, row_edges: Tensor) -> Tensor:
        """Mean encoding of each block of positions, float64 (blocks, d_model)."""
        cis = mean_cis(sinusoidal_inv_freq(self.d_model, self.base, self.layout), row_edges)
        return arrange(cis.imag, cis.real, self.d_model, self.layout)


@dataclass(frozen=True)
class SinusoidalSimilarity:
    """Position × position: PE(m)·PE(n), the dot product of two rows of the table.

    Args:
        length: Positions 0 … length - 1.
        d_model: Width; may be odd.
        base: Base of the geometric series, above 1.
        layout: Which frequencies.
    """

    length: int
    d_model: int
    base: float = 10000.0
    layout: SinusoidalLayout = "interleaved"
    name = "similarity PE(m)·PE(n)"
    unit = ""
    signed = True

    def __post_init__(self) -> None:
        SinusoidalTable(self.length, self.d_model, self.base, self.layout)  # checks the arguments

    @property
    def rows(self) -> Axis:
        """Positions."""
        return Axis("position m", self.length)

    @property
    def cols(self) -> Axis:
        """Positions."""
        return Axis("position n", self.length)

    def at(self, rows: Tensor, cols: Tensor) -> Tensor:
        """Exact values, float64 (len(rows), len(cols))."""
        theta, single = self._frequencies()
        similarity = over_pairs(lambda distances: wave_sum(distances, theta), rows, cols)
        # The last sine of an odd width has no cosine beside it.
        left, right = (rope_angles(positions, single).sin() for positions in (rows, cols))
        return similarity + left * right.mT if len(single) else similarity

    def steps(self, row: int, col: int) -> tuple[Step, ...]:
        """Distance, what each pair adds, the sum over the pairs."""
        theta, single = self._frequencies()
        distance = distance_step(row, col, names="mn")
        angles = rope_angles(torch.tensor(row - col), theta).tolist()
        terms = [rf"\cos({number(angle)})" for angle in angles[:SHOWN_TERMS]]
        one = r"\sin m\theta_i \sin n\theta_i + \cos m\theta_i \cos n\theta_i"
        formula = rf"\sum_i {one} = \sum_i \cos \delta\theta_i"
        symbol, value = (
            rf"\mathrm{{PE}}({row}) \cdot \mathrm{{PE}}({col})",
            value_at(self, row, col),
        )
        if len(single) == 0:
            return distance, Step(symbol, formula, total(terms, len(angles)), value)
        paired = wave_sum(torch.tensor([row - col]), theta).item()
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

    def _frequencies(self) -> tuple[Tensor, Tensor]:
        """Frequencies that have a sine and a cosine, and the one that has a sine alone, if any."""
        theta = sinusoidal_inv_freq(self.d_model, self.base, self.layout)
        pairs = self.d_model // 2
        return theta[:pairs], theta[pairs:]

    def mean(self, row_edges: Tensor, col_edges: Tensor) -> Tensor:
        """Exact mean over blocks: the product of their mean rows, because m and n are free."""
        table = SinusoidalTable(self.length, self.d_model, self.base, self.layout)
        return table.mean_rows(row_edges) @ table.mean_rows(col_edges).mT


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
    (pair, wave), (other, _) = (wave_of_column(c, d_model, layout) for c in (row, col))
    if pair != other:
        reason = words("column {0} is of pair {1}, column {2} of pair {3}", row, pair, col, other)
        return (Step(symbol, reason, "", entry),)
    theta = sinusoidal_inv_freq(d_model, base, layout)
    angle = rope_angles(torch.tensor(offset), theta)[pair].item()
    function = r"\cos" if row == col else r"\sin" if wave == "sin" else r"-\sin"
    turned = rf"{number(offset)} \cdot {number(theta[pair].item())}"
    return (
        frequency_step(pair, d_model, base, layout),
        Step(rf"k\,\theta_{{{pair}}}", "", turned, angle),
        Step(symbol, rf"{function} k\theta_{{{pair}}}", rf"{function}({number(angle)})", entry),
    )


def frequency_step(pair: int, d_model: int, base: float, layout: SinusoidalLayout) -> Step:
    """θ_i from base, pair and width."""
    exponent, numbers = r"-2i/d", f"-2 \\cdot {pair}/{d_model}"
    if layout == "tensor2tensor":
        exponent, numbers = "-i/(n-1)", f"-{pair}/{max(d_model // 2 - 1, 1)}"
    return Step(
        rf"\theta_{{{pair}}}",
        rf"\text{{base}}^{{{exponent}}}",
        rf"{number(base)}^{{{numbers}}}",
        sinusoidal_inv_freq(d_model, base, layout)[pair].item(),
    )
