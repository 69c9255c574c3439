"""Parts that single heatmaps and grids of them share: cells, edges, colours and position axes."""

from collections.abc import Sequence
from math import ceil, log10
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from plots.style import DIVERGING, MAX_CELLS, SEQUENTIAL, axis
from plots.words import _

FEW = 10  # whole numbers that are all told beside a colour bar
MAX_LABELS = 256  # labelled ticks on one axis; the browser draws those that have room
DIGITS = 3  # of the largest number in a cell
MOST_DECIMALS = 5
SMALLEST, LARGEST = 1e-3, 1e6  # what the largest number of a matrix with decimals may be

Range = tuple[float, float]
Cells = NDArray[np.float32]
Edges = NDArray[np.float64]


def color_range(cells: Sequence[Cells], signed: bool) -> Range:
    """Lowest and highest colour for these matrices.

    Args:
        cells: Matrices; cells that are not finite are left out.
        signed: True makes the range symmetric, so that zero is white.

    Returns:
        (lowest, highest), never equal: a constant matrix gets a range of one.
    """
    finite = np.concatenate([z[np.isfinite(z)].ravel() for z in cells])
    if finite.size == 0:
        return (-1.0, 1.0) if signed else (0.0, 1.0)
    low = float(finite.min())
    high = float(finite.max())
    if signed:
        reach = max(-low, high) or 1.0
        return -reach, reach
    return (low, high) if high > low else (low, low + 1.0)


def as_cells(values: ArrayLike) -> Cells:
    """A float32 matrix of at most 512 x 512 cells, NaN where a cell has no finite value."""
    z = np.asarray(values, dtype=np.float32)
    if z.ndim != 2 or z.size == 0:
        raise ValueError(f"values must be a matrix with at least one cell, got shape {z.shape}")
    if z.size > MAX_CELLS:
        raise ValueError(f"values must hold at most {MAX_CELLS} cells, got shape {z.shape}")
    return np.where(np.isfinite(z), z, np.float32(np.nan))


def as_edges(name: str, edges: ArrayLike | None, cells: int) -> Edges:
    """The cells + 1 increasing position edges; 0, 1, ..., cells when none are given."""
    array = np.arange(cells + 1.0) if edges is None else np.asarray(edges, dtype=np.float64)
    if array.shape != (cells + 1,) or np.any(np.diff(array) <= 0):
        raise ValueError(f"{name} must be {cells + 1} increasing numbers, got shape {array.shape}")
    return array


def trace(z: Cells, rows: Edges, cols: Edges, color: Range, signed: bool) -> dict[str, Any]:
    """Attributes of a heatmap trace: values, places and colours, always with a fixed range."""
    return {
        "z": z,
        "zmin": color[0],
        "zmax": color[1],
        "colorscale": DIVERGING if signed else SEQUENTIAL,
        **_places("x", cols),
        **_places("y", rows),
    }


def hover(row_name: str, col_name: str, value: str, unit: str, rows: Edges, cols: Edges) -> str:
    """Hover text of a cell: where it is and its value."""
    where = f"{row_name} {_place('y', rows)}<br>{col_name} {_place('x', cols)}"
    named = f"{value} ({unit})" if unit else value  # "masked" then stands alone
    return f"{where}<br>{named}: %{{z:.6~g}}"


def in_cell(value: float) -> str:
    """A number in its cell, in three digits, with the minus sign of the axes; "" if masked."""
    if not np.isfinite(value):
        return ""
    whole = value % 1 == 0 and abs(value) < 1e6
    digits = f"{int(value)}" if whole else f"{value:.3g}"
    if "e" in digits:  # a narrow cell shrinks what it holds
        digits = f"{value:.2g}"
    return digits.replace("-", "−")


def in_cells(z: Cells) -> list[list[str]]:
    """The numbers of a matrix in its cells: all with as many decimals, some three digits at most.

    Zero is written "0", and one too where nothing is larger; so "1.000" is not quite one. A masked
    cell has "", and whole numbers alone, or tiny ones, are written as `in_cell` does.
    """
    shown = z[np.isfinite(z)]
    reach = float(np.abs(shown).max(initial=0))
    if np.all(shown % 1 == 0) or not SMALLEST <= reach < LARGEST:
        return [[in_cell(value) for value in row] for row in z.tolist()]
    decimals = min(max(DIGITS - ceil(log10(reach)), 1), MOST_DECIMALS)

    def text(value: float) -> str:
        if not np.isfinite(value):
            return ""
        if value == 0 or abs(value) == reach == 1:
            return f"{value:.0f}".replace("-0", "0").replace("-", "−")
        digits = f"{value:.{decimals}f}"
        return digits.replace("-", "−" if float(digits) else "")

    return [[text(value) for value in row] for row in z.tolist()]


def colorbar(
    unit: str, cells: Sequence[NDArray[Any]], reach: tuple[float, float]
) -> dict[str, Any]:
    """A thin colour bar with the unit written along it.

    It has no tick marks: one before a negative number reads as a second minus sign. Whole numbers
    alone have no halves between them.

    Args:
        unit: Of the numbers.
        cells: Matrices that are drawn with its colours; NaN where a cell has no number.
        reach: The numbers at its ends.
    """
    are_whole = all(np.all(z[np.isfinite(z)] % 1 == 0) for z in cells)
    are_few = are_whole and reach[1] - reach[0] < FEW
    return ({"tick0": 0, "dtick": 1} if are_few else {}) | {
        "title": {"text": unit, "side": "right", "font": {"size": 12}},
        "thickness": 10,
        "outlinewidth": 0,
        "xpad": 6,
    }


NO_TICKS = 5000
"""So many positions, from above: plotly widens them by a ten thousandth, comes to stand on a tick
and then draws none at all."""


def position_axis(
    title: str, edges: Edges, *, reverse: bool, labels: Sequence[str] | None = None
) -> dict[str, Any]:
    """An axis that shows the whole matrix, with integer ticks or with labels."""
    ends = [float(edges[0]) - 0.5, float(edges[-1]) - 0.5]
    if reverse and edges[-1] - edges[0] == NO_TICKS:
        ends[1] -= 0.001
    options: dict[str, Any] = {
        "range": ends[::-1] if reverse else ends,
        "showgrid": False,
        "showline": True,
        "mirror": True,
        "exponentformat": "none",
    }
    if labels is not None:
        options |= label_ticks(labels, edges[:-1], MAX_LABELS)
    elif (cells := int(ends[1] - ends[0])) < 10:
        # Never a tick between two positions; plotly takes fewer than it may.
        options["nticks"] = cells + (cells > 1)
    return axis(title, **options)


def label_ticks(labels: Sequence[str], places: Edges, most: int) -> dict[str, Any]:
    """Ticks with a label at each place, or at every nth when there are more than `most`."""
    if len(labels) != len(places):
        raise ValueError(f"labels must be {len(places)} strings, got {len(labels)}")
    step = ceil(len(labels) / most)
    return {
        "tickmode": "array",
        "tickvals": [float(place) for place in places[::step]],
        "ticktext": list(labels[::step]),
    }


def _places(name: str, edges: Edges) -> dict[str, Any]:
    widths = np.diff(edges)
    if np.all(widths == widths[0]):
        return {f"{name}0": float(edges[0] + edges[1] - 1) / 2, f"d{name}": float(widths[0])}
    return {name: edges - 0.5}


def _place(name: str, edges: Edges) -> str:
    width = int(np.diff(edges).max())
    if width == 1:
        return f"%{{{name}}}"
    return _("about {place} (block of {width:,})", place=f"%{{{name}:,.0f}}", width=width)
