"""Parts of a picture: figures as data, each of which is drawn with all that belongs to it.

What can be followed in a figure, its table, its notebook and its export are made here, so none of
it can be left out.
"""

from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping, Sequence
from contextlib import nullcontext
from dataclasses import dataclass, field, replace
from functools import partial
from typing import Any, Protocol

import numpy as np
import pandas as pd
import streamlit as st
from numpy.typing import ArrayLike
from streamlit.delta_generator import DeltaGenerator

from plots.figure import Figure
from plots.lines import Mark, Series, bars, lines
from plots.style import OKABE_ITO
from posenc import Step, view
from posenc.quantity.matrix import value_at
from ui import notebooks
from ui.charts.component import chart
from ui.charts.follow import Explain, Followed, follow, mark_point
from ui.charts.matrix import Matrix, drawn_words
from ui.charts.moving import moving
from ui.charts.panels import CELLS, PanelFigure, draw_panels, in_words, panel_field
from ui.charts.points import (
    Coordinate,
    CurvePoint,
    Point,
    PointField,
    choose_on_curves,
    curve_field,
)
from ui.screen.bones import Frames, curve_frame, guard, readouts, view_frame
from ui.words import _, translate

ROWS = 10
"""Most rows of a table that stands whole."""
TABLE_HEIGHT = 380
"""Pixels of a longer one."""


def no_tables() -> Frames:
    """No tables: words have none."""
    return {}


@dataclass(frozen=True)
class Drawn:
    """Results of drawing a figure."""

    tables: Callable[[], Frames] = no_tables
    followed: Any = None
    """The point that is followed: `Shown` of a matrix, `CurvePoint` of curves."""


class ScreenFigure(Protocol):
    """A figure of a picture. A screen may have a class of its own."""

    def draw(self) -> Drawn:
        """Draw it where the screen stands now."""


@dataclass(frozen=True, kw_only=True)
class MatrixFigure(Matrix):
    """A matrix with its table and its program, a file of `notebooks/<screen>/`."""

    table: str
    settings: Mapping[str, Any] | None = None
    """Settings of its program; None where the notebook brings the numbers along."""
    program: str = ""
    """Its name, where that is not the key."""
    caption: str = ""

    def draw(self) -> Drawn:
        """The heatmap, its fields and the steps to its cell."""
        _offer(self.key, self.settings, self.program)
        shown = self.show()
        _caption(self.caption)
        return Drawn(lambda: {self.table: view_frame(shown.view)}, shown)


@dataclass(frozen=True, kw_only=True)
class PanelsFigure(PanelFigure):
    """Small matrices on one colour scale; one cell is followed in all of them.

    What is hovered in one panel is marked in all of them by the browser.
    """

    more: Sequence[PanelFigure] = ()
    """Further ones below, in which the same cell is followed."""
    cell: tuple[int, int]
    """The address names it `<field>_at`."""
    field: str = ""
    """The key where empty."""
    settings: Mapping[str, Any] | None = None
    """Settings of its program; None where the notebook brings the numbers along."""
    tag: str = ""
    """Tag of the panel that is followed before anything is clicked; the first when empty."""
    cells: tuple[int, int] = CELLS
    """Rows and columns of a panel at most."""
    caption: str = ""

    def draw(self) -> Drawn:
        """The panels, one field for all of them and the steps to its cell."""
        _offer(self.key, self.settings)
        field = self.field or self.key
        pictures = [self, *self.more]
        every = [panel for picture in pictures for panel in picture.panels]
        views = {panel.name: view(panel.quantity, cells=self.cells) for panel in every}
        drawn = st.container()
        with st.container():
            place = panel_field(
                every,
                key=field,
                default=(self.tag or every[0].tag, *self.cell),
                charts={picture.key: picture.panels for picture in pictures},
            )
            with drawn:
                for picture in pictures:
                    draw_panels(picture, views, place, linked=field)
            row, col, its = place.row, place.col, place.panel
            follow(
                its.quantity.steps(row, col),
                key=field,
                place=place.words,
                unit=its.quantity.unit,
                drawn=drawn_words(views[its.name], row, col),
            )
            values = {panel.name: value_at(panel.quantity, row, col) for panel in every}
            st.caption(_("In all panels there: {values}.", values=in_words(values)))
        _caption(self.caption)
        return Drawn(lambda: {name: view_frame(one) for name, one in views.items()}, place)


