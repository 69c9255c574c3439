"""Things in rows and columns, each with a mark of its kind: small matrices, or the marks alone."""

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from plots.figure import Figure, Part
from plots.heatmap import heatmap
from plots.looks import Look
from plots.style import LEGEND


def mosaic(
    panels: ArrayLike,
    names: Sequence[Sequence[str]],
    kinds: Sequence[Sequence[str]],
    looks: Mapping[str, Look],
    labels: Mapping[str, str],
    *,
    title: str,
    x_title: str,
    y_title: str,
    chosen: tuple[int, int] | None = None,
    numbered: bool = True,
    faint: str = "",
) -> Figure:
    """Small matrices beside and below one another, on one sequential scale.

    Args:
        panels: (rows, columns, cells, cells); NaN counts as masked.
        names: (rows, columns), what stands in the hover text of each.
        kinds: (rows, columns), the id of each one's kind, which marks its upper right corner.
        looks: By kind.
        labels: Of the kinds in the legend, in its order; a kind without one has no mark.
        title: What is seen.
        x_title: What the columns are.
        y_title: What the rows are.
        chosen: Row and column of the panel with a frame.
        numbered: Whether rows and columns have their numbers on the axes.
        faint: The kind that most panels are of, with a smaller mark.

    Returns:
        A figure of the matrices, then one trace of the whole panels, whose points are in the order
        of reading, then one trace for each kind.
    """
    small = np.asarray(panels, np.float32)
    rows, columns, cells, _ = small.shape
    side = cells + 1
    large = np.full((rows * side - 1, columns * side - 1), np.nan, np.float32)
    for row in range(rows):
        for column in range(columns):
            down, right = row * side, column * side
            large[down : down + cells, right : right + cells] = small[row, column]
    figure = heatmap(
        large,
        square=False,
        title=title,
        x_title=x_title,
        y_title=y_title,
        signed=False,
        z_range=(0.0, 1.0),
        cell_text=False,
    )
    middle = [index * side + (cells - 1) / 2 for index in range(max(rows, columns))]
    x, y = np.meshgrid(middle[:columns], middle[:rows])
    whole = {
        "type": "scatter",
        "x": x.ravel(),
        "y": y.ravel(),
        "mode": "markers",
        "showlegend": False,
        "marker": {"symbol": "square", "size": 22, "opacity": 0, "color": "#888888"},
        "text": [name for line in names for name in line],
        "hovertemplate": "%{text}<extra></extra>",
    }
    figure = figure.restyle(hoverinfo="skip", hovertemplate=None).add(whole)
    corner = 0.3 * cells
    sizes = {kind: 4 if kind == faint else 7 for kind in labels}
    figure = figure.add(*_marks(kinds, looks, labels, x + corner, y - corner, sizes))
    for axis, count in (("xaxis", columns), ("yaxis", rows)):
        ticks: dict[str, Any] = {"tickmode": "array", "tickvals": middle[:count]}
        ticks["ticktext"] = [str(index) for index in range(count)] if numbered else [""] * count
        figure = figure.relayout(**{axis: ticks})
    figure = figure.relayout(meta={"integer_axes": False}, legend=LEGEND)
    if chosen is not None:
        row, column = chosen
        box = {"x0": column * side - 1, "x1": column * side + cells}
        box |= {"y0": row * side - 1, "y1": row * side + cells}
        frame = {"type": "rect", "line": {"color": "#D55E00", "width": 2.5}}
        figure = figure.add(shapes=[frame | box])
    return figure


def marks(
    names: Sequence[Sequence[str]],
    kinds: Sequence[Sequence[str]],
    looks: Mapping[str, Look],
    labels: Mapping[str, str],
    *,
    title: str,
    rows: Sequence[str],
    columns: Sequence[str],
) -> Figure:
    """A table of marks, told apart by shape and colour, with the columns' names above it.

    Args:
        names: (rows, columns), what stands in the hover text of each cell.
        kinds: (rows, columns), the id of each one's kind.
        looks: By kind.
        labels: Of the kinds.
        title: What is seen.
        rows: Their names.
        columns: Their names.

    Returns:
        A figure of the kinds as numbers, 0 for the first one, in cells without colour, then one
        trace for each kind that is there.
    """
    order = list(labels)
    figure = heatmap(
        [[order.index(kind) for kind in line] for line in kinds],
        title=title,
        x_title="",
        y_title="",
        signed=False,
        cell_text=False,
        square=False,
        row_labels=rows,
        col_labels=columns,
    )
    clear = [[0, "rgba(0,0,0,0)"], [1, "rgba(0,0,0,0)"]]
    figure = figure.restyle(
        colorscale=clear, showscale=False, text=names, hovertemplate="%{text}<extra></extra>"
    )
    x, y = np.meshgrid(range(len(columns)), range(len(rows)))
    figure = figure.add(*_marks(kinds, looks, labels, x, y, dict.fromkeys(order, 9)))
    top = {"side": "top", "tickangle": -90, "showline": False, "mirror": False}
    grid = {"showgrid": True, "showline": False, "mirror": False}
    return figure.relayout(
        plot_bgcolor="rgba(0,0,0,0)", showlegend=False, xaxis=top | grid, yaxis=grid
    )


def _marks(
    kinds: Sequence[Sequence[str]],
    looks: Mapping[str, Look],
    labels: Mapping[str, str],
    x: np.ndarray,
    y: np.ndarray,
    sizes: Mapping[str, int],
) -> list[Part]:
    """A trace for each kind that is there, with its marks at places (rows, columns)."""
    traces = []
    for kind, label in labels.items():
        there = np.array([[one == kind for one in line] for line in kinds])
        if not there.any():
            continue
        look = looks[kind]
        traces.append(
            {
                "type": "scatter",
                "x": x[there],
                "y": y[there],
                "mode": "markers",
                "name": label,
                "marker": {"symbol": look.marker, "color": look.color, "size": sizes[kind]},
                "hoverinfo": "skip",
            }
        )
    return traces
