"""A picture as data: what a screen shows of its settings; and what draws any of them.

A picture draws nothing, remembers nothing and asks nobody. What can be followed in its figures,
their tables, their notebooks and their exports is made here, so none of it can be left out.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from typing import Any, Protocol

import numpy as np
import pandas as pd
import streamlit as st

from plots.figure import Figure
from posenc import Quantity, Step
from ui import controls, notebooks
from ui.charts.curve import Explain, curve_chart, followed_chart
from ui.charts.follow import follow
from ui.charts.matrix import Shown, Window, matrix
from ui.charts.moving import moving
from ui.charts.panels import CELLS, PanelFigure, follow_panels
from ui.charts.points import CurvePoint, FromClick, Point, PointField
from ui.screen.bones import columns, curve_frame, guard, readouts, view_frame
from ui.screen.budget import seat
from ui.screen.lesson import Lesson
from ui.screen.view import Frames, ScreenView
from ui.words import _, translate

ROWS = 10
"""Of a table that stands whole."""
TABLE_HEIGHT = 380
"""Pixels of a longer one."""


def no_tables() -> Frames:
    """Of words, which have none."""
    return {}


@dataclass(frozen=True)
class Drawn:
    """What drawing a figure has brought up."""

    tables: Callable[[], Frames] = no_tables
    followed: Any = None
    """What is shown and followed: `Shown` of a matrix, `CurvePoint` of curves."""


class ScreenFigure(Protocol):
    """What a picture is made of. A screen may have one of its own."""

    def draw(self) -> Drawn:
        """Draw it where the screen stands now."""


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
    is_chosen: bool = False
    """Whether this cell was chosen in another figure: then there are no fields."""
    table: str
    """Name of its table."""
    settings: Mapping[str, Any] | None
    """Of its program; None where the notebook brings the numbers along."""
    program: str = ""
    """Its name, where that is not the key."""
    height: int = 460
    frame: Window | None = None
    """A block to draw a frame around."""
    z_range: tuple[float, float] | None = None
    """Of the colours; that of the values when None."""
    clicks: Mapping[str, FromClick] | None = None
    """Keys of other charts to the cell that a click on them follows."""
    caption: str = ""

    def draw(self) -> Drawn:
        """The heatmap, its fields and the steps to its cell."""
        _offer(self.key, self.settings, self.program)
        shown = matrix(
            self.quantity,
            key=self.key,
            title=self.title,
            alt=self.alt,
            default_cell=self.cell,
            is_chosen=self.is_chosen,
            height=self.height,
            frame=self.frame,
            z_range=self.z_range,
            clicks=self.clicks,
        )
        _caption(self.caption)
        return Drawn(lambda: {self.table: view_frame(shown.view)}, shown)


@dataclass(frozen=True, kw_only=True)
class PanelsFigure:
    """Small matrices on one colour scale; one cell is followed in all of them."""

    panels: PanelFigure
    field: str
    """The address names the cell `<field>_at`."""
    cell: tuple[int, int]
    settings: Mapping[str, Any] | None
    """Of the program that is named as the panels' key; None where the notebook brings the numbers
    along."""
    tag: str = ""
    """Of the panel that is followed before anything is clicked; the first when empty."""
    cells: tuple[int, int] = CELLS
    """Rows and columns of a panel at most."""
    caption: str = ""

    def draw(self) -> Drawn:
        """The panels, one field for all of them and the steps to its cell."""
        _offer(self.panels.key, self.settings)
        views, place = follow_panels(
            [self.panels], key=self.field, default=self.cell, tag=self.tag, cells=self.cells
        )
        _caption(self.caption)
        return Drawn(lambda: {name: view_frame(view) for name, view in views.items()}, place)


@dataclass(frozen=True, kw_only=True)
class CurvesFigure:
    """Curves or bars over whole numbers; one of their points is followed."""

    key: str
    """Name of the chart, of its field in the address and of its program."""
    figure: Figure
    alt: str
    steps: Explain
    x: np.ndarray
    """Places, whole numbers that rise."""
    curves: Mapping[str, Any]
    """Heights over `x` by name; a pandas series where a curve has only some of the places."""
    x_name: str
    """What a place is: "distance"."""
    point: tuple[int, int] | CurvePoint
    """Curve and place that are followed before anything is clicked; or the point that a control or
    another figure has chosen."""
    shared: Sequence[str] = ()
    """Keys of charts that are clicked for the same point."""
    labels: Sequence[str] = ()
    """Of the places 0, 1, … of bars."""
    table: str = ""
    """Name of its table, if it has one of its own."""
    settings: Mapping[str, Any] | None
    """Of its program; None where the notebook brings the numbers along."""
    height: int = 420
    rev: str = ""
    """Anything that changes when the curves become others."""
    caption: str = ""

    def draw(self) -> Drawn:
        """The curves, their field and the steps to the point."""
        _offer(self.key, self.settings)
        point = self._chosen(self.point) if isinstance(self.point, CurvePoint) else self._choose()
        _caption(self.caption)
        return Drawn(self._tables, point)

    def _choose(self) -> CurvePoint:
        return curve_chart(
            self.figure,
            self.steps,
            key=self.key,
            alt=self.alt,
            names=list(self.curves),
            places=(int(self.x[0]), int(self.x[-1])),
            x_name=self.x_name,
            default=self.point,  # type: ignore[arg-type]
            height=self.height,
            rev=self.rev,
            shared=self.shared,
            labels=self.labels,
        )

    def _chosen(self, point: CurvePoint) -> CurvePoint:
        steps = self.steps(point.curve, point.place)
        followed_chart(
            self.figure,
            steps,
            point,
            key=self.key,
            alt=self.alt,
            height=self.height,
            rev=self.rev,
        )
        return point

    def _tables(self) -> Frames:
        x = np.array(self.labels) if self.labels else self.x
        return {self.table: curve_frame(self.x_name, x, self.curves)} if self.table else {}


@dataclass(frozen=True, kw_only=True)
class MovingFigure:
    """What moves and is dragged in the browser, and a point of it that is followed below."""

    key: str
    """Its name, that of its program and of its module in `static/pictures/`."""
    alt: str
    words: Mapping[str, str]
    """What the browser's half says, by its names there."""
    data: Callable[[Point], Mapping[str, Any]]
    """What is drawn with a point followed, plain JSON; "at" says where the picture stands."""
    still: Callable[[Point], Figure]
    """What stands in its place where nothing may move, and in files."""
    settings: Callable[[Point], Mapping[str, Any]] | None
    """Of its program; None where the notebook brings the numbers along."""
    height: int
    field: PointField | None = None
    steps: Callable[[Point], Sequence[Step]] | None = None
    """To the point that is followed; None where the picture itself shows them."""
    parts: Sequence[str] = ()
    """Programs of functions that its own one calls."""
    module: str = ""
    program: str = ""
    """These two where their names are others."""
    captions: Sequence[str] = ()
    tables: Callable[[], Frames] = no_tables

    def draw(self) -> Drawn:
        """The picture, its field and the steps to its point."""
        picture = st.container()
        for words in self.captions:
            st.caption(words)
        point = self.field.choose() if self.field else ()
        if self.field and self.steps:
            follow(self.steps(point), key=self.key, place=self.field.words(point))
        said = {name: translate(text) for name, text in self.words.items()}
        with picture:
            if self.settings is not None:
                notebooks.computed(self.key, self.parts, self.program, **self.settings(point))
            moving(
                self.module or self.key,
                {**self.data(point), "alt": self.alt, "told": said},
                key=self.key,
                height=self.height,
                still=self.still(point),
            )
        return Drawn(self.tables, point)