@dataclass(frozen=True, kw_only=True)
class PointFigure(ABC):
    """Curves or bars over whole numbers; one of their points is followed."""

    key: str
    """Name of the chart, of its field in the address and of its program."""
    alt: str
    steps: Explain | None = None
    """To a point; None where nothing is followed."""
    x_name: str = ""
    """Name of a place: "distance"."""
    point: tuple[int, int] | CurvePoint = (0, 0)
    """Curve and place that are followed before anything is clicked; or the point that a control or
    another figure has chosen."""
    shared: Sequence[str] = ()
    """Keys of charts that are clicked for the same point."""
    elsewhere: Sequence[str] = ()
    """Names of further curves, which only these charts draw."""
    ends: tuple[int, int] | None = None
    """First and last place that can be followed, where these charts draw more of them."""
    table: str = ""
    """Name of its table, if it has one of its own."""
    settings: Mapping[str, Any] | None = None
    """Settings of its program; None where the notebook brings the numbers along."""
    parts: Sequence[str] = ()
    """Programs of functions that its own one calls."""
    height: int = 420
    rev: str = ""
    """Anything that changes when the curves become others."""
    caption: str = ""
    unit: str = ""
    growing: bool = False
    """Whether places join while the reader looks. Nothing is then followed before a click, so that
    pictures which change every second stay together on the screen."""

    @abstractmethod
    def drawing(self) -> Figure:
        """The curves or bars."""

    @abstractmethod
    def places(self) -> np.ndarray:
        """Whole numbers that rise."""

    @abstractmethod
    def heights(self) -> Mapping[str, Any]:
        """Over the places, by the names of the curves; a pandas series has only some of them."""

    def place_names(self) -> Sequence[str]:
        """Names of the places 0, 1, …, where they have some."""
        return ()

    def draw(self, below: DeltaGenerator | None = None) -> Drawn:
        """The curves, their field and the steps to the point; these stand in `below`, if given."""
        _offer(self.key, self.settings, parts=self.parts)
        picture = st.container()
        figure = self.drawing()
        with below or nullcontext():
            point = self._point()
        steps = self._steps_to(point) if point is not None else ()
        with picture:
            figure = mark_point(figure, steps, point)
            chart(figure, key=self.key, alt=self.alt, height=self.height, rev=self.rev)
        with below or nullcontext():  # sent behind the picture, which is drawn as soon as it comes
            if point is not None:
                follow(steps, key=self.key, place=point.words, unit=self.unit)
            elif self.growing:
                st.caption(_("Click a point to see where its number comes from."))
        _caption(self.caption)
        return Drawn(self._tables, point)

    def _steps_to(self, point: CurvePoint) -> Sequence[Step]:
        return self.steps(point.curve, point.place) if self.steps else ()

    def _point(self) -> CurvePoint | None:
        """The point that was chosen elsewhere, or in a field that is drawn here."""
        if self.steps is None:
            return None
        if isinstance(self.point, CurvePoint):
            return self.point
        places = self.places()
        labels = self.place_names()
        first, last = self.ends or (int(places[0]), int(places[-1]))
        x_axis = Coordinate(translate(self.x_name), range(first, last + 1))
        names = [*self.heights(), *self.elsewhere]
        charts = (self.key, *self.shared)
        point = choose_on_curves(curve_field(self.key, names, x_axis, self.point, charts))
        if labels:
            point = replace(point, words=f"{translate(labels[point.place])}, {point.words}")
        return point

    def _tables(self) -> Frames:
        x = np.array(self.place_names() or self.places())
        return {self.table: curve_frame(self.x_name, x, self.heights())} if self.table else {}


@dataclass(frozen=True, kw_only=True)
class TitledFigure(PointFigure):
    """Curves or bars that are drawn here, with titles and marks."""

    title: str
    x_title: str
    y_title: str
    log_y: bool = False
    y_range: tuple[float, float] | None = None
    marks: Sequence[Mark] = ()
    finish: Callable[[Figure], Figure] = lambda figure: figure
    """Adds to the drawing."""

    @property
    def titles(self) -> dict[str, Any]:
        """Titles, marks and the y axis, as `plots.lines` takes them."""
        names = ("title", "x_title", "y_title", "log_y", "y_range", "marks")
        return {name: getattr(self, name) for name in names}


@dataclass(frozen=True, kw_only=True)
class LinesFigure(TitledFigure):
    """Curves over a common x axis."""

    x: ArrayLike
    """Whole numbers that rise."""
    series: Sequence[Series]
    log_x: bool = False

    def drawing(self) -> Figure:
        """The curves."""
        return self.finish(lines(self.x, self.series, log_x=self.log_x, **self.titles))

    def places(self) -> np.ndarray:
        """Those of all curves."""
        own = [np.asarray(one.x) for one in self.series if one.x is not None]
        return np.unique(np.concatenate(own)) if own else np.asarray(self.x)

    def heights(self) -> Mapping[str, Any]:
        """Heights of each curve."""
        return {
            one.name: np.asarray(one.y) if one.x is None else pd.Series(one.y, np.asarray(one.x))
            for one in self.series
        }


