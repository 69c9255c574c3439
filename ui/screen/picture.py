"""A picture as data: what a screen shows of its settings; and what draws any of them.

A picture draws nothing, remembers nothing and asks nobody. What can be followed in its figures,
their tables, their notebooks and their exports is made here, so none of it can be left out.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, TypeVar

import streamlit as st

from plots.figure import Figure
from posenc import Quantity
from ui import controls, notebooks
from ui.charts.curve import Explain, curve_chart
from ui.charts.matrix import Shown, matrix
from ui.charts.panels import PanelFigure, follow_panels
from ui.screen.bones import columns, guard, readouts, view_frame
from ui.screen.lesson import Lesson
from ui.screen.view import Frames, ScreenView
from ui.words import _


@dataclass(frozen=True, kw_only=True)
class MatrixFigure:
    """A quantity as a heatmap: zoomed to single cells, and one of them followed."""

    key: str
    """Name of the chart, of its fields in the address and of its program, a file of
    `notebooks/<screen>/`."""
    quantity: Quantity
    title: str
    alt: str
    """What the figure shows, for those who cannot see it."""
    cell: tuple[int, int]
    """Row and column that are followed before anything is clicked."""
    table: str
    """Name of its table."""
    settings: Mapping[str, Any]
    """Of its program."""


@dataclass(frozen=True, kw_only=True)
class PanelsFigure:
    """Small matrices on one colour scale; one cell is followed in all of them."""

    panels: PanelFigure
    field: str
    """The address names the cell `<field>_at`."""
    cell: tuple[int, int]
    settings: Mapping[str, Any]
    """Of the program that is named as the panels' key."""


@dataclass(frozen=True, kw_only=True)
class CurvesFigure:
    """Curves or bars over whole numbers; one of their points is followed."""

    key: str
    """Name of the chart, of its field in the address and of its program."""
    figure: Figure
    alt: str
    steps: Explain
    names: Sequence[str]
    """Of the curves."""
    places: tuple[int, int]
    """First and last place of the curves."""
    x_name: str
    """What a place is: "distance"."""
    point: tuple[int, int]
    """Curve and place that are followed before anything is clicked."""
    tables: Frames
    settings: Mapping[str, Any] | None
    """Of its program; None where the notebook brings the numbers along."""
    height: int = 420
    rev: str = ""
    """Anything that changes when the curves become others."""
    caption: str = ""


Settings = TypeVar("Settings")
ScreenFigure = MatrixFigure | PanelsFigure | CurvesFigure


@dataclass(frozen=True, kw_only=True)
class Picture:
    """What a screen shows of its settings.

    Attributes:
        figures: One below the other.
        code: Python against `posenc` that leaves the first figure's numbers in `values`; made of
            the window that is shown where the first figure is a matrix.
        words: A sentence above the figures.
        readouts: A few numbers below them, by label.
    """

    figures: Sequence[ScreenFigure]
    code: str | Callable[[Shown], str]
    words: str = ""
    readouts: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True)
class Drawn:
    """What drawing a figure has brought up."""

    tables: Callable[[], Frames]
    matrix: Shown | None = None


def draw(picture: Picture) -> ScreenView:
    """Draw a picture where the screen stands now."""
    if picture.words:
        st.markdown(picture.words)
    drawn = [_draw(figure) for figure in picture.figures]
    shown = drawn[0].matrix
    values = dict(picture.readouts)
    if shown is not None:
        values[_("computed in")] = _("{time:.1f} ms", time=shown.milliseconds)
    if values:
        readouts(values)
    code = picture.code
    if not isinstance(code, str):
        assert shown is not None, "only a matrix has a window"
        code = code(shown)
    return ScreenView(lambda: {name: t for one in drawn for name, t in one.tables().items()}, code)


def _draw(figure: ScreenFigure) -> Drawn:
    match figure:
        case MatrixFigure():
            return _draw_matrix(figure)
        case PanelsFigure():
            return _draw_panels(figure)
        case CurvesFigure():
            return _draw_curves(figure)


def _draw_matrix(figure: MatrixFigure) -> Drawn:
    notebooks.computed(figure.key, **figure.settings)
    shown = matrix(
        figure.quantity,
        key=figure.key,
        title=figure.title,
        alt=figure.alt,
        default_cell=figure.cell,
    )
    return Drawn(lambda: {figure.table: view_frame(shown.view)}, shown)


def _draw_panels(figure: PanelsFigure) -> Drawn:
    notebooks.computed(figure.panels.key, **figure.settings)
    views, _place = follow_panels([figure.panels], key=figure.field, default=figure.cell)
    return Drawn(lambda: {name: view_frame(view) for name, view in views.items()})


def _draw_curves(figure: CurvesFigure) -> Drawn:
    if figure.settings is not None:
        notebooks.computed(figure.key, **figure.settings)
    curve_chart(
        figure.figure,
        figure.steps,
        key=figure.key,
        alt=figure.alt,
        names=figure.names,
        places=figure.places,
        x_name=figure.x_name,
        default=figure.point,
        height=figure.height,
        rev=figure.rev,
    )
    if figure.caption:
        st.caption(figure.caption)
    return Drawn(lambda: figure.tables)


def screen_of(
    read: Callable[[], Settings],
    pictures: Mapping[str, tuple[str, Callable[[Settings], Picture]]],
    presets: Mapping[str, Mapping[str, Any]],
    preset_labels: Mapping[str, str],
) -> Callable[[Lesson], ScreenView | None]:
    """What draws a screen of controls and one chosen picture, for `screen.show`.

    Args:
        read: Draws the controls; what they say.
        pictures: By id, as the address names it: the label, and the picture of the settings.
        presets: Settings by the id of a preset.
        preset_labels: Its label.
    """

    def shown(lesson: Lesson) -> ScreenView | None:
        left, right = columns(lesson)
        with left:
            controls.presets(presets, preset_labels)
            settings = read()
        view = None
        with right:
            chosen = controls.picture({name: label for name, (label, _make) in pictures.items()})
            with guard():
                view = draw(pictures[chosen][1](settings))
        return view

    return shown