@dataclass(frozen=True, kw_only=True)
class ReadoutsFigure:
    """A few numbers by label, and what some of them are."""

    readouts: Mapping[str, str]
    help: Mapping[str, str] = field(default_factory=dict)
    caption: str = ""
    """Stands above them."""

    def draw(self) -> Drawn:
        """The numbers in a row."""
        _caption(self.caption)
        readouts(self.readouts, help=self.help)
        return Drawn()


@dataclass(frozen=True)
class WordsFigure:
    """A sentence, and what it leads to: lines of Python, or the steps to a number."""

    words: str
    title: str = ""
    """Of what begins here."""
    code: str = ""
    steps: Sequence[Step] = ()
    place: str = ""
    """Where their number stands, in words."""

    def draw(self) -> Drawn:
        """All of them."""
        if self.title:
            st.header(self.title, anchor=False)
        st.markdown(self.words)
        if self.code:
            st.code(self.code, language="python")
        if self.steps:
            follow(self.steps, key="words", place=self.place)
        return Drawn()


@dataclass(frozen=True, kw_only=True)
class TableFigure:
    """Numbers or words in rows and columns, read as they stand."""

    name: str
    frame: pd.DataFrame
    caption: str = ""
    """Stands above it."""
    turned: bool = False
    """Whether its rows are drawn as columns."""

    def draw(self) -> Drawn:
        """The table."""
        _caption(self.caption)
        shown = self.frame.T if self.turned else self.frame
        st.dataframe(shown, height="content" if len(shown) <= ROWS else TABLE_HEIGHT)
        return Drawn(lambda: {self.name: self.frame})


