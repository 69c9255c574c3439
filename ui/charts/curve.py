"""Line charts whose points can be followed: click one, or type its curve and its place.

Like the cells of a matrix, a click only writes into a text field, and the field is in the URL.
Several charts over the same places share one field: a pair or a distance is followed in all.
"""

import math
import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

import plotly.graph_objects as go
import streamlit as st

from plots.heatmap import mark_cell
from posenc import Step
from ui.charts.component import chart, clicked_cell
from ui.charts.follow import follow, place_field

Explain = Callable[[int, int], tuple[Step, ...]]
"""From the number of a curve and a place on the x axis to the steps of the point there."""


@dataclass(frozen=True)
class Point:
    """The point that is followed."""

    curve: int
    place: int
    words: str
    """Where it is: "YaRN, pair 40"."""


def curve_chart(
    figure: go.Figure,
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
) -> Point:
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
        point = _point(key, names, places, x_name, default, (key, *shared))
        if labels:
            point = replace(point, words=f"{labels[point.place]}, {point.words}")
        steps = explain(point.curve, point.place)
        _steps(steps, point, key)
    with picture:
        mark_point(figure, steps, point)
        chart(figure, key=key, alt=alt, height=height, rev=rev)
    return point


def followed_chart(
    figure: go.Figure,
    steps: tuple[Step, ...],
    point: Point,
    *,
    key: str,
    alt: str,
    height: int = 420,
    rev: str = "",
) -> None:
    """Draw curves whose point another chart's field has chosen, and its steps below.

    Args:
        figure: Of `lines` or `bars`; the point is marked in it.
        steps: Of the point; none where this chart does not draw it.
        point: Of the `curve_chart` that shares its field with this chart.
        key: Name of the chart.
        alt: What the figure shows, for those who cannot see it.
        height: Pixels.
        rev: Anything that changes when the curves become others.
    """
    mark_point(figure, steps, point)
    chart(figure, key=key, alt=alt, height=height, rev=rev)
    _steps(steps, point, key)


def _steps(steps: tuple[Step, ...], point: Point, key: str) -> None:
    if steps:
        follow(steps, key=key, place=point.words)
    else:
        st.caption(f"Not in this picture: {point.words}.")


def mark_point(figure: go.Figure, steps: tuple[Step, ...], point: Point) -> None:
    """Mark the followed point, if it has a number that the figure can show."""
    if steps and math.isfinite(steps[-1].value):
        mark_cell(figure, steps[-1].value, point.place)


def _point(
    key: str,
    names: Sequence[str],
    places: tuple[int, int],
    x_name: str,
    default: tuple[int, int],
    charts: Sequence[str],
) -> Point:
    """The point that is followed: clicked on one of the charts, typed, or the default."""
    state, field, curves = st.session_state, f"{key}_point", len(names)
    for name in charts:
        clicked = clicked_cell(name)
        if clicked is not None and clicked.curve < curves:
            state[field] = _typed((clicked.curve, round(clicked.x)), curves)
    words = _typed(default, curves)
    typed = place_field(
        field,
        words,
        f"Point ({x_name})" if curves == 1 else f"Point (curve, {x_name})",
        help="The point that is followed. Clicking a curve writes it."
        + (" Curves count from 0, in the order of the legend." if curves > 1 else ""),
    )
    number, place = _read(typed, curves, places, x_name, default)
    where = f"{x_name} {place:,}"
    return Point(number, place, f"{names[number]}, {where}" if curves > 1 else where)


def _read(
    typed: str, curves: int, places: tuple[int, int], x_name: str, default: tuple[int, int]
) -> tuple[int, int]:
    first = r"\s*(\d{1,3})\s*," if curves > 1 else "()"
    found = re.fullmatch(first + r"\s*(-?\d{1,12})\s*", typed)
    if found:
        number, place = int(found[1] or 0), int(found[2])
        if number < curves and places[0] <= place <= places[1]:
            return number, place
    allowed = f"{x_name} from {places[0]:,} to {places[1]:,}"
    st.error(
        f"The point must be {f'curve from 0 to {curves - 1}, ' if curves > 1 else ''}{allowed}; "
        f"got {typed[:40]!r}. Showing {_typed(default, curves)}."
    )
    return default


def _typed(point: tuple[int, int], curves: int) -> str:
    return f"{point[0]}, {point[1]}" if curves > 1 else f"{point[1]}"
