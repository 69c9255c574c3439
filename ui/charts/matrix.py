"""One matrix on a screen: a view of a quantity that follows zoom, typed windows and clicked cells.

Zoom and click only write into two text fields, and the fields are in the URL: so keyboards, screen
readers, copied addresses and the back button reach everything that the mouse reaches.
"""

import re
from collections.abc import Mapping
from dataclasses import dataclass

import streamlit as st
import torch
from torch import Tensor

from plots.figure import Figure
from plots.heatmap import TEXT_CELLS, heatmap, mark_cell, outline
from posenc.quantity.matrix import Quantity
from posenc.quantity.view import View, view
from posenc.words import say
from ui import controls, notebooks
from ui.charts import stage
from ui.charts.component import chart, visible_window
from ui.charts.follow import follow, labelled, reading
from ui.charts.points import FromClick, cell_field
from ui.memory import memory
from ui.screen.layout import timed
from ui.words import _, markdown, number, translate

CELLS = (256, 384)
"""Rows and columns computed at most: about what a laptop's picture shows, and 0.4 MB to send."""


Window = tuple[tuple[int, int], tuple[int, int]]
"""First row and the row after the last, first column and the column after the last."""


@dataclass(frozen=True)
class Shown:
    """A matrix picture as it is shown now."""

    view: View
    rows: tuple[int, int]
    cols: tuple[int, int]
    cell: tuple[int, int]
    value: float
    """The exact value at `cell`, float64."""
    milliseconds: float
    """Time to compute the view."""


@dataclass(frozen=True, kw_only=True)
class Matrix:
    """A quantity as a heatmap: zoomed to single cells, and one of them followed."""

    key: str
    """Name of the chart; the URL parameters are `<key>_window` and `<key>_cell`."""
    quantity: Quantity
    title: str
    alt: str
    """Description of the figure, for those who cannot see it."""
    cell: tuple[int, int]
    """Row and column that are followed before anything is clicked."""
    is_chosen: bool = False
    """Whether this cell was chosen in another figure: then all is drawn, and there are no
    fields."""
    height: int = 460
    frame: Window | None = None
    """A block to draw a frame around."""
    z_range: tuple[float, float] | None = None
    """Range of the colours; that of the values when None."""
    clicks: Mapping[str, FromClick] | None = None
    """Keys of other charts to the cell that a click on them follows."""

    def show(self) -> Shown:
        """Draw it with its window and cell fields, and the steps to its cell."""
        quantity = self.quantity
        lengths = quantity.rows.length, quantity.cols.length
        field = cell_field(self.key, lengths, self.cell, self.clicks)
        picture, words = stage.beside(self.key, self.height, is_square=lengths[0] == lengths[1])
        with words:
            told = st.container(horizontal=True)
            calculation = st.container()
            window = st.container()
        rows, cols = ((0, length) for length in lengths)
        cell = self.cell
        rev = f"{lengths}"
        if not self.is_chosen:
            with window:
                rows, cols, rev = _window(quantity, self.key)
            with told:
                there = st.container(width="content")
                row, col = field.choose()
                cell = row, col
        steps = quantity.steps(*cell)
        place = field.words(cell)
        with timed() as watch:
            shown = view(quantity, rows, cols, CELLS)
        if not self.is_chosen:
            notebooks.window(self.key, shown)
            with there:
                where = labelled(quantity, *cell) or place
                reading(where, steps[-1].value, quantity.unit, quantity.name)
            with window:
                st.caption(cell_words(shown))
        with picture:
            figure = self._figure(shown, rows, cols)
            if self.frame is not None:
                figure = outline(figure, *self.frame, dash="dot")
            if rows[0] <= cell[0] < rows[1] and cols[0] <= cell[1] < cols[1]:
                figure = _mark(figure, cell, shown.values.shape)
            full = (-0.5, lengths[1] - 0.5, -0.5, lengths[0] - 0.5)
            chart(figure, key=self.key, alt=self.alt, height=self.height, full=full, rev=rev)
        drawn = drawn_words(shown, *cell)
        with calculation:
            follow(steps, key=self.key, place=place, unit=quantity.unit, drawn=drawn)
        return Shown(shown, rows, cols, cell, steps[-1].value, watch.milliseconds)

    def _figure(self, shown: View, rows: tuple[int, int], cols: tuple[int, int]) -> Figure:
        quantity = self.quantity
        return heatmap(
            shown.values.numpy(),
            shown.row_edges.numpy(),
            shown.col_edges.numpy(),
            title=translate(self.title),
            x_title=translate(quantity.cols.name),
            y_title=translate(quantity.rows.name),
            unit=translate(quantity.unit),
            signed=quantity.signed,
            z_range=self.z_range,
            square=quantity.rows.length == quantity.cols.length,
            value_name=translate(quantity.name),
            row_labels=_labels(quantity.rows.labels, rows),
            col_labels=_labels(quantity.cols.labels, cols),
        )