@dataclass(frozen=True, kw_only=True)
class RowFigure:
    """Figures beside each other."""

    figures: Sequence[ScreenFigure]

    def draw(self) -> Drawn:
        """Each in a column."""
        drawn = []
        places = st.columns(len(self.figures), gap="large")
        for place, figure in zip(places, self.figures, strict=True):
            with place:
                drawn.append(figure.draw())
        return Drawn(partial(_all_tables, drawn))


@dataclass(frozen=True, kw_only=True)
class ColumnFigure:
    """Figures below each other, as in a picture."""

    figures: Sequence[ScreenFigure | Callable[[Any], ScreenFigure]]

    def draw(self) -> Drawn:
        """One after the other."""
        return _column(self.figures)


@dataclass(frozen=True, kw_only=True)
class Picture:
    """What a screen shows of its settings.

    Attributes:
        figures: One below the other. One that depends on what is followed in the first is a
            function of that; one below the first that cannot be drawn gets a sentence.
        words: A sentence above the figures.
        note: A sentence above all, on what is odd about the settings.
        readouts: A few numbers below the first figure, by label; a function of what is followed
            where they depend on that.
        help: What some of them are, by label.
        memory: Bytes that drawing it takes at the peak, where they are many.
        code: Python against `posenc` that leaves the first figure's numbers in `values`, where no
            program computes it; a function of what is followed where it depends on that.
    """

    figures: Sequence[ScreenFigure | Callable[[Any], ScreenFigure]]
    words: str = ""
    note: str = ""
    readouts: Mapping[str, str] | Callable[[Any], Mapping[str, str]] = field(default_factory=dict)
    help: Mapping[str, str] = field(default_factory=dict)
    memory: int = 0
    code: str | Callable[[Any], str] = ""


Pictures = Mapping[str, tuple[str, type, Callable[[Any], Picture]]]
"""By id, as the address names it: the label, the dataclass of settings, whose controls are drawn,
and the picture of these settings."""


def draw(picture: Picture) -> ScreenView:
    """Draw a picture where the screen stands now."""
    if picture.note:
        st.info(picture.note)
    if picture.words:
        st.markdown(picture.words)
    with seat(picture.memory):
        drawn = _column(picture.figures, partial(_readouts, picture))
    code = picture.code if isinstance(picture.code, str) else picture.code(drawn.followed)
    return ScreenView(drawn.tables, code)


def _column(
    figures: Sequence[ScreenFigure | Callable[[Any], ScreenFigure]],
    below_first: Callable[[Any], None] = lambda _followed: None,
) -> Drawn:
    first, *others = figures
    assert not callable(first), "nothing is followed before the first figure"
    drawn = [first.draw()]
    followed = drawn[0].followed
    below_first(followed)
    for figure in others:
        with guard():
            drawn.append((figure(followed) if callable(figure) else figure).draw())
    return Drawn(partial(_all_tables, drawn), followed)


def only(settings: Any, *names: str) -> dict[str, Any]:
    """The settings that a program needs, by their names."""
    return {name: getattr(settings, name) for name in names}


def _all_tables(drawn: Sequence[Drawn]) -> Frames:
    return {name: table for one in drawn for name, table in one.tables().items()}


def _readouts(picture: Picture, followed: Any) -> None:
    readings = picture.readouts
    values = dict(readings(followed) if callable(readings) else readings)
    if isinstance(followed, Shown):
        values.setdefault(_("computed in"), _("{time:.1f} ms", time=followed.milliseconds))
    if values:
        readouts(values, help=picture.help)


def _offer(key: str, settings: Mapping[str, Any] | None, program: str = "") -> None:
    if settings is not None:
        notebooks.computed(key, (), program, **settings)


def _caption(words: str) -> None:
    if words:
        st.caption(words)


def screen_of(
    pictures: Pictures,
    presets: Mapping[str, Mapping[str, Any]],
    preset_labels: Mapping[str, str],
    hear: Sequence[Callable[[], None]] = (),
) -> Callable[[Lesson], ScreenView | None]:
    """What draws a screen of controls and one chosen picture, for `screen.show`.

    Args:
        pictures: Those to choose from.
        presets: Settings by the id of a preset.
        preset_labels: Its label.
        hear: What copies reports of pictures that move into the controls, before they are drawn.
    """

    def shown(lesson: Lesson) -> ScreenView | None:
        for listener in hear:
            listener()
        left, right = columns(lesson)
        with right:
            labels = {name: label for name, (label, *_its) in pictures.items()}
            chosen = controls.picture(labels) if len(labels) > 1 else next(iter(labels))
        _label, kind, picture = pictures[chosen]
        with left:
            controls.presets(presets, preset_labels)
            settings: Any = controls.read(
                kind, partial(right.container, horizontal=True, vertical_alignment="bottom")
            )
        view = None
        with right, guard():
            view = draw(picture(settings))
        return view

    return shown
