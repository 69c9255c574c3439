"""Line charts whose points can be followed: click one, or type its curve and its place.

Like the cells of a matrix, a click only writes into a text field, and the field is in the URL.
Several charts over the same places share one field: a pair or a distance is followed in all.
"""

import math
from collections.abc import Callable, Sequence
from dataclasses import replace

import streamlit as st

from plots.figure import Figure
from plots.heatmap import mark_cell
from posenc import Step
from ui.charts.component import chart
from ui.charts.follow import follow
from ui.charts.points import Coordinate, CurvePoint, choose_on_curves, curve_field
from ui.words import _, translate

Explain = Callable[[int, int], tuple[Step, ...]]
"""From the number of a curve and a place on the x axis to the steps of the point there."""


def curve_chart(
    figure: Figure,
    explain: Explain,
    *,
    key: str,
    alt: str,
    names: Sequence[str],
    places: tuple[int, int],
    x_name: str,
    default: tuple[int, int] = (0, 0),
    height: int = 420,
    rev: str = "",
    shared: Sequence[str] = (),
    labels: Sequence[str] = (),
) -> CurvePoint:
    """Draw curves of whole numbers and follow one of their points.

    Args:
        figure: Of `lines`; its first traces are the curves in the order of `names`. The chosen
            point is marked in it.
        explain: The steps of a point.
        key: Name of the chart; the URL parameter is `<key>_point`.
        alt: What the figure shows, for those who cannot see it.
        names: Of the curves, for the sentence under the formula.
        places: First and last place of the curves.
        x_name: What x is, in a word or two: "distance".
        default: Curve and place that are explained before anything is clicked.
        height: Pixels.
        rev: Anything that changes when the curves become others.
        shared: Keys of charts over the same places: a click on them writes the same field.
        labels: Names of the places 0, 1, … of bars, for the sentence under the formula.

    Returns:
        The point, for `followed_chart`.
    """
    picture, below = st.container(), st.container()
    with below:
        place = Coordinate(translate(x_name), range(places[0], places[1] + 1))
        point = choose_on_curves(curve_field(key, names, place, default, (key, *shared)))
        if labels:
            point = replace(point, words=f"{translate(labels[point.place])}, {point.words}")
        steps = explain(point.curve, point.place)
    with picture:
        figure = mark_point(figure, steps, point)
        chart(figure, key=key, alt=alt, height=height, rev=rev)
    with below:  # sent behind the picture, which is drawn as soon as it comes
        _steps(steps, point, key)
    return point


def followed_chart(
    figure: Figure,
    steps: Sequence[Step],
    point: CurvePoint | None,
    *,
    key: str,
    alt: str,
    height: int = 420,
    rev: str = "",
    unit: str = "",
) -> None:
    """Draw curves whose point another chart's field has chosen, and its steps below.

    Args:
        figure: Of `lines` or `bars`; the point is marked in it.
        steps: Of the point; none where this chart does not draw it.
        point: Of the chart that shares its field with this one; None where none is followed.
        key: Name of the chart.
        alt: What the figure shows, for those who cannot see it.
        height: Pixels.
        rev: Anything that changes when the curves become others.
        unit: Of the values.
    """
    figure = mark_point(figure, steps, point)
    chart(figure, key=key, alt=alt, height=height, rev=rev)
    if point is not None:
        _steps(steps, point, key, unit)


def _steps(steps: Sequence[Step], point: CurvePoint, key: str, unit: str = "") -> None:
    if steps:
        follow(steps, key=key, place=point.words, unit=unit)
    else:
        st.caption(_("Not in this picture: {point}.", point=point.words))


def mark_point(figure: Figure, steps: Sequence[Step], point: CurvePoint | None) -> Figure:
    """The figure with the followed point marked, if that has a number that it can show."""
    if point is not None and steps and math.isfinite(steps[-1].value):
        return mark_cell(figure, steps[-1].value, point.place)
    return figure
