"""Figures of curves and bars, one of whose points is followed."""

from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping, Sequence
from contextlib import nullcontext
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import pandas as pd
import streamlit as st
from numpy.typing import ArrayLike
from streamlit.delta_generator import DeltaGenerator

from plots.figure import Figure
from plots.heatmap import mark_cell
from plots.lines import Mark, Series, bars, lines, mark_bar
from plots.style import OKABE_ITO
from posenc.quantity.step import Step
from ui.charts import stage
from ui.charts.component import chart
from ui.charts.follow import Explain, Followed, follow, mark_point, reading
from ui.charts.points import (
    Coordinate,
    CurvePoint,
    choose_on_curves,
    curve_field,
)
from ui.screen.figures.figure import Drawn, caption, offer
from ui.screen.layout import Frames, curve_frame
from ui.words import _, rounded, translate


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

    def mark(self, figure: Figure, value: float, place: int) -> Figure:
        """The drawing with the followed point marked."""
        return mark_cell(figure, value, place)

    def draw(self, below: DeltaGenerator | None = None) -> Drawn:
        """The curves, their field and the steps to the point; these stand in `below`, if given."""
        offer(self.key, self.settings, parts=self.parts)
        picture = stage.room(self.key, self.height)
        figure = self.drawing()
        with below or nullcontext(), st.container(horizontal=True):
            told = st.container(width="content")
            point = self._point()
        steps = self._steps_to(point) if point is not None else ()
        if point is not None and steps:
            with told:
                reading(point.words, steps[-1].value, self.unit)
        with picture:
            figure = mark_point(figure, steps, point, self.mark)
            chart(figure, key=self.key, alt=self.alt, height=self.height, rev=self.rev)
        with below or nullcontext():  # sent behind the picture, which is drawn as soon as it comes
            caption(self.caption)
            if point is not None:
                follow(steps, key=self.key, place=point.words, unit=self.unit)
            elif self.growing:
                st.caption(_("Choose a point to see where its number comes from."))
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
            told = {"place": point.words, "label": translate(labels[point.place])}
            point = replace(point, words=_("{place} ({label})", **told))
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
    labels: Sequence[str] = ()
    """Names of the places, in sentences and tables."""
    finish: Callable[[Figure], Figure] = lambda figure: figure
    """Adds to the drawing."""

    @property
    def titles(self) -> dict[str, Any]:
        """Titles, marks and the y axis, as `plots.lines` takes them."""
        names = ("title", "x_title", "y_title", "log_y", "y_range", "marks")
        return {name: getattr(self, name) for name in names}

    def place_names(self) -> Sequence[str]:
        """Names of the places."""
        return self.labels


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
    color: str | Sequence[str] = OKABE_ITO[0]

    def drawing(self) -> Figure:
        """The bars."""
        labels = self.ticks or None
        return self.finish(bars(self.values, labels=labels, color=self.color, **self.titles))

    def mark(self, figure: Figure, value: float, place: int) -> Figure:
        """The bars, one of them framed, with its number at its end."""
        return mark_bar(figure, value, place, rounded(value, 3))

    def places(self) -> np.ndarray:
        """The numbers of the bars."""
        return np.arange(len(np.asarray(self.values)))

    def heights(self) -> Mapping[str, Any]:
        """Heights of all bars."""
        return {self.name: np.asarray(self.values)}


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
        known = [tuple(curve.places) for curve in curves]
        x_axis = Coordinate(translate(self.x_name).partition(" (")[0], known)
        names = [curve.name for curve in curves]
        field = curve_field(self.key, names, x_axis, (first, end), (self.key, *self.shared))
        return choose_on_curves(field) if not self.growing or field.asked_for() else None

    def _tables(self) -> Frames:
        return {} if self.frame is None else {self.table: self.frame}