def _mark(figure: Figure, cell: tuple[int, int], shape: tuple[int, ...]) -> Figure:
    row, col = cell
    if max(shape) <= TEXT_CELLS:  # a frame leaves the cell's number readable
        return outline(figure, (row, row + 1), (col, col + 1), is_mark=True)
    return mark_cell(figure, row, col)


def cell_words(shown: View) -> str:
    """Meaning of a view's cells, in words."""
    if shown.kind == "exact":
        return _("Each cell: one row and one column, the exact value.")
    block = {"rows": shown.row_step, "columns": shown.col_step}
    if shown.kind == "block_mean":
        return _(
            "Each cell: the exact mean of a block of {rows:,} × {columns:,}. Zoom in to reach "
            "single cells.",
            **block,
        )
    return _(
        "Each cell: the exact value at the centre of a block of {rows:,} × {columns:,}. Zoom in "
        "for the others.",
        **block,
    )


def drawn_words(shown: View, row: int, col: int) -> str:
    """Sentence on the value drawn where a cell shares a block; "" where it is drawn alone."""
    (r, row_span), (c, col_span) = (
        _block(edges, at) for edges, at in ((shown.row_edges, row), (shown.col_edges, col))
    )
    if shown.kind == "exact" or not row_span or not col_span:
        return ""
    value = shown.values[r, c].item()
    what = {
        "value": _("nothing") if value != value else number(value, ".6g"),
        "rows": row_span,
        "columns": col_span,
    }
    if shown.kind == "block_mean":
        return _(
            "The picture shows {value} there, the exact mean of rows {rows}, columns {columns}.",
            **what,
        )
    return _(
        "The picture shows {value} there, the value at the centre of rows {rows}, columns "
        "{columns}.",
        **what,
    )


def _block(edges: Tensor, at: int) -> tuple[int, str]:
    """Which block of a view holds a position, and the block in words; no words if none does."""
    block = int(torch.searchsorted(edges, at, right=True)) - 1
    if not 0 <= block < len(edges) - 1:
        return block, ""
    first = int(edges[block])
    last = int(edges[block + 1]) - 1
    return block, _("{first:,} to {last:,}", first=first, last=last)


def _labels(labels: tuple[str, ...] | None, window: tuple[int, int]) -> tuple[str, ...] | None:
    return None if labels is None else labels[slice(*window)]


def _window(quantity: Quantity, key: str) -> tuple[tuple[int, int], tuple[int, int], str]:
    """The window that is shown, and the chart's revision: it changes when the reader types one."""
    state = memory()
    field = f"{key}_window"
    whole = (0, quantity.rows.length), (0, quantity.cols.length)
    zoom = visible_window(key)
    if zoom is not None and zoom != state.get(f"_{key}_zoom"):
        state[f"_{key}_zoom"] = zoom
        rows = zoom.rows(quantity.rows.length)
        cols = zoom.cols(quantity.cols.length)
        seen = _window_text((rows, cols))
        known = "" if zoom.whole or (rows, cols) == whole else seen
        controls.put(field, known)
        state[f"_{key}_known"] = known
    shown = controls.value(field, "")
    if state.get(f"_{key}_whole", whole) != whole and not _fits(shown, whole):
        controls.put(field, "")  # the matrix became smaller than the window that was zoomed to
    state[f"_{key}_whole"] = whole
    typed = controls.line(
        field,
        _("Window (rows, columns)"),
        placeholder=_window_text(whole),
        help=_(
            "First row:row after the last, first column:column after the last. Empty: all. "
            "Zooming the picture writes it."
        ),
        width=220,
    )
    if typed != state.get(f"_{key}_known", ""):
        state[f"_{key}_known"] = typed
        state[f"_{key}_typed"] = state.get(f"_{key}_typed", 0) + 1
    revision = f"{whole}{state.get(f'_{key}_typed', 0)}"
    try:
        rows, cols = parse_window(typed, whole)
    except ValueError as error:
        st.error(markdown(say("{error} Showing the whole matrix.", error=error)))
        rows, cols = whole
    return rows, cols, revision


def parse_window(typed: str, whole: Window) -> Window:
    """Read "0:64, 0:64" as rows 0 to 63 and columns 0 to 63; nothing typed is the whole matrix.

    Raises:
        ValueError: If it is not of this form, empty, or outside the matrix.
    """
    if not typed.strip():
        return whole
    found = re.fullmatch(r"\s*(\d{1,12}):(\d{1,12})\s*,\s*(\d{1,12}):(\d{1,12})\s*", typed)
    if found:
        r0, r1, c0, c1 = map(int, found.groups())
        if r0 < r1 <= whole[0][1] and c0 < c1 <= whole[1][1]:
            return (r0, r1), (c0, c1)
    raise ValueError(
        say(
            "The window must be rows, columns as first:last + 1 within {whole}; got {typed!r}.",
            whole=_window_text(whole),
            typed=typed[:40],
        )
    )


def _window_text(window: Window) -> str:
    return ", ".join(f"{first}:{end}" for first, end in window)


def _fits(typed: str, whole: Window) -> bool:
    try:
        parse_window(typed, whole)
    except ValueError:
        return False
    return True