@dataclass(frozen=True, kw_only=True)
class BarsFigure(TitledFigure):
    """Bars side by side, at the places 0, 1, and so on."""

    values: ArrayLike
    name: str
    """Name of the heights, in a word or two."""
    ticks: Sequence[str] = ()
    """Stand under the bars; their numbers where there are none."""
    labels: Sequence[str] = ()
    """Names of the bars, in sentences and tables."""
    color: str | Sequence[str] = OKABE_ITO[0]

    def drawing(self) -> Figure:
        """The bars."""
        labels = self.ticks or None
        return self.finish(bars(self.values, labels=labels, color=self.color, **self.titles))

    def places(self) -> np.ndarray:
        """The numbers of the bars."""
        return np.arange(len(np.asarray(self.values)))

    def heights(self) -> Mapping[str, Any]:
        """Heights of all bars."""
        return {self.name: np.asarray(self.values)}

    def place_names(self) -> Sequence[str]:
        """Names of the bars."""
        return self.labels


@dataclass(frozen=True, kw_only=True)
class CurvesFigure(PointFigure):
    """Curves that are drawn otherwise than they are followed."""

    figure: Figure
    x: np.ndarray
    """Whole numbers that rise."""
    curves: Mapping[str, Any]
    """Heights over `x` by name."""

    def drawing(self) -> Figure:
        """As it was made."""
        return self.figure

    def places(self) -> np.ndarray:
        """Places of all curves."""
        return self.x

    def heights(self) -> Mapping[str, Any]:
        """Heights of each curve that can be followed."""
        return self.curves


@dataclass(frozen=True, kw_only=True)
class MeasuredFigure(PointFigure):
    """Curves of what was measured, each at places of its own."""

    figure: Figure
    """Figure of `lines`; its first traces are the curves. The point is marked in it."""
    curves: Sequence[Followed]
    """In the order of the traces."""
    place: float | None = None
    """Place of the first curve that is followed by default; its last one when None."""
    frame: pd.DataFrame | None = None
    """Its table, if it has one of its own."""
    height: int = 380

    def drawing(self) -> Figure:
        """As it was made."""
        return self.figure

    def places(self) -> np.ndarray:
        """Those of all curves."""
        return np.unique([place for curve in self.curves for place in curve.places])

    def heights(self) -> Mapping[str, Any]:
        """Nothing but what the table says."""
        return {}

    def _steps_to(self, point: CurvePoint) -> Sequence[Step]:
        return self.curves[point.curve].steps(point.place)

    def _point(self) -> CurvePoint | None:
        """By default one of the first curve that has any; none while it grows and nobody asks."""
        curves = self.curves
        if not any(curve.places for curve in curves):
            return None
        first = next(index for index, curve in enumerate(curves) if curve.places)
        # A default that moved would be written over what is being typed.
        end = curves[first].places[0 if self.growing else -1]
        if self.place is not None and self.place in curves[first].places:
            end = self.place
        known = tuple(tuple(curve.places) for curve in curves)
        x_axis = Coordinate(translate(self.x_name).partition(" (")[0], known, by_curve=True)
        names = [curve.name for curve in curves]
        field = curve_field(self.key, names, x_axis, (first, end), (self.key, *self.shared))
        return choose_on_curves(field) if not self.growing or field.asked_for() else None

    def _tables(self) -> Frames:
        return {} if self.frame is None else {self.table: self.frame}


@dataclass(frozen=True, kw_only=True)
class ChartFigure:
    """A drawing in which no number is followed."""

    key: str
    figure: Figure
    alt: str
    height: int = 420
    rev: str = ""
    """Anything that changes when the drawing becomes another one."""
    caption: str = ""
    tables: Callable[[], Frames] = no_tables

    def draw(self) -> Drawn:
        """The drawing."""
        chart(self.figure, key=self.key, alt=self.alt, height=self.height, rev=self.rev)
        _caption(self.caption)
        return Drawn(self.tables)


