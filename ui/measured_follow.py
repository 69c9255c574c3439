"""A point of a measured curve, followed to what each seed measured there."""

import re

import numpy as np
import plotly.graph_objects as go
import streamlit as st

from plots.heatmap import mark_cell
from ui.chart import chart, clicked_cell
from ui.follow import follow, place_field
from ui.measured import Drawing

SHOWN_PLACES = 12  # in the sentence that says what is allowed


def measured_chart(
    figure: go.Figure, drawing: Drawing, *, key: str, alt: str, x_name: str, unit: str, height: int
) -> None:
    """Draw measured curves and follow one of their points; the URL parameter is `<key>_point`.

    Args:
        figure: Of `measured.picture`: its first traces are the curves. The point is marked in it.
        drawing: The curves.
        key: Name of the chart.
        alt: What the figure shows, for those who cannot see it.
        x_name: What x is.
        unit: Unit of the values.
        height: Pixels.
    """
    picture, below = st.container(), st.container()
    with below:
        name, x = _point(drawing, key, x_name)
        steps = drawing.curves[name][1].steps(x)
        follow(steps, key=key, place=f"{name}, {x_name.partition(' (')[0]} {x:,g}", unit=unit)
    with picture:
        mark_cell(figure, steps[-1].value, x)
        chart(figure, key=key, alt=alt, height=height)


def places_of(drawing: Drawing, name: str) -> list[float]:
    """Where a curve has a mean over all of its seeds."""
    curve = drawing.curves[name][1]
    return [float(x) for x in curve.x[~np.isnan(curve.mean)]]


def _point(drawing: Drawing, key: str, x_name: str) -> tuple[str, float]:
    """Curve and place: clicked, typed, or the first curve's last place."""
    state, field, names = st.session_state, f"{key}_point", list(drawing.curves)
    clicked = clicked_cell(key)
    if clicked is not None and clicked.curve < len(names):
        state[field] = f"{clicked.curve}, {drawing.x[clicked.col]:g}"
    default = f"0, {places_of(drawing, names[0])[-1]:g}"
    typed = place_field(
        field,
        default,
        "Point (curve, place)",
        help=f"The point that is followed: a curve, counted from 0, and the {x_name}. Clicking a "
        "curve writes it.",
    )
    found = re.fullmatch(r"\s*(\d{1,3})\s*,\s*(\d{1,9}(?:\.\d{1,3})?)\s*", typed)
    if found and int(found[1]) < len(names):
        name, x = names[int(found[1])], float(found[2])
        places = places_of(drawing, name)
        if x in places:
            return name, x
        known = ", ".join(f"{place:,g}" for place in places[:SHOWN_PLACES])
        more = ", …" if len(places) > SHOWN_PLACES else ""
        said = f"{name} was measured at {known}{more}"
    else:
        said = f"The point must be a curve from 0 to {len(names) - 1} and a place"
    st.error(f"{said}; got {typed[:40]!r}. Showing {default}.")
    return names[0], places_of(drawing, names[0])[-1]
