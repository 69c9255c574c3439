"""Curves of what was measured: click a point, or type its curve and its place, to follow it."""

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass

import plotly.graph_objects as go
import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from plots.heatmap import mark_cell
from posenc import Step
from ui.charts.component import chart, clicked_cell
from ui.charts.follow import follow, place_field

SHOWN_PLACES = 12  # in the sentence that says what is allowed


@dataclass(frozen=True)
class Followed:
    """A curve whose points can be followed."""

    name: str
    places: Sequence[float]
    """Where it was measured, rising."""
    steps: Callable[[float], Sequence[Step]]
    """From one of the places to the steps of the point there."""


@dataclass(frozen=True)
class Chosen:
    """The point that is followed."""

    curve: int
    x: float
    words: str
    """Where it is: "YaRN, distance 480"."""


def measured_chart(
    figure: go.Figure,
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
) -> Chosen | None:
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
    picture, chosen = st.container(), None
    below = st.container() if below is None else below
    _take_click(curves, key, (key, *shared))
    if growing and not _asked_for(f"{key}_point"):
        below.caption("Click a point to see where its number comes from.")
    elif any(curve.places for curve in curves):
        with below:
            chosen = _point(curves, key, x_name, growing, place)
    with picture:
        mark = _mark(figure, curves[chosen.curve], chosen) if chosen else ()
        chart(figure, key=key, alt=alt, height=height, rev=rev)
    if chosen:
        with below:
            follow(mark, key=key, place=chosen.words, unit=unit)
    return chosen


def followed_chart(
    figure: go.Figure,
    curves: Sequence[Followed],
    chosen: Chosen | None,
    *,
    key: str,
    alt: str,
    unit: str,
    height: int,
    rev: str = "",
) -> None:
    """Draw curves whose point another chart's field has chosen, and its steps below.

    Arguments as in `measured_chart`; `chosen` is what it returned.
    """
    there = chosen is not None and chosen.x in curves[chosen.curve].places
    steps = _mark(figure, curves[chosen.curve], chosen) if chosen and there else ()
    chart(figure, key=key, alt=alt, height=height, rev=rev)
    if chosen and there:
        follow(steps, key=key, place=chosen.words, unit=unit)


def _mark(figure: go.Figure, curve: Followed, chosen: Chosen) -> Sequence[Step]:
    steps = curve.steps(chosen.x)
    mark_cell(figure, steps[-1].value, chosen.x)
    return steps


def _take_click(curves: Sequence[Followed], key: str, charts: Sequence[str]) -> None:
    """A click on one of the charts writes the field."""
    for name in charts:
        clicked = clicked_cell(name)
        if clicked is not None and clicked.curve < len(curves):
            typed = _typed(clicked.curve, clicked.x, len(curves) == 1)
            st.session_state[f"{key}_point"] = typed


def _asked_for(field: str) -> bool:
    return field in st.session_state or field in st.query_params


def _point(
    curves: Sequence[Followed], key: str, x_name: str, growing: bool, place: float | None
) -> Chosen:
    """Curve and place: what the field says, or by default one of the first curve that has any."""
    state, field, one = st.session_state, f"{key}_point", len(curves) == 1
    short = x_name.partition(" (")[0]
    first = next(index for index, curve in enumerate(curves) if curve.places)
    # A default that moved would be written over what is being typed.
    end = curves[first].places[0 if growing else -1]
    end = place if place is not None and place in curves[first].places else end
    default = _typed(first, end, one)
    # What was followed in curves that are gone is no mistake of the reader.
    places = [] if growing else [(curve.name, *curve.places) for curve in curves]
    others = state.get(f"_{field}_places", places) != places
    state[f"_{field}_places"] = places
    if others and field in state and isinstance(_read(state[field], curves, short), str):
        state[field] = default
    typed = place_field(
        field,
        default,
        f"Point ({short})" if one else "Point (curve, place)",
        help="The point that is followed"
        + (f": the {x_name}. " if one else f": a curve, counted from 0, and the {x_name}. ")
        + "Clicking a curve writes it.",
    )
    found = _read(typed, curves, short)
    if isinstance(found, str):
        st.error(f"{found}; got {typed[:40]!r}. Showing {default}.")
        found = first, end
    curve, x = found
    where = f"{short} {x:,.12g}"
    return Chosen(curve, x, where if one else f"{curves[curve].name}, {where}")


def _read(typed: str, curves: Sequence[Followed], x_name: str) -> tuple[int, float] | str:
    """Curve and place, or what is wrong with them."""
    one = len(curves) == 1
    found = re.fullmatch(
        rf"\s*(?:(\d{{1,3}})\s*,){'?' if one else ''}\s*(\d{{1,9}}(?:\.\d{{1,3}})?)\s*", typed
    )
    if not found or int(found[1] or 0) >= len(curves):
        what = f"a {x_name}" if one else f"a curve from 0 to {len(curves) - 1} and a place"
        return f"The point must be {what}"
    curve, x = int(found[1] or 0), float(found[2])
    name, places = curves[curve].name, curves[curve].places
    if x in places:
        return curve, x
    known = [f"{place:,.12g}" for place in places]
    if len(known) > SHOWN_PLACES:
        known[SHOWN_PLACES:] = ["…", known[-1]]
    return f"{name} was measured at {', '.join(known)}"


def _typed(curve: int, x: float, one: bool) -> str:
    return f"{x:.12g}" if one else f"{curve}, {x:.12g}"
