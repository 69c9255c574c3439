"""Matrices as pictures: one heatmap, or several on one colour scale.

A cell is a block of positions. Its edges are integers: the block from edge a up to edge b holds
the positions a, ..., b - 1 and is drawn from a - 0.5 to b - 0.5, so that position p is always
at p on the axis, however large the blocks are.
"""

from collections.abc import Sequence
from math import ceil
from typing import Any

from numpy.typing import ArrayLike

from plots.cells import (
    Edges,
    Range,
    as_cells,
    as_edges,
    color_range,
    colorbar,
    hover,
    in_cell,
    in_cells,
    position_axis,
    trace,
)
from plots.figure import Figure
from plots.style import MARK, MASKED, MAX_CELLS, base_layout
from plots.words import _

TEXT_CELLS = 16  # matrices up to this many rows and columns show their numbers
GAP_X = 0.04  # between panels, as a fraction of the drawing
GAP_Y = 0.12
ALL_GAPS = 0.3  # the most that all gaps together may take


def heatmap(
    values: ArrayLike,
    row_edges: ArrayLike | None = None,
    col_edges: ArrayLike | None = None,
    *,
    title: str,
    x_title: str,
    y_title: str,
    signed: bool,
    unit: str = "",
    z_range: Range | None = None,
    cell_text: bool | None = None,
    square: bool | None = None,
    value_name: str = "",
    row_labels: Sequence[str] | None = None,
    col_labels: Sequence[str] | None = None,
) -> Figure:
    """One matrix as a heatmap with exact hover.

    Args:
        values: (rows, columns), kept as float32; NaN and infinite cells count as masked: they
            are drawn in grey and named "masked" on hover.
        row_edges: (rows + 1,) increasing position edges; 0, 1, ..., rows when None.
        col_edges: (columns + 1,) increasing position edges; 0, 1, ..., columns when None.
        title: What is seen.
        x_title: Name of the column axis, with its unit.
        y_title: Name of the row axis, with its unit.
        signed: True for a diverging scale with white at zero, False for a sequential one.
        unit: Unit of the values, written along the colour bar.
        z_range: (lowest, highest) colour; by default from the values, symmetric when signed.
        cell_text: Numbers in the cells; None shows them up to 16 x 16.
        square: Whether it is drawn as a square; when None, if it has as many rows as columns.
        value_name: What the hover text calls the value; "value" when empty.
        row_labels: One label per row (tokens); only for cells of one position.
        col_labels: One label per column.

    Returns:
        A figure whose first trace is the heatmap, with its z exactly the float32 values.

    Raises:
        ValueError: If shapes disagree or there are more than 512 x 512 cells.
    """
    z = as_cells(values)
    rows = as_edges("row_edges", row_edges, z.shape[0])
    cols = as_edges("col_edges", col_edges, z.shape[1])
    text = hover(y_title, x_title, value_name or _("value"), unit, rows, cols)
    color = z_range or color_range([z], signed)
    cells = trace(z, rows, cols, color, signed)
    cells |= _hover_options(text) | {"colorbar": colorbar(unit, [z], color)}
    if cell_text if cell_text is not None else max(z.shape) <= TEXT_CELLS:
        cells |= {"text": in_cells(z)}
        cells["texttemplate"] = "%{text}"
    layout = base_layout(title) | {
        "plot_bgcolor": MASKED,
        "xaxis": position_axis(x_title, cols, reverse=False, labels=col_labels),
        "yaxis": position_axis(y_title, rows, reverse=True, labels=row_labels),
        "meta": {
            "matrix": True,
            "integer_axes": row_labels is None and col_labels is None,
            "square": _is_square(rows, cols) if square is None else square,
        },
    }
    return Figure([{"type": "heatmap"} | cells], layout)


