"""The one chart: every 2-D figure of the app is drawn here.

A figure is plain data. It goes to the browser as one block of bytes and is drawn there by
`static/chart/chart.js`. Back come two values: the visible window and the clicked cell.
"""

import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cache
from math import ceil, floor
from typing import Any

import numpy as np
import orjson
import streamlit as st

from course.page.files import modules
from plots.clocks import spelled_out
from plots.figure import Figure
from plots.looks import ON_DARK
from posenc.words import Sentence, say
from ui.charts import stage
from ui.charts.served import STATIC, address, component, no_callback
from ui.charts.take import take
from ui.memory import memory
from ui.words import language, separators, translate

FOLDER = STATIC / "chart"
BUNDLE = "plotly-cartesian-4.1.1.min.js"
FILES = tuple(name.removeprefix("static/") for name in modules("static/chart/chart.js"))
"""chart.js and all that it imports, in `static/`."""
GRID = "rgba(128, 128, 128, 0.28)"
"""Colour of grid lines, as look.js has it."""

WORDS = {
    "pan": say("Drag moves the picture"),
    "zoomIn": say("Zoom in"),
    "zoomOut": say("Zoom out"),
    "wholeMatrix": say("Whole matrix"),
    "everything": say("Show everything"),
    "fullscreen": say("Fullscreen"),
    "masked": say("masked"),
    "span": say("{0} to {1}"),
}
"""Interface words of the browser side, by its names for them."""

KINDS = ("i1", "i2", "i4", "u1", "u2", "u4", "f4", "f8")
"""Numbers that JavaScript has arrays of."""
MOST = 2**53
"""No place on an axis is further from zero."""
Box = tuple[float, float, float, float]


@dataclass(frozen=True)
class View:
    """The visible window, in the units of the axes (log10 of them on a logarithmic axis)."""

    x0: float
    x1: float
    y0: float
    y1: float
    whole: bool = False
    """True when the reader has gone back to the whole matrix."""

    def rows(self, length: int) -> tuple[int, int]:
        """First visible row of a matrix with `length` rows, and the row after the last."""
        return _visible(self.y0, self.y1, length)

    def cols(self, length: int) -> tuple[int, int]:
        """First visible column of a matrix with `length` columns, and the one after the last."""
        return _visible(self.x0, self.x1, length)


@dataclass(frozen=True)
class Cell:
    """A clicked cell of a heatmap, or a clicked point of a curve."""

    x: float
    y: float
    z: float | None
    """Value of the cell; None on a masked cell and on curves."""
    row: int
    """Index of the cell's row in the array that was drawn; 0 on curves."""
    col: int
    """Index of the cell's column, or of the point on its curve."""
    curve: int
    """Index of the trace: the panel of small multiples, the curve of a line chart."""


@dataclass(frozen=True)
class DrawnChart:
    """A chart of this run, kept for those who put all of them into one file."""

    figure: Figure
    alt: str
    height: int


def forget_charts() -> None:
    """Begin a screen: what an earlier run has drawn is not on it."""
    memory()["__charts_kept"] = {}


def drawn_charts() -> dict[str, DrawnChart]:
    """The charts of this run by key, in the order of the screen; later ones join as they come."""
    charts: dict[str, DrawnChart] = memory().setdefault("__charts_kept", {})
    return charts


def chart(
    figure: Figure,
    *,
    key: str,
    alt: str,
    height: int = 420,
    full: Box | None = None,
    rev: str = "",
) -> None:
    """Draw a figure; its zoom stays while controls change its data.

    Args:
        figure: Any figure of scatter, bar, heatmap, contour or image traces.
        key: Unique name of the chart; also that of its program.
        alt: What the figure shows, for those who cannot see it.
        height: Height in pixels; panels below one another and lines of a legend make it taller.
        full: x0, x1, y0, y1 of the whole matrix, when the figure holds only the visible window.
        rev: Anything that changes when the matrix becomes another one; the zoom is then dropped.
    """
    if stage.leaves_out(key):
        return
    drawn_charts()[key] = DrawnChart(figure, alt, height)
    alt = translate(alt)
    state = _state(key)
    view = _remembered_view(key, state)
    ours = view if view and view["rev"] == rev and not view["whole"] else None
    payload = pack(
        figure,
        key=key,
        alt=alt,
        height=height,
        full=full,
        rev=rev,
        view=ours,
        words=_words(language()),
        staged=bool(stage.mode()),
        source=stage.source(alt),
        on_dark=ON_DARK,
        take=take(key, figure, alt, state.get("file")),
    )
    with stage.place():
        _mount(
            data=payload,
            key=key,
            height=stage.reserved_height(height),
            on_view_change=no_callback,
            on_cell_change=no_callback,
            on_file_change=no_callback,
        )


def visible_window(key: str) -> View | None:
    """The window that the reader last zoomed to, known before the page builds the chart's data.

    Args:
        key: The chart's key.

    Returns:
        The window, also after a change of page; None before the first zoom.
    """
    view = _remembered_view(key, _state(key))
    return _as_view(view) if view else None


def clicked_cell(key: str, *, reader: str = "") -> Cell | None:
    """A new click, once: for pages that copy it into their row and column inputs.

    Args:
        key: The chart's key.
        reader: Who asks: each of several hears of a click once.

    Returns:
        The cell if it was clicked since the reader's last call, else None.
    """
    cell: Any = _state(key).get("cell")
    seen = f"_chart_click_{key}_{reader}"
    kept = memory()
    if not _is_click(cell) or cell == kept.get(seen):
        return None
    kept[seen] = cell
    return _as_cell(cell)


