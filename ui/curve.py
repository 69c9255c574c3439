"""A line chart whose points can be followed: click one, or type its curve and its place.

Like the cells of a matrix, a click only writes into a text field, and the field is in the URL.
"""

import re
from collections.abc import Callable, Sequence

import plotly.graph_objects as go
import streamlit as st

from plots.heatmap import mark_cell
from posenc import Step
from ui.chart import chart, clicked_cell
from ui.follow import follow

Explain = Callable[[int, int], tuple[Step, ...]]
"""From the number of a curve and a place on the x axis to the steps of the point there."""


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
) -> tuple[Step, ...]:
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

    Returns:
        The steps of the point.
    """
    picture, below = st.container(), st.container()
    with below:
        number, place = _point(key, len(names), places, x_name, default)
        steps = explain(number, place)
        where = f"{x_name} {place:,}"
        where = f"{names[number]}, {where}" if len(names) > 1 else where
        follow(steps, key=key, place=where)
    with picture:
        if steps[-1].value == steps[-1].value:
            mark_cell(figure, steps[-1].value, place)
        chart(figure, key=key, alt=alt, height=height, rev=rev)
    return steps


def _point(
    key: str, curves: int, places: tuple[int, int], x_name: str, default: tuple[int, int]
) -> tuple[int, int]:
    """The point that is explained: clicked, typed, or the default."""
    state, field = st.session_state, f"{key}_point"
    clicked = clicked_cell(key)
    if clicked is not None and clicked.curve < curves:
        state[field] = _words((clicked.curve, round(clicked.x)), curves)
    words = _words(default, curves)
    # A field that nobody has touched follows the default when the curves become others.
    if field in state and state[field] == state.get(f"_{key}_default") != words:
        state[field] = words
    state[f"_{key}_default"] = words
    typed = st.text_input(
        f"Point ({x_name})" if curves == 1 else f"Point (curve, {x_name})",
        value=words,
        key=field,
        help="The point that is followed. Clicking a curve writes it."
        + (" Curves count from 0, in the order of the legend." if curves > 1 else ""),
        bind="query-params",
        width=220,
    )
    first = r"\s*(\d{1,3})\s*," if curves > 1 else "()"
    found = re.fullmatch(first + r"\s*(-?\d{1,12})\s*", typed)
    if found:
        number, place = int(found[1] or 0), int(found[2])
        if number < curves and places[0] <= place <= places[1]:
            return number, place
    allowed = f"{x_name} from {places[0]:,} to {places[1]:,}"
    st.error(
        f"The point must be {f'curve from 0 to {curves - 1}, ' if curves > 1 else ''}{allowed}; "
        f"got {typed[:40]!r}. Showing {words}."
    )
    return default


def _words(point: tuple[int, int], curves: int) -> str:
    return f"{point[0]}, {point[1]}" if curves > 1 else f"{point[1]}"
