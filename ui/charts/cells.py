"""Heatmaps that follow the cell of a matrix on the same screen."""

from plots.figure import Figure
from plots.heatmap import TEXT_CELLS, mark_cell, outline
from ui.charts.component import chart
from ui.words import _


def mark(figure: Figure, cell: tuple[int, int], shape: tuple[int, ...]) -> Figure:
    """A heatmap that draws so many rows and columns, with the followed cell marked."""
    row, col = cell
    if max(shape) <= TEXT_CELLS:  # a frame leaves the cell's number readable
        return outline(figure, (row, row + 1), (col, col + 1))
    return mark_cell(figure, row, col)


def marked_heatmap(
    figure: Figure,
    cell: tuple[int, int],
    shape: tuple[int, ...],
    *,
    key: str,
    alt: str,
    height: int,
) -> None:
    """Draw a heatmap with the cell marked that is followed below it.

    Args:
        figure: Of `heatmap`, each cell an exact value.
        cell: Row and column.
        shape: Rows and columns of the heatmap.
        key: Name of the chart.
        alt: What the figure shows, for those who cannot see it.
        height: Pixels.
    """
    figure = mark(figure, cell, shape)
    full = (-0.5, shape[1] - 0.5, -0.5, shape[0] - 0.5)
    chart(figure, key=key, alt=alt, height=height, full=full, rev=f"{shape}")


def cell_words(cell: tuple[int, int]) -> str:
    """The place of a cell, in words."""
    return _("row {row:,}, column {column:,}", row=cell[0], column=cell[1])
