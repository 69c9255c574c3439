"""What can be drawn: matrices known by their formula, and views that cost what a picture costs."""

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Literal, Protocol

import torch
from torch import Tensor

from posenc.checks import check_int
from posenc.quantity.step import Step

MAX_CELLS = 512
"""Most rows and most columns of a view: no picture shows more."""


@dataclass(frozen=True)
class Axis:
    """One axis of a matrix: what its index means and how far it goes."""

    name: str
    length: int
    labels: tuple[str, ...] | None = None


class QueryByKey:
    """The axes that most quantities share: positions of queries down, of keys to the right."""

    length: int

    @property
    def rows(self) -> Axis:
        """Positions of the query."""
        return Axis("query position i", self.length)

    @property
    def cols(self) -> Axis:
        """Positions of the key."""
        return Axis("key position j", self.length)


class Quantity(Protocol):
    """A matrix known by its formula. Nothing of its full size is ever built.

    A quantity whose blocks have a closed-form mean also has
    `mean(row_edges, col_edges) -> Tensor`: the exact mean over each block, where block r holds the
    integer positions row_edges[r] … row_edges[r + 1] - 1; float64 (len - 1, len - 1).
    """

    @property
    def name(self) -> str:
        """What a cell is, in words."""
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


@dataclass(frozen=True)
class View:
    """A window of a quantity, reduced to cells that a screen can show."""

    values: Tensor
    """float32 (rows, cols)."""
    row_edges: Tensor
    """int64 (rows + 1,): cell r covers positions row_edges[r] … row_edges[r + 1] - 1."""
    col_edges: Tensor
    kind: Literal["exact", "block mean", "centre"]

    @property
    def row_step(self) -> int:
        """Positions that one cell covers downwards."""
        return int(self.row_edges[1] - self.row_edges[0])

    @property
    def col_step(self) -> int:
        """Positions that one cell covers to the right."""
        return int(self.col_edges[1] - self.col_edges[0])


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


def view(
    quantity: Quantity,
    rows: tuple[int, int] | None = None,
    cols: tuple[int, int] | None = None,
    cells: tuple[int, int] = (MAX_CELLS, MAX_CELLS),
) -> View:
    """Evaluate a window of a quantity at no more than `cells` cells.

    A cell that covers one position each way shows the value; a larger one its exact mean where the
    quantity has a closed form, else the exact value at its centre. The cost depends on the number
    of cells alone, not on the length of the axes.

    Args:
        quantity: What to look at.
        rows: First row and the row after the last; default all.
        cols: First column and the column after the last; default all.
        cells: At most this many rows and columns, each 1 to 512.

    Returns:
        The `View`, on the CPU, float32.

    Raises:
        ValueError: If a window is empty or leaves the matrix, or more than 512 cells are asked for.
    """
    row_edges = _edges("rows", rows, quantity.rows, cells[0])
    col_edges = _edges("cols", cols, quantity.cols, cells[1])
    mean = getattr(quantity, "mean", None)
    kind: Literal["exact", "block mean", "centre"]
    if len(row_edges) + len(col_edges) - 2 == int(
        row_edges[-1] - row_edges[0] + col_edges[-1] - col_edges[0]
    ):
        kind, values = "exact", quantity.at(row_edges[:-1], col_edges[:-1])
    elif mean is not None:
        kind, values = "block mean", mean(row_edges, col_edges)
    else:
        kind, values = "centre", quantity.at(_centres(row_edges), _centres(col_edges))
    return View(values.to("cpu", torch.float32), row_edges, col_edges, kind)


def mean_cis(inv_freq: Tensor, edges: Tensor) -> Tensor:
    """Mean of exp(i p θ) over the positions p of each block, in closed form.

    A geometric sum: exp(i θ centre) · sin(n θ / 2) / (n sin(θ / 2)) for a block of n positions,
    the second factor being the Dirichlet kernel (its limit where θ is a multiple of 2π is ±1).

    Args:
        inv_freq: θ, float64 (freqs,), radians per position.
        edges: int64 (blocks + 1,).

    Returns:
        complex128 (blocks, freqs). Its real part is the mean of the cosines, its imaginary part
        that of the sines.
    """
    count = (edges[1:] - edges[:-1]).to(torch.float64)[:, None]
    centre = (edges[1:] + edges[:-1] - 1).to(torch.float64)[:, None] / 2
    half = inv_freq.to(torch.float64) / 2
    # remainder keeps a numerator and denominator of equal smallness where θ passes a multiple of 2π
    small = torch.remainder(half + torch.pi / 2, torch.pi) - torch.pi / 2
    flips = torch.round((half - small) / torch.pi)
    sign = torch.where(torch.remainder(flips * (count - 1), 2) == 1, -1.0, 1.0)
    tiny = small.abs() < 1e-12
    safe = torch.where(tiny, torch.ones_like(small), small)
    kernel = torch.where(tiny, 1.0, torch.sin(count * safe) / (count * torch.sin(safe)))
    return torch.polar(torch.ones_like(kernel), centre * inv_freq) * (sign * kernel)


def _edges(name: str, window: tuple[int, int] | None, axis: Axis, cells: int) -> Tensor:
    start, stop = window if window is not None else (0, axis.length)
    check_int(f"cells of {name}", cells, 1, maximum=MAX_CELLS)
    if not 0 <= start < stop <= axis.length:
        raise ValueError(
            f"{name} must be a window (start, stop) with 0 <= start < stop <= {axis.length}, "
            f"got ({start}, {stop})."
        )
    step = -(-(stop - start) // cells)
    edges = torch.arange(start, stop, step)
    return torch.cat((edges, torch.tensor([stop])))


def _centres(edges: Tensor) -> Tensor:
    return (edges[:-1] + edges[1:] - 1) // 2
