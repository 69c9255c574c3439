"""RoPE in low precision: which positions fall together, and what a cast costs at each stage."""

import math
from functools import partial
from typing import Any

import numpy as np
import pandas as pd
import streamlit as st
import torch
from torch import Tensor

from pages.rope.settings import RopeSettings
from plots.figure import Figure
from plots.lines import Mark, Series, lines
from posenc.precision.formula import STAGES, cos_sin_error, max_angle_error
from posenc.precision.rounding import (
    distinct_positions,
    first_colliding_position,
    positions_rounded_alike,
    round_positions,
)
from posenc.precision.steps import cos_sin_error_steps, max_angle_error_steps
from posenc.quantity.sampling import log_positions
from posenc.words import say
from ui import controls, notebooks, screen
from ui.charts.component import Cell, chart
from ui.charts.curve import followed_chart, mark_point
from ui.charts.follow import follow
from ui.charts.points import CurvePoint, on_click
from ui.words import _, number, translate

LOG_POINTS = 400
DTYPES = {"bfloat16": torch.bfloat16, "float16": torch.float16, "float32": torch.float32}
NAMES = dict(
    zip(
        STAGES,
        (
            say("positions cast"),
            say("frequencies cast"),
            say("angles cast"),
            say("cos and sin cast"),
        ),
        strict=True,
    )
)


def show(s: RopeSettings) -> screen.ScreenView:
    """The sentence, the error of each type, the error of each stage, and a table of positions."""
    take_clicks()
    first, second, _rest = st.columns([3, 2, 4])
    sentence = st.container()
    with first:
        name = controls.choice(
            "dtype",
            _("Type"),
            list(DTYPES),
            help=_("What is followed in the first picture, and what the second casts to."),
        )
    with second:
        position = controls.number(
            "position",
            _("Position p"),
            15962,
            0,
            2**27,
            help=_(
                "The position that the sentence, the formulas under the pictures and the table are "
                "about. A click on a curve chooses the position there."
            ),
        )
    reach = max(s.length, position + 1, 2)
    positions = log_positions(reach, LOG_POINTS)
    counted = {**s.head, "reach": reach, "points": LOG_POINTS}
    notebooks.computed("precision", **counted)
    notebooks.computed("stages", **counted, dtype=name)
    sentence.markdown(in_words(name, position, s.inv_freq))
    frames = {
        _("types"): show_types(s, positions, position, name),
        _("stages"): show_stages(s, positions, position, name),
        _("positions"): show_table(s, position, reach),
    }
    return screen.ScreenView(lambda: frames)


def take_clicks() -> None:
    """What is clicked on one of the pictures goes into the controls, before they are drawn."""

    def settings(control: str, options: list[str], clicked: Cell) -> dict[str, Any]:
        if clicked.curve >= len(options):
            return {}
        return {"position": round(clicked.x), control: options[clicked.curve]}

    on_click("precision", partial(settings, "dtype", list(DTYPES)))
    on_click("stages", partial(settings, "stage", list(STAGES)))


def in_words(name: str, position: int, inv_freq: Tensor) -> str:
    """What becomes of the position, and which cast does the harm, in Markdown."""
    dtype = DTYPES[name]
    at = torch.tensor([position])
    stored = float(round_positions(at, dtype))
    if stored == math.inf:
        return _(
            "**{name}** does not reach position **{position:,}**.", name=name, position=position
        )
    first, last = positions_rounded_alike(position, dtype)
    early, late = (
        float(cos_sin_error(at, inv_freq, dtype, {stage}).max())
        for stage in ("positions", "cos_sin")
    )
    values = {
        "name": name,
        "position": position,
        "stored": stored,
        "first": first,
        "last": last,
        "early": early,
        "late": late,
    }
    if first == last:
        return _(
            "**{name}** stores position **{position:,}** as **{stored:,.0f}**, and no other "
            "position as the same number. With positions cast early, cos and sin are off by up to "
            "**{early:.2g}** (2 is the opposite direction); with cos and sin cast last, by "
            "**{late:.2g}**.",
            **values,
        )
    return _(
        "**{name}** stores position **{position:,}** as **{stored:,.0f}**, and so it does all "
        "positions from {first:,} to {last:,}. With positions cast early, cos and sin are off by "
        "up to **{early:.2g}** (2 is the opposite direction); with cos and sin cast last, by "
        "**{late:.2g}**.",
        **values,
    )


