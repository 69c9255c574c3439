"""RoPE in low precision: which positions fall together, and what a cast costs at each stage."""

import math
from functools import partial
from typing import Any

import numpy as np
import pandas as pd
import plotly.graph_objects as go
import streamlit as st
import torch
from torch import Tensor

from pages.rope.settings import RopeSettings
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
from ui import controls, screen
from ui.charts.component import Cell, chart
from ui.charts.curve import followed_chart, mark_point
from ui.charts.follow import follow
from ui.charts.points import CurvePoint, on_click

LOG_POINTS = 400
DTYPES = {"bfloat16": torch.bfloat16, "float16": torch.float16, "float32": torch.float32}
NAMES = dict(
    zip(
        STAGES,
        ("positions cast", "frequencies cast", "angles cast", "cos and sin cast"),
        strict=True,
    )
)


def show(s: RopeSettings) -> screen.ScreenView:
    """The sentence, the error of each type, the error of each stage, and a table of positions."""
    take_clicks()
    first, second, _ = st.columns([3, 2, 4])
    sentence = st.container()
    with first:
        name = controls.choice(
            "dtype",
            "Type",
            list(DTYPES),
            help="What is followed in the first picture, and what the second casts to.",
        )
    with second:
        position = controls.number(
            "position", "Position p", 15962, 0, 2**27,
            help="Explained in the sentence, under the pictures and in the table. Clicking a "
            "curve writes it.",
        )  # fmt: skip
    reach = max(s.length, position + 1, 2)
    positions = log_positions(reach, LOG_POINTS)
    sentence.markdown(in_words(name, position, s.inv_freq))
    frames = {
        "types": show_types(s, positions, position, name),
        "stages": show_stages(s, positions, position, name),
        "positions": show_table(s, position, reach),
    }
    body = (
        f"positions = log_positions({reach}, {LOG_POINTS})\n"
        "types = torch.bfloat16, torch.float16, torch.float32\n"
        "values = torch.stack([max_angle_error(positions, inv_freq, t) for t in types])\n"
        f"stages = [cos_sin_error(positions, inv_freq, torch.{name}, {{stage}}).amax(dim=1)\n"
        f"          for stage in {STAGES}]\n"
    )
    code = s.code + body
    return screen.ScreenView(lambda: frames, code)


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
    dtype, at = DTYPES[name], torch.tensor([position])
    stored = float(round_positions(at, dtype))
    if stored == math.inf:
        return f"**{name}** does not reach position **{position:,}**."
    first, last = positions_rounded_alike(position, dtype)
    early, late = (
        float(cos_sin_error(at, inv_freq, dtype, {stage}).max())
        for stage in ("positions", "cos_sin")
    )
    alike = "no other position" if first == last else f"all positions from {first:,} to {last:,}"
    return (
        f"**{name}** stores position **{position:,}** as **{stored:,.0f}**, and so it does "
        f"{alike}. Positions cast early, cos and sin are off by up to **{early:.2g}** (2 is the "
        f"opposite direction); cos and sin cast last, by **{late:.2g}**."
    )


def show_types(s: RopeSettings, positions: Tensor, position: int, name: str) -> pd.DataFrame:
    """Error of the angles when everything is computed in one type."""
    errors = {n: max_angle_error(positions, s.inv_freq, d).numpy() for n, d in DTYPES.items()}
    figure = _curves(
        positions,
        errors,
        title="Everything in one type: error of the angles",
        y_title="largest error over the pairs (radians)",
        marks=[Mark("y", math.pi), Mark("x", max(position, 1), "p")],
        lowest=1e-10,
    )
    followed_chart(
        figure,
        max_angle_error_steps(position, s.inv_freq, DTYPES[name]),
        CurvePoint(list(DTYPES).index(name), position, f"{name}, position {position:,}"),
        key="precision",
        alt="Error of float32, bfloat16 and float16 angles by position",
    )
    st.caption(
        "Position, frequency and their product are rounded to the type and compared with float64. "
        "A curve stops where its type does not reach. Dashed: π, where nothing is left of an angle."
    )
    return screen.curve_frame("position", positions.tolist(), errors)


def show_stages(s: RopeSettings, positions: Tensor, position: int, name: str) -> pd.DataFrame:
    """Error of cos and sin when a single stage is cast."""
    errors = {
        NAMES[stage]: cos_sin_error(positions, s.inv_freq, DTYPES[name], {stage})
        .amax(dim=1)
        .numpy()
        for stage in STAGES
    }
    figure = _curves(
        positions,
        errors,
        title=f"One stage in {name}, the others in float64: error of (cos, sin)",
        y_title="largest distance over the pairs",
        marks=[Mark("y", 2.0), Mark("x", max(position, 1), "p")],
        lowest=1e-8,
    )
    picture = st.container()
    stage = controls.choice(
        "stage", "Cast", {stage: NAMES[stage] for stage in STAGES},
        help="The curve that is followed below. Clicking a curve writes it.",
    )  # fmt: skip
    steps = cos_sin_error_steps(position, s.inv_freq, DTYPES[name], stage)
    point = CurvePoint(STAGES.index(stage), position, f"{NAMES[stage]}, position {position:,}")
    with picture:
        mark_point(figure, steps, point)
        alt = "Error of cos and sin by position, one curve for each stage that is cast"
        chart(figure, key="stages", alt=alt)
    follow(steps, key="stages", place=point.words)
    st.caption(
        "Only the cast of cos and sin does not grow with the position: compute the angles in "
        "float32 and cast their cos and sin. 2 is a hand that points the opposite way."
    )
    return screen.curve_frame("position", positions.tolist(), errors)


def show_table(s: RopeSettings, position: int, reach: int) -> pd.DataFrame:
    """Where each type begins to lose positions, and what it makes of this one."""
    rows = {}
    for name, dtype in DTYPES.items():
        stored = float(round_positions(torch.tensor(position), dtype))
        reached = stored < math.inf
        alike = positions_rounded_alike(position, dtype) if reached else (0, 0)
        rows[name] = {
            "first position like the one before": f"{first_colliding_position(dtype):,}",
            f"{position:,} becomes": f"{stored:,.0f}" if reached else "out of reach",
            "as do": f"{alike[0]:,} … {alike[1]:,}" if reached else "",
            f"different values below {reach:,}": f"{distinct_positions(reach, dtype):,}",
        }
    frame = pd.DataFrame(rows).T.rename_axis("type")
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
) -> go.Figure:
    """Errors against position on logarithmic axes."""
    # Exact angles have no place on a logarithmic axis.
    drawn = {name: np.where(error > 0, error, np.nan) for name, error in errors.items()}
    finite = [float(error[np.isfinite(error)].max(initial=0)) for error in errors.values()]
    return lines(
        positions.numpy(),
        [Series(name, error, marker="") for name, error in drawn.items()],
        title=title,
        x_title="position",
        y_title=y_title,
        log_x=True,
        log_y=True,
        y_range=(lowest, max(10.0, 2 * max(finite))),
        marks=marks,
    )
