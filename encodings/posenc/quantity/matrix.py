"""Matrices to draw: known by their formula, or computed by a model."""

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Protocol

import torch
from torch import Tensor

from posenc.quantity.step import Step
from posenc.words import say


@dataclass(frozen=True)
class Axis:
    """One axis of a matrix: what its index means and how far it goes."""

    name: str
    length: int
    labels: tuple[str, ...] | None = None


def queries_by_keys(length: int, labels: tuple[str, ...] | None = None) -> tuple[Axis, Axis]:
    """The axes of an attention over one text: queries down, keys to the right."""
    return Axis(say("query i"), length, labels), Axis(say("key j"), length, labels)


class QueryByKey:
    """The axes that most quantities share: positions of queries down, of keys to the right."""

    length: int
    letters = "ij"
    """Letters of the two positions."""
    unit = ""

    @property
    def rows(self) -> Axis:
        """Positions of the query."""
        return Axis(say("query position {letter}", letter=self.letters[0]), self.length)

    @property
    def cols(self) -> Axis:
        """Positions of the key."""
        return Axis(say("key position {letter}", letter=self.letters[1]), self.length)


class Quantity(Protocol):
    """A matrix known by its formula. Nothing of its full size is ever built.

    A quantity whose blocks have a closed-form mean also has
    `mean(row_edges, col_edges) -> Tensor`: the exact mean over each block, where block r holds the
    integer positions row_edges[r] … row_edges[r + 1] - 1; float64 (len - 1, len - 1).
    """

    @property
    def name(self) -> str:
        """Name of a cell's value, in words."""
        ...

    @property
    def rows(self) -> Axis:
        """The axis that runs down."""
        ...

    @property
    def cols(self) -> Axis:
        """The axis that runs right."""
        ...

    @property
    def unit(self) -> str:
        """Unit of a cell's value; empty for a pure number."""
        ...

    @property
    def signed(self) -> bool:
        """True where zero is a middle: the picture takes a diverging scale centred on it."""
        ...

    def at(self, rows: Tensor, cols: Tensor) -> Tensor:
        """Exact values, float64 (len(rows), len(cols)), at integer positions."""
        ...

    def steps(self, row: int, col: int) -> tuple[Step, ...]:
        """The formula with the numbers of one cell, ending in the value that `at` has there."""
        ...


def value_at(quantity: Quantity, row: int, col: int) -> float:
    """The value of one cell, exact."""
    return float(quantity.at(torch.tensor([row]), torch.tensor([col]))[0, 0])


@dataclass(frozen=True)
class Computed:
    """A matrix that comes out of a model: values there already, (rows, cols).

    Args:
        values: (rows, cols), of any dtype and device; NaN where a mask hides the cell.
        name: What a cell is.
        rows: The axis that runs down.
        cols: The axis that runs right.
        unit: Unit of a cell.
        signed: True where zero is a middle.
        explain: From row and column to the steps of a cell; the last one's value is replaced by
            the cell's own. None where the values are simply given (a trained table).
    """

    values: Tensor
    name: str
    rows: Axis
    cols: Axis
    unit: str = ""
    signed: bool = False
    explain: Callable[[int, int], tuple[Step, ...]] | None = None

    def at(self, rows: Tensor, cols: Tensor) -> Tensor:
        """The values themselves, float64."""
        return self.values[rows[:, None], cols[None, :]].to("cpu", torch.float64)

    def steps(self, row: int, col: int) -> tuple[Step, ...]:
        """The steps of `explain`, ending in the cell's own value."""
        value = value_at(self, row, col)
        if self.explain is None:
            return (Step(rf"\text{{{self.name}}}_{{{row},\,{col}}}", "", "", value),)
        *before, last = self.explain(row, col)
        return (*before, replace(last, value=value))
