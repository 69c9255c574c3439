"""Curves of what was measured: click a point, or type its curve and its place, to follow it."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from plots.figure import Figure
from posenc import Step
from ui.charts.component import chart
from ui.charts.curve import mark_point
from ui.charts.follow import follow
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


def measured_chart(
    figure: Figure,
    curves: Sequence[Followed],
    *,
    key: str,
    alt: str,
    x_name: str,
    unit: str,
    height: int,
    rev: str = "",
    growing: bool = False,
    shared: Sequence[str] = (),
    below: DeltaGenerator | None = None,
    place: float | None = None,
) -> CurvePoint | None:
    """Draw measured curves and follow one of their points; the URL parameter is `<key>_point`.

    Args:
        figure: Of `lines`; its first traces are the curves. The point is marked in it.
        curves: In the order of the traces.
        key: Name of the chart.
        alt: What the figure shows, for those who cannot see it.
        x_name: What x is.
        unit: Unit of the values.
        height: Pixels.
        rev: Anything that changes when the curves become others.
        growing: Whether places join while the reader looks. Nothing is then followed before a
            click, so that pictures which change every second stay together on the screen.
        shared: Keys of charts over the same places: a click on them writes the same field.
        below: Where the field and the steps stand; right under the picture when None.
        place: Place of the first curve that is followed by default; its last one when None.

    Returns:
        The point, for `followed_chart`; None where none is followed.
    """
    picture = st.container()
    point = None
    below = st.container() if below is None else below
    steps: Sequence[Step] = ()
    with below:
        if any(curve.places for curve in curves):
            field = _field(curves, key, x_name, growing, place, (key, *shared))
            point = choose_on_curves(field) if not growing or field.asked_for() else None
        if point is not None:
            steps = curves[point.curve].steps(point.place)
    with picture:
        figure = mark_point(figure, steps, point)
        chart(figure, key=key, alt=alt, height=height, rev=rev)
    with below:
        if point is not None:
            follow(steps, key=key, place=point.words, unit=unit)
        elif growing:
            st.caption(_("Click a point to see where its number comes from."))
    return point


def _field(
    curves: Sequence[Followed],
    key: str,
    x_name: str,
    growing: bool,
    place: float | None,
    charts: Sequence[str],
) -> PointField:
    """The field of a point, by default one of the first curve that has any."""
    first = next(index for index, curve in enumerate(curves) if curve.places)
    # A default that moved would be written over what is being typed.
    end = curves[first].places[0 if growing else -1]
    end = place if place is not None and place in curves[first].places else end
    names = [curve.name for curve in curves]
    known = tuple(tuple(curve.places) for curve in curves)
    places = Coordinate(translate(x_name).partition(" (")[0], known, by_curve=True)
    return curve_field(key, names, places, (first, end), charts)