def small_multiples(
    panels: Sequence[tuple[str, ArrayLike]],
    row_edges: ArrayLike | None = None,
    col_edges: ArrayLike | None = None,
    *,
    title: str,
    x_title: str,
    y_title: str,
    signed: bool,
    unit: str = "",
    z_range: Range | None = None,
    value_name: str = "",
    columns: int | None = None,
    linked: str | None = None,
    labels: Sequence[str] | None = None,
    apart: Sequence[int] = (),
) -> Figure:
    """Several matrices of one shape side by side, on one colour scale, zooming together.

    Args:
        panels: (name, values) pairs; each values (rows, columns) as in `heatmap`.
        row_edges: As in `heatmap`, common to all panels.
        col_edges: As in `heatmap`, common to all panels.
        title: What is seen.
        x_title: Name of the column axis.
        y_title: Name of the row axis.
        signed: As in `heatmap`.
        unit: As in `heatmap`.
        z_range: As in `heatmap`; by default from all panels together.
        value_name: As in `heatmap`.
        columns: Panels side by side on a wide screen (narrow ones show fewer); chosen when None.
        linked: Name that figures of the same rows and columns share: what is hovered in one of
            their panels is marked in all of them. None: in the panels of this figure.
        labels: One for each row and, as both axes are then of the same things, for each column
            (tokens); panels stand side by side only where their labels can be read.
        apart: Panels that have a scale of their own, whose end stands behind their names; along
            the colour bar stands, in place of the unit, that it is not theirs.

    Returns:
        A figure with one heatmap trace per panel, in the order given; a clicked cell's `curve`
        is the panel's index.

    Raises:
        ValueError: If there is no panel, shapes disagree, or all cells are more than 512 x 512.
    """
    cells = [as_cells(values) for _, values in panels]
    if len({z.shape for z in cells}) != 1 or sum(z.size for z in cells) > MAX_CELLS:
        shapes = [z.shape for z in cells]
        raise ValueError(
            f"panels must be matrices of one shape, {MAX_CELLS} cells in all, got {shapes}"
        )
    rows = as_edges("row_edges", row_edges, cells[0].shape[0])
    cols = as_edges("col_edges", col_edges, cells[0].shape[1])
    common = [z for index, z in enumerate(cells) if index not in apart]
    color = z_range or color_range(common, signed)
    text = hover(y_title, x_title, value_name or _("value"), unit, rows, cols)
    traces = []
    names = [name for name, _values in panels]
    beside = ", ".join(names[index] for index in apart)
    along = _("not for {names}", names=beside) if beside else unit
    titles = [*names]
    for index, (name, z) in enumerate(zip(names, cells, strict=True)):
        its = color
        if index in apart:
            its = color_range([z], signed)
            reach = f"±{in_cell(its[1])}" if signed else in_cell(its[1])
            titles[index] = _("{name} (to {reach})", name=name, reach=reach)
        panel = trace(z, rows, cols, its, signed) | _hover_options(f"{name}<br>{text}")
        panel |= {"type": "heatmap", "name": name, "showscale": index == 0}
        axes = {"xaxis": _axis_key("x", index), "yaxis": _axis_key("y", index)}
        panel |= axes | {"colorbar": colorbar(along, common, color)}
        traces.append(panel)
    across = columns or panel_columns(len(cells))
    x_axis = position_axis(x_title, cols, reverse=False, labels=labels)
    y_axis = position_axis(y_title, rows, reverse=True, labels=labels)
    meta: dict[str, Any] = {"integer_axes": labels is None, "panels": len(cells)}
    meta |= {"columns": across, "labelled": labels is not None}
    meta |= {"labels": None if labels is None else list(labels)}
    meta |= {"matrix": True, "square": _is_square(rows, cols)}
    meta |= {"rows": y_title, "cols": x_title, "linked": linked}
    layout = base_layout(title, top=52) | {
        "plot_bgcolor": MASKED,
        "meta": meta,
        "annotations": [_panel_name(index, title) for index, title in enumerate(titles)],
    }
    return Figure(traces, layout | _panel_axes(len(cells), across, x_axis, y_axis))


