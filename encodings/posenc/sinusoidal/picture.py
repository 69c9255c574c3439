"""The sinusoidal table and the similarity of its rows: exact values and means over blocks."""

from dataclasses import dataclass

import torch
from torch import Tensor

from posenc.checks import check_int
from posenc.quantity.matrix import Axis, value_at
from posenc.quantity.means import mean_cis
from posenc.quantity.step import Step
from posenc.sinusoidal.formula import (
    SinusoidalLayout,
    sinusoidal_at,
    sinusoidal_inv_freq,
    wave_columns,
)
from posenc.sinusoidal.steps import similarity_steps, sinusoidal_steps
from posenc.waves import over_pairs, rope_angles, wave_sum
from posenc.words import say


@dataclass(frozen=True)
class SinusoidalTable:
    """Position × dimension: the sinusoidal encoding itself.

    Takes what `sinusoidal_table` takes.
    """

    length: int
    d_model: int
    base: float = 10000.0
    layout: SinusoidalLayout = "interleaved"
    name = say("sinusoidal encoding PE")
    unit = ""
    signed = True

    def __post_init__(self) -> None:
        check_int("length", self.length, 1)
        sinusoidal_inv_freq(self.d_model, self.base, self.layout)  # checks the others

    @property
    def rows(self) -> Axis:
        """Positions."""
        return Axis(say("position"), self.length)

    @property
    def cols(self) -> Axis:
        """Dimensions."""
        return Axis(say("dimension"), self.d_model)

    def at(self, rows: Tensor, cols: Tensor) -> Tensor:
        """Exact values, float64 (len(rows), len(cols))."""
        return sinusoidal_at(rows, self.d_model, self.base, self.layout)[:, cols]

    def steps(self, row: int, col: int) -> tuple[Step, ...]:
        """Frequency of the pair, angle at the position, its sine or cosine."""
        value = value_at(self, row, col)
        return sinusoidal_steps(row, col, self.d_model, self.base, self.layout, value)

    def mean(self, row_edges: Tensor, col_edges: Tensor) -> Tensor:
        """Exact mean over blocks of positions and dimensions."""
        by_dimension = self.mean_rows(row_edges)
        spans = zip(col_edges[:-1].tolist(), col_edges[1:].tolist(), strict=True)
        return torch.stack([by_dimension[:, a:b].mean(dim=1) for a, b in spans], dim=1)

    def mean_rows(self, row_edges: Tensor) -> Tensor:
        """Mean encoding of each block of positions, float64 (blocks, d_model)."""
        cis = mean_cis(sinusoidal_inv_freq(self.d_model, self.base, self.layout), row_edges)
        table = cis.real.new_zeros(len(cis), self.d_model)
        sines, cosines = wave_columns(table, self.layout)
        sines[:] = cis.imag
        cosines[:] = cis.real[:, : cosines.shape[-1]]
        return table


@dataclass(frozen=True)
class SinusoidalSimilarity:
    """Position × position: PE(m)·PE(n), the dot product of two rows of the table."""

    length: int
    d_model: int
    base: float = 10000.0
    layout: SinusoidalLayout = "interleaved"
    name = say("similarity PE(m)·PE(n)")
    unit = ""
    signed = True

    def __post_init__(self) -> None:
        SinusoidalTable(self.length, self.d_model, self.base, self.layout)  # checks the arguments

    @property
    def rows(self) -> Axis:
        """Positions."""
        return Axis(say("position m"), self.length)

    @property
    def cols(self) -> Axis:
        """Positions."""
        return Axis(say("position n"), self.length)

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
        return similarity_steps(row, col, theta, single, value_at(self, row, col))

    def _frequencies(self) -> tuple[Tensor, Tensor]:
        """Frequencies that have a sine and a cosine, and the one that has a sine alone, if any."""
        theta = sinusoidal_inv_freq(self.d_model, self.base, self.layout)
        pairs = self.d_model // 2
        return theta[:pairs], theta[pairs:]

    def mean(self, row_edges: Tensor, col_edges: Tensor) -> Tensor:
        """Exact mean over blocks: the product of their mean rows, because m and n are free."""
        table = SinusoidalTable(self.length, self.d_model, self.base, self.layout)
        return table.mean_rows(row_edges) @ table.mean_rows(col_edges).mT