def pack(figure: Figure, **header: Any) -> bytes:
    """One block of bytes: length of the header (u32), header (JSON), arrays.

    Sentences of the figure are told in the reader's language. Each array stands in the header as
    {"$buf": [offset, size, kind, shape]} and begins on a multiple of 8 bytes, so that the browser
    can use it in place.

    Returns:
        The bytes; `unpack` reads them.
    """
    arrays = []
    size = 0

    def keep(array: np.ndarray) -> Any:
        nonlocal size
        kind = number_kind(array)
        if kind is None:
            return array.tolist()
        raw = array.astype(f"<{kind}").tobytes()
        offset = size
        arrays.append(raw + bytes(-len(raw) % 8))
        size += len(arrays[-1])
        return {"$buf": [offset, array.size, kind, list(array.shape)]}

    text = as_json(spoken(figure) | header, keep)
    text += b" " * (-(len(text) + 4) % 8)
    return b"".join([len(text).to_bytes(4, "little"), text, *arrays])


def unpack(payload: bytes) -> dict[str, Any]:
    """The header of a payload with its arrays as numpy arrays, as the browser sees them.

    Returns:
        "data", "layout" and the header's other entries.
    """
    start = 4 + int.from_bytes(payload[:4], "little")

    def array(item: dict[str, Any]) -> Any:
        if "$buf" not in item:
            return item
        offset, size, kind, shape = item["$buf"]
        return np.frombuffer(payload, f"<{kind}", size, start + offset).reshape(shape)

    header: dict[str, Any] = json.loads(payload[4:start], object_hook=array)
    return header


def spoken(figure: Figure) -> dict[str, Any]:
    """A figure as plotly.js takes it, with the numbers of the reader's language."""
    thousands, decimal = separators(language())
    figure = spelled_out(figure)
    return (figure if decimal == "." else figure.relayout(separators=decimal + thousands)).to_dict()


def as_json(parts: Any, array: Callable[[np.ndarray], Any] = np.ndarray.tolist) -> bytes:
    """Plain data as JSON, UTF-8, told in the reader's language; what is not finite is null.

    Args:
        parts: The data.
        array: What to put in the place of each numpy array.
    """

    def plain(item: Any) -> Any:
        if isinstance(item, np.ndarray):
            return array(item)
        return translate(item) if isinstance(item, Sentence) else item.tolist()

    return orjson.dumps(parts, default=plain, option=orjson.OPT_PASSTHROUGH_SUBCLASS)


def number_kind(array: np.ndarray) -> str | None:
    """The type that a browser has for the numbers: as it is, or the shortest for long integers.

    None where it has none, and for an empty array.
    """
    if not array.size:
        return None
    kind = array.dtype.str[1:]
    if kind in ("i8", "u8"):
        low = array.min()
        high = array.max()
        shorter = (k for k in KINDS if k[0] == kind[0])
        fitting = (k for k in shorter if np.iinfo(k).min <= low and high <= np.iinfo(k).max)
        return next(fitting, None)
    return kind if kind in KINDS else None


@cache
def _words(_spoken: str) -> dict[str, str]:
    """`WORDS` in the language of the session."""
    return {name: translate(text) for name, text in WORDS.items()}


def _state(key: str) -> Mapping[str, Any]:
    state = st.session_state.get(key)
    return state if isinstance(state, Mapping) else {}


def _remembered_view(key: str, state: Mapping[str, Any]) -> dict[str, Any] | None:
    # Streamlit drops a component's state when the page changes; the copy stays.
    view = state.get("view")
    view = view if _is_window(view) else memory().get(f"_chart_view_{key}")
    memory()[f"_chart_view_{key}"] = view
    return view


# What comes back is from a browser, and anybody may send anything in its place.


def _is_window(view: object) -> bool:
    if not isinstance(view, Mapping) or not isinstance(view.get("rev"), str):
        return False
    r = view.get("r")
    sizes = [view.get("w"), view.get("h")]
    fits = r is None or (isinstance(r, list) and len(r) == 4 and all(map(_is_number, r)))
    return fits and isinstance(view.get("whole"), bool) and all(map(_is_index, sizes))


def _is_click(cell: object) -> bool:
    if not isinstance(cell, Mapping) or not isinstance(cell.get("rev"), str):
        return False
    numbers = [cell.get("x"), cell.get("y")]
    indices = cell.get("i")
    indices = indices if isinstance(indices, list) and 1 <= len(indices) <= 2 else [None]
    places = [*indices, cell.get("curve")]
    has_value = cell.get("z") is None or _is_number(cell.get("z"))
    return has_value and all(map(_is_number, numbers)) and all(map(_is_index, places))


def _is_number(value: object) -> bool:
    return isinstance(value, int | float) and -MOST <= value <= MOST


def _is_index(value: object) -> bool:
    return isinstance(value, int) and 0 <= value <= MOST


def _as_view(view: dict[str, Any] | None) -> View | None:
    if view is None or view["r"] is None:
        return None
    x0, x1, y0, y1 = view["r"]
    return View(x0, x1, y0, y1, view["whole"])


def _as_cell(cell: dict[str, Any]) -> Cell:
    *row, col = cell["i"]
    return Cell(cell["x"], cell["y"], cell["z"], row[0] if row else 0, col, cell["curve"])


def _visible(low: float, high: float, length: int) -> tuple[int, int]:
    # Position p is drawn from p - 0.5 to p + 0.5.
    start = min(max(floor(low + 0.5), 0), length - 1)
    return start, min(max(ceil(high + 0.5), start + 1), length)


def addresses() -> list[str]:
    """Where the browser's half is found: chart.js, then what it imports."""
    return [address(name) for name in FILES]


_mount = component("chart", FILES[0])