def mark_cell(figure: Figure, row: float, col: float, panel: int = 0) -> Figure:
    """Mark the cell that the page explains, with a square that shows on any colour.

    Args:
        figure: A matrix, curves or panels.
        row: Where it stands, on the vertical axis.
        col: And on the horizontal one.
        panel: In which of the panels.

    Returns:
        The figure with the mark.
    """
    marker = {
        "symbol": "square-open",
        "size": 13,
        "color": ["#ffffff", "#000000"],
        "line": {"width": [4, 1.5]},
    }
    mark = {
        "type": "scatter",
        "meta": MARK,
        "x": [col, col],
        "y": [row, row],
        "mode": "markers",
        "marker": marker,
        "hoverinfo": "skip",
        "showlegend": False,
        "cliponaxis": False,
        "xaxis": _axis_key("x", panel),
        "yaxis": _axis_key("y", panel),
    }
    return figure.add(mark)


def outline(
    figure: Figure,
    rows: tuple[int, int],
    cols: tuple[int, int],
    *,
    is_mark: bool = False,
    dash: str = "solid",
) -> Figure:
    """Frame a block of cells, visible on any colour: the row that is new, a window.

    Args:
        figure: With a matrix.
        rows: First row and the row after the last.
        cols: First column and the one after the last.
        is_mark: Whether it shows the reader's place, and is left out of files.
        dash: Of its line, as plotly names it: that of a block is told from that of a cell in it.

    Returns:
        The figure with the frame.
    """
    box = {"x0": cols[0] - 0.5, "x1": cols[1] - 0.5, "y0": rows[0] - 0.5, "y1": rows[1] - 0.5}
    lines = [{"color": "#ffffff", "width": 4}, {"color": "#000000", "width": 1.5, "dash": dash}]
    name = {"name": MARK} if is_mark else {}
    return figure.add(shapes=[{"type": "rect", "line": line, **box, **name} for line in lines])


def panel_columns(count: int) -> int:
    """Panels side by side on a wide screen: one row up to four, then rows of about equal length.

    Returns:
        Number of columns, 1 to 4.
    """
    return ceil(count / ceil(count / 4))


def _is_square(rows: Edges, cols: Edges) -> bool:
    return bool(len(rows) > 2 and rows[-1] - rows[0] == cols[-1] - cols[0])


def _hover_options(text: str) -> dict[str, Any]:
    return {"hovertemplate": text + "<extra></extra>", "hovertemplatefallback": "masked"}


def _panel_name(index: int, name: str) -> dict[str, Any]:
    return {
        "text": name,
        "showarrow": False,
        "font": {"size": 12},
        "x": 0,
        "xref": f"{_axis_key('x', index)} domain",
        "xanchor": "left",
        "y": 1,
        "yref": f"{_axis_key('y', index)} domain",
        "yanchor": "bottom",
    }


def _panel_axes(
    count: int, columns: int, x_axis: dict[str, Any], y_axis: dict[str, Any]
) -> dict[str, Any]:
    # The browser places the panels again, by the same rule, when the screen is narrow.
    bands = ceil(count / columns)
    gap_x, gap_y = min(GAP_X, ALL_GAPS / columns), min(GAP_Y, ALL_GAPS / bands)
    width = (1 - gap_x * (columns - 1)) / columns
    height = (1 - gap_y * (bands - 1)) / bands
    axes = {}
    for index in range(count):
        band, column = divmod(index, columns)
        left = column * (width + gap_x)
        bottom = (bands - 1 - band) * (height + gap_y)
        lowest = index + columns >= count
        first = column == 0
        x_place = _panel_axis("x", "y", index, left, width, lowest)
        y_place = _panel_axis("y", "x", index, bottom, height, first)
        axes[_axis_key("xaxis", index)] = x_axis | x_place
        axes[_axis_key("yaxis", index)] = y_axis | y_place
    return axes


def _panel_axis(
    name: str, other: str, index: int, start: float, size: float, labelled: bool
) -> dict[str, Any]:
    options: dict[str, Any] = {
        "domain": [start, min(start + size, 1.0)],
        "anchor": _axis_key(other, index),
        "showticklabels": labelled,
    }
    if not labelled:
        options["title"] = {"text": ""}
    return options | ({"matches": name} if index else {})


def _axis_key(name: str, index: int) -> str:
    return f"{name}{index + 1}" if index else name
