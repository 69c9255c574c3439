"""Hands on clocks: complex numbers of length one that turn as a slider moves."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from math import ceil
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from plots.figure import Figure, Part
from plots.style import NEUTRAL, OKABE_ITO, base_layout
from plots.words import _

PER_ROW = 4
SPACING = 2.6  # between the centres of two clocks, in radii
STILL = {"transition": {"duration": 0}}
PLAY = {"frame": {"duration": 60, "redraw": False}, **STILL}
JUMP = {"frame": {"duration": 0, "redraw": False}, "mode": "immediate", **STILL}

Hands = NDArray[np.complex128]
Turn = Callable[[int], Hands]


@dataclass(frozen=True, eq=False)
class Turning(Sequence[Part]):
    """The frames of turning hands, each made when it is asked for: only files play them.

    Attributes:
        positions: (frames,) integers.
        rows: Of clocks.
        start: Frame that is shown first.
        turn: From a position to the tips of all hands.
    """

    positions: NDArray[np.int64]
    rows: int
    start: int
    turn: Turn

    def __len__(self) -> int:
        return len(self.positions)

    def __getitem__(self, index: Any) -> Any:
        """Name and traces of a frame: the first traces of the figure at that position."""
        return {
            "name": f"{self.positions[index]:,}",
            "data": _traces(self.turn(int(self.positions[index])), self.rows),
            "traces": list(range(2 * self.rows)),
        }


def clocks(
    positions: ArrayLike,
    labels: Sequence[str],
    turn: Turn,
    *,
    title: str,
    start: int = 0,
) -> Figure:
    """One clock for each hand, four in a row, with a slider over the positions.

    An angle of zero points to the right and grows counterclockwise, as on paper.

    Args:
        positions: (frames,) integers, in order.
        labels: One line under each clock.
        turn: From a position to the tips of all hands, one for each label.
        title: What is seen.
        start: Frame that is shown first.

    Returns:
        A figure. Its first traces, one for each row of clocks, hold the tips at frame `start`: y is
        the imaginary part. Its frames are `Turning`.
    """
    frames = Turning(np.asarray(positions), ceil(len(labels) / PER_ROW), start, turn)
    layout = _layout(title, frames.rows, min(len(labels), PER_ROW))
    moving = frames[start]["data"]
    shown = [trace | style for trace, style in zip(moving, _styles(frames.rows), strict=True)]
    faces = [face for index in range(len(labels)) for face in _face(index)]
    notes = [_label(index, label) for index, label in enumerate(labels)]
    figure = Figure(shown, layout).add(shapes=faces, annotations=notes)
    return replace(figure, frames=frames)


def spelled_out(figure: Figure) -> Figure:
    """The figure with plotly's own player where it has `Turning` frames: a button and a slider."""
    if not isinstance(figure.frames, Turning):
        return figure
    frames = list(figure.frames)
    names = [one["name"] for one in frames]
    slider = {
        "steps": [{"label": n, "method": "animate", "args": [[n], JUMP]} for n in names],
        "currentvalue": {"prefix": f"{_('position')} "},
        "pad": {"t": 50},
        "active": figure.frames.start,
    }
    play = [None, PLAY | {"fromcurrent": True}]
    buttons = [
        {"label": _("Play"), "method": "animate", "args": play},
        {"label": _("Pause"), "method": "animate", "args": [[None], JUMP]},
    ]
    menu = {"type": "buttons", "direction": "left", "buttons": buttons, "y": -0.2}
    return replace(figure.relayout(sliders=[slider], updatemenus=[menu]), frames=frames)


def _traces(tips: Hands, rows: int) -> list[dict[str, Any]]:
    """Moving traces: for each row of clocks the tips, then for each row the hands."""
    centres = SPACING * (np.arange(tips.size) % PER_ROW)
    ends = tips + centres
    # A gap between hands is a point that is not a number.
    hands = np.stack([centres + 0j, ends, np.full(tips.size, complex(np.nan, np.nan))], axis=1)
    parts = [ends[r * PER_ROW : (r + 1) * PER_ROW] for r in range(rows)]
    parts += [hands[r * PER_ROW : (r + 1) * PER_ROW].ravel() for r in range(rows)]
    return [
        {"type": "scatter", "x": part.real.astype("f4"), "y": part.imag.astype("f4")}
        for part in parts
    ]


def _styles(rows: int) -> list[dict[str, Any]]:
    # No label, but unlike "skip" it leaves the tips to be clicked.
    tip = {"mode": "markers", "marker": {"size": 10, "color": OKABE_ITO[0]}, "hoverinfo": "none"}
    hand = {
        "mode": "lines",
        "line": {"width": 3, "color": OKABE_ITO[0]},
        "hoverinfo": "skip",
        "showlegend": False,
    }
    return [style | {"yaxis": _y(row)} for style in (tip, hand) for row in range(rows)]


def _layout(title: str, rows: int, columns: int) -> dict[str, Any]:
    hidden = {"visible": False, "fixedrange": True}
    height = 1 / rows
    layout = base_layout(title) | {
        "showlegend": False,
        "margin": {"l": 8, "r": 8, "t": 48, "b": 8},
        "xaxis": hidden | {"range": [-1.3, SPACING * (columns - 1) + 1.3], "constrain": "domain"},
    }
    for row in range(rows):
        top = 1 - row * height
        layout["yaxis" if row == 0 else f"yaxis{row + 1}"] = hidden | {
            "range": [-1.75, 1.1],
            "domain": [top - height, top],
            "scaleanchor": "x",
            "constrain": "domain",
        }
    return layout


def _face(index: int) -> list[Part]:
    """The circle, and where the hand stood at position 0."""
    row, column = divmod(index, PER_ROW)
    centre = SPACING * column
    common = {"yref": _y(row), "line": {"color": NEUTRAL, "width": 1}}
    circle = {"x0": centre - 1, "x1": centre + 1, "y0": -1, "y1": 1, "layer": "below"}
    start = {"x0": centre + 0.85, "x1": centre + 1, "y0": 0, "y1": 0}
    return [{"type": "circle"} | circle | common, {"type": "line"} | start | common]


def _label(index: int, text: str) -> Part:
    row, column = divmod(index, PER_ROW)
    return {
        "x": SPACING * column,
        "y": -1.12,
        "yref": _y(row),
        "text": text,
        "showarrow": False,
        "yanchor": "top",
        "font": {"size": 12},
    }


def _y(row: int) -> str:
    return f"y{row + 1}" if row else "y"