@dataclass(frozen=True, kw_only=True)
class MovingFigure:
    """A picture that moves and is dragged in the browser, with a point that is followed below."""

    key: str
    """Its name, that of its program and of its module in `static/pictures/`."""
    alt: str
    words: Mapping[str, str]
    """Interface words of the browser side, by its names for them."""
    data: Callable[[Point], Mapping[str, Any]]
    """Data to draw with a point followed, plain JSON; "at" says where the picture stands."""
    still: Callable[[Point], Figure]
    """Figure in its place where nothing may move, and in files."""
    settings: Callable[[Point], Mapping[str, Any]] | None = None
    """Settings of its program; None where the notebook brings the numbers along."""
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
            settings = self.settings(point) if self.settings else None
            _offer(self.key, settings, self.program, self.parts)
            moving(
                self.module or self.key,
                {**self.data(point), "alt": self.alt, "interface": said},
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

    words: str = ""
    title: str = ""
    """Title of what begins here."""
    small: bool = False
    """Whether the words are a caption."""
    code: str = ""
    language: str = "python"
    steps: Sequence[Step] = ()
    place: str = ""
    """Where their number stands, in words."""

    def draw(self) -> Drawn:
        """All of them."""
        if self.title:
            st.header(self.title, anchor=False)
        if self.words:
            (st.caption if self.small else st.markdown)(self.words)
        if self.code:
            st.code(self.code, language=self.language, wrap_lines=self.language == "bash")
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
    indexed: bool = True
    """Whether its index is drawn."""
    formats: Mapping[str, str] = field(default_factory=dict)
    """Formats of columns of numbers."""
    help: Mapping[str, str] = field(default_factory=dict)
    """Sentences about columns, by name."""

    def draw(self) -> Drawn:
        """The table."""
        _caption(self.caption)
        shown = self.frame.T if self.turned else self.frame
        st.dataframe(
            shown,
            height="content" if len(shown) <= ROWS else TABLE_HEIGHT,
            hide_index=None if self.indexed else True,
            column_config={
                name: st.column_config.NumberColumn(format=form)
                for name, form in self.formats.items()
            }
            | {name: st.column_config.Column(help=words) for name, words in self.help.items()},
        )
        return Drawn(lambda: {self.name: self.frame})


@dataclass(frozen=True, kw_only=True)
class WordTableFigure:
    """Words in rows and columns, in as many lines as they need."""

    name: str
    frame: pd.DataFrame

    def draw(self) -> Drawn:
        """The table."""
        st.table(self.frame)
        return Drawn(lambda: {self.name: self.frame})


@dataclass(frozen=True, kw_only=True)
class FoldedFigure:
    """Figures that are one press away."""

    title: str
    figures: Sequence[ScreenFigure]

    def draw(self) -> Drawn:
        """All of them, folded away."""
        with st.expander(self.title):
            return column(self.figures)


@dataclass(frozen=True, kw_only=True)
class RowFigure:
    """Figures beside each other."""

    figures: Sequence[ScreenFigure | Callable[[Any], ScreenFigure]]
    """One that depends on what is followed in the first is a function of that."""
    caption: str = ""

    def draw(self) -> Drawn:
        """Each in a column."""
        drawn: list[Drawn] = []
        places = st.columns(len(self.figures), gap="large")
        for place, figure in zip(places, self.figures, strict=True):
            with place:
                one = figure(drawn[0].followed) if callable(figure) else figure
                drawn.append(one.draw())
        _caption(self.caption)
        return Drawn(partial(_all_tables, drawn), drawn[0].followed)


@dataclass(frozen=True, kw_only=True)
class ColumnFigure:
    """Figures below each other, as in a picture."""

    figures: Sequence[ScreenFigure | Callable[[Any], ScreenFigure]]

    def draw(self) -> Drawn:
        """One after the other."""
        return column(self.figures)


def column(
    figures: Sequence[ScreenFigure | Callable[[Any], ScreenFigure]],
    below_first: Callable[[Any], None] = lambda _followed: None,
) -> Drawn:
    """Draw figures below each other; one that cannot be drawn below the first gets a sentence."""
    first, *others = figures
    assert not callable(first), "nothing is followed before the first figure"
    drawn = [first.draw()]
    followed = drawn[0].followed
    below_first(followed)
    for figure in others:
        with guard():
            drawn.append((figure(followed) if callable(figure) else figure).draw())
    return Drawn(partial(_all_tables, drawn), followed)


def _all_tables(drawn: Sequence[Drawn]) -> Frames:
    return {name: table for one in drawn for name, table in one.tables().items()}


def _offer(
    key: str,
    settings: Mapping[str, Any] | None,
    program: str = "",
    parts: Sequence[str] = (),
) -> None:
    if settings is not None:
        notebooks.computed(key, parts, program, **settings)


def _caption(words: str) -> None:
    if words:
        st.caption(words)
