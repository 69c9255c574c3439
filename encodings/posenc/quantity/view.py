"""A view of a matrix: it costs what a picture costs, however long the axes are."""

from dataclasses import dataclass
from typing import Literal

import torch
from torch import Tensor

from posenc.checks import check_int
from posenc.quantity.matrix import Axis, Quantity

MAX_CELLS = 512
"""Most rows and most columns of a view: no picture shows more."""


@dataclass(frozen=True)
class View:
    """A window of a quantity, reduced to cells that a screen can show."""

    values: Tensor
    """float32 (rows, cols)."""
    row_edges: Tensor
    """int64 (rows + 1,): cell r covers positions row_edges[r] … row_edges[r + 1] - 1."""
    col_edges: Tensor
    kind: Literal["exact", "block_mean", "centre"]

    @property
    def row_step(self) -> int:
        """Positions that one cell covers downwards."""
        return int(self.row_edges[1] - self.row_edges[0])

    @property
    def col_step(self) -> int:
        """Positions that one cell covers to the right."""
        return int(self.col_edges[1] - self.col_edges[0])


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
    kind: Literal["exact", "block_mean", "centre"]
    if len(row_edges) + len(col_edges) - 2 == int(
        row_edges[-1] - row_edges[0] + col_edges[-1] - col_edges[0]
    ):
        kind = "exact"
        values = quantity.at(row_edges[:-1], col_edges[:-1])
    elif mean is not None:
        kind = "block_mean"
        values = mean(row_edges, col_edges)
    else:
        kind = "centre"
        values = quantity.at(_centres(row_edges), _centres(col_edges))
    return View(values.to("cpu", torch.float32), row_edges, col_edges, kind)


def _edges(name: str, window: tuple[int, int] | None, axis: Axis, cells: int) -> Tensor:
    start, stop = window if window is not None else (0, axis.length)
    check_int(f"cells[{name}]", cells, 1, maximum=MAX_CELLS)
    if not 0 <= start < stop <= axis.length:
        raise ValueError(
            f"{name} must be a window (start, stop) with 0 <= start < stop <= {axis.length}, got "
            f"({start}, {stop})."
        )
    step = -(-(stop - start) // cells)
    edges = torch.arange(start, stop, step)
    return torch.cat((edges, torch.tensor([stop])))


def _centres(edges: Tensor) -> Tensor:
    return (edges[:-1] + edges[1:] - 1) // 2