def show_types(s: RopeSettings, positions: Tensor, position: int, name: str) -> pd.DataFrame:
    """Error of the angles when everything is computed in one type."""
    errors = {n: max_angle_error(positions, s.inv_freq, d).numpy() for n, d in DTYPES.items()}
    figure = _curves(
        positions,
        errors,
        title=_("Everything in one type: error of the angles"),
        y_title=_("largest error over the pairs (radians)"),
        marks=[Mark("y", math.pi), Mark("x", max(position, 1), "p")],
        lowest=1e-10,
    )
    followed_chart(
        figure,
        max_angle_error_steps(position, s.inv_freq, DTYPES[name]),
        _point(list(DTYPES).index(name), position, name),
        key="precision",
        alt=_("Error of float32, bfloat16 and float16 angles by position"),
    )
    st.caption(
        _(
            "Position, frequency and their product are rounded to the type and compared with "
            "float64. A curve stops where its type does not reach. Dashed: π, where nothing is "
            "left of an angle."
        )
    )
    return screen.curve_frame(_("position"), positions.tolist(), errors)


def _point(curve: int, position: int, name: str) -> CurvePoint:
    return CurvePoint(
        curve, position, _("{name}, position {position:,}", name=name, position=position)
    )


def show_stages(s: RopeSettings, positions: Tensor, position: int, name: str) -> pd.DataFrame:
    """Error of cos and sin when a single stage is cast."""
    errors = {
        translate(NAMES[stage]): cos_sin_error(positions, s.inv_freq, DTYPES[name], {stage})
        .amax(dim=1)
        .numpy()
        for stage in STAGES
    }
    figure = _curves(
        positions,
        errors,
        title=_("One stage in {name}, the others in float64: error of (cos, sin)", name=name),
        y_title=_("largest distance over the pairs"),
        marks=[Mark("y", 2.0), Mark("x", max(position, 1), "p")],
        lowest=1e-8,
    )
    picture = st.container()
    stage = controls.choice(
        "stage",
        _("Cast"),
        NAMES,
        help=_("The curve that is followed below. A click on a curve chooses it."),
    )
    steps = cos_sin_error_steps(position, s.inv_freq, DTYPES[name], stage)
    point = _point(STAGES.index(stage), position, NAMES[stage])
    with picture:
        figure = mark_point(figure, steps, point)
        alt = _("Error of cos and sin by position, one curve for each stage that is cast")
        chart(figure, key="stages", alt=alt)
    follow(steps, key="stages", place=point.words)
    st.caption(
        _(
            "Only the error from casting cos and sin does not grow with the position: compute the "
            "angles in float32 and cast their cos and sin. 2 is a hand that points the opposite "
            "way."
        )
    )
    return screen.curve_frame(_("position"), positions.tolist(), errors)


def show_table(s: RopeSettings, position: int, reach: int) -> pd.DataFrame:
    """Where each type begins to lose positions, and what it makes of this one."""
    rows = {}
    for name, dtype in DTYPES.items():
        stored = float(round_positions(torch.tensor(position), dtype))
        reached = stored < math.inf
        alike = positions_rounded_alike(position, dtype) if reached else (0, 0)
        rows[name] = {
            _("first position like the one before"): number(first_colliding_position(dtype)),
            _("{position:,} becomes", position=position): (
                number(stored, ",.0f") if reached else _("out of reach")
            ),
            _("as do"): (
                _("{first:,} … {last:,}", first=alike[0], last=alike[1]) if reached else ""
            ),
            _("different values below {reach:,}", reach=reach): number(
                distinct_positions(reach, dtype)
            ),
        }
    frame = pd.DataFrame(rows).T.rename_axis(_("type"))
    st.dataframe(frame)
    return frame


def _curves(
    positions: Tensor,
    errors: dict[str, np.ndarray],
    *,
    title: str,
    y_title: str,
    marks: list[Mark],
    lowest: float,
) -> Figure:
    """Errors against position on logarithmic axes."""
    # Exact angles have no place on a logarithmic axis.
    drawn = {name: np.where(error > 0, error, np.nan) for name, error in errors.items()}
    finite = [float(error[np.isfinite(error)].max(initial=0)) for error in errors.values()]
    return lines(
        positions.numpy(),
        [Series(name, error, marker="") for name, error in drawn.items()],
        title=title,
        x_title=_("position"),
        y_title=y_title,
        log_x=True,
        log_y=True,
        y_range=(lowest, max(10.0, 2 * max(finite))),
        marks=marks,
    )
