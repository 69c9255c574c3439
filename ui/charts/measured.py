"""Curves of what was measured: click a point, or type its curve and its place, to follow it."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from plots.figure import Figure
from posenc import Step
from ui.charts.component import chart
from ui.charts.follow import follow, mark_point
from ui.charts.points import Coordinate, CurvePoint, PointField, choose_on_curves, curve_field
from ui.words import _, translate


@dataclass(frozen=True)
class Followed:
    """A curve whose points can be followed."""

    name: str
    places: Sequence[float]
    """Where it was measured, rising."""
    steps: Callable[[float], Sequence[Step]]
    """From one of the places to the steps of the point there."""


@dataclass(frozen=True, kw_only=True)
class MeasuredChart:
    """Curves at places of their own; one of their points is followed."""

    key: str
    """Name of the chart; the URL parameter is `<key>_point`."""
    figure: Figure
    """Figure of `lines`; its first traces are the curves. The point is marked in it."""
    curves: Sequence[Followed]
    """In the order of the traces."""
    alt: str
    """Description of the figure, for those who cannot see it."""
    x_name: str
    unit: str
    """Unit of the values."""
    height: int = 380
    rev: str = ""
    """Anything that changes when the curves become others."""
    growing: bool = False
    """Whether places join while the reader looks. Nothing is then followed before a click, so that
    pictures which change every second stay together on the screen."""
    shared: Sequence[str] = ()
    """Keys of charts over the same places: a click on them writes the same field."""
    place: float | None = None
    """Place of the first curve that is followed by default; its last one when None."""

    def show(self, below: DeltaGenerator | None = None) -> CurvePoint | None:
        """Draw the curves, their field and the steps.

        Args:
            below: Where the field and the steps stand; right under the picture when None.

        Returns:
            The point; None where none is followed.
        """
        picture = st.container()
        point = None
        below = st.container() if below is None else below
        steps: Sequence[Step] = ()
        with below:
            if any(curve.places for curve in self.curves):
                field = self._field()
                point = choose_on_curves(field) if not self.growing or field.asked_for() else None
            if point is not None:
                steps = self.curves[point.curve].steps(point.place)
        with picture:
            figure = mark_point(self.figure, steps, point)
            chart(figure, key=self.key, alt=self.alt, height=self.height, rev=self.rev)
        with below:
            if point is not None:
                follow(steps, key=self.key, place=point.words, unit=self.unit)
            elif self.growing:
                st.caption(_("Click a point to see where its number comes from."))
        return point

    def _field(self) -> PointField:
        """The field of a point, by default one of the first curve that has any."""
        curves = self.curves
        first = next(index for index, curve in enumerate(curves) if curve.places)
        # A default that moved would be written over what is being typed.
        end = curves[first].places[0 if self.growing else -1]
        if self.place is not None and self.place in curves[first].places:
            end = self.place
        names = [curve.name for curve in curves]
        known = tuple(tuple(curve.places) for curve in curves)
        places = Coordinate(translate(self.x_name).partition(" (")[0], known, by_curve=True)
        return curve_field(self.key, names, places, (first, end), (self.key, *self.shared))
