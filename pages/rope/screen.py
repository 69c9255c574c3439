"""RoPE: pairs as clocks, the rotation matrix and its identities, layouts, scores, precision."""

import numpy as np
import pandas as pd
import plotly.graph_objects as go
import streamlit as st
import torch
from torch import Tensor

from exhibits.rotations.identities import rope_checks
from pages.rope import clocks as rope_clocks
from pages.rope import layouts as rope_layouts
from pages.rope import precision as rope_precision
from pages.rope.layouts import rotation_quantity
from pages.rope.settings import RopeSettings, read
from plots.lines import Mark, Series, lines
from plots.style import MAX_POINTS
from posenc import rope_angles, rope_wavelengths
from posenc.quantity.sampling import even_positions
from posenc.reading.formula import Reading
from posenc.reading.steps import decay_bound_steps
from posenc.rope.picture import RoPEAngles, RoPEScore
from posenc.rope.score import rope_decay_bound, rope_score_at_distance
from posenc.rope.steps import wavelength_steps
from ui import controls, screen
from ui.charts.curve import curve_chart, followed_chart
from ui.charts.matrix import matrix
from ui.charts.panels import Panel, PanelFigure, follow_panels

WORKED = {
    "head_dim": 4, "rotary_dim": 0, "base": 10000.0, "layout": "interleaved",
    "vectors": "typed", "typed_angles": False,
}  # fmt: skip
MODEL = {"base": 10000.0, "rotary_dim": 0, "vectors": "random", "typed_angles": False}
TYPED = WORKED | {"typed_angles": True, "view": "matrix"}
PRESETS = {
    "worked": WORKED,
    "planes": TYPED | {"query_angles": "30, 60", "key_angles": "0, 0"},
    "half": TYPED | {"layout": "half", "query_angles": "0, 1", "key_angles": "1, 2"},
    "llama-2": MODEL | {"head_dim": 128, "layout": "half"},
    "llama-3": MODEL | {"head_dim": 128, "layout": "half", "base": 500000.0},
    "gpt-neox": MODEL | {"head_dim": 96, "layout": "half", "rotary_dim": 24},
    "gpt-j": MODEL | {"head_dim": 256, "layout": "interleaved", "rotary_dim": 64},
}
PRESET_LABELS = {
    "worked": "Worked example, d = 4",
    "planes": "Planes turned by π/6 and π/3",
    "half": "Half layout, 0° 1° and 1° 2°",
    "llama-2": "Llama-2-7B",
    "llama-3": "Llama-3-8B",
    "gpt-neox": "GPT-NeoX-20B",
    "gpt-j": "GPT-J-6B",
}
PICTURES = {
    "clocks": "Clocks",
    "angles": "Angles",
    "matrix": "Matrix",
    "layouts": "Layouts",
    "score": "Score",
    "precision": "Precision",
}
PLANES = 4
SHIFTS = (0, 1, 10, 100, 1000, 10_000, 100_000)


def angles_view(s: RopeSettings) -> screen.ScreenView:
    value = controls.choice(
        "value", "Shown", ["cos", "sin", "angle"], help="cos and sin of p·θᵢ, or the angle itself."
    )
    shown = matrix(
        RoPEAngles(s.inv_freq, s.length, value),  # type: ignore[arg-type]
        key="angles",
        title=f"{value.capitalize()} of every pair at every position",
        alt=f"Heatmap of the {value} of every pair at every position: fast pairs at the left",
        default_cell=(min(8, s.length - 1), len(s.inv_freq) // 2),
    )
    turns = rope_wavelengths(s.inv_freq).numpy()
    figure = lines(
        np.arange(len(turns)),
        [Series("wavelength", turns)],
        title="Wavelength of each pair against the length",
        x_title="pair i",
        y_title="positions for a full turn λᵢ",
        log_y=True,
        y_range=(2.0, 4 * max(s.length, turns[-1])),
        marks=[Mark("y", s.length, f"length {s.length:,}")],
    )
    curve_chart(
        figure,
        lambda _, pair: wavelength_steps(pair, s.inv_freq),
        key="wavelengths",
        alt="Wavelength per pair on a logarithmic axis",
        names=["wavelength"],
        places=(0, len(turns) - 1),
        x_name="pair",
        default=(0, len(turns) // 2),
        height=340,
    )
    body = f"angles = RoPEAngles(inv_freq, {s.length}, {value!r})\n{shown.code('angles')}"
    curves = screen.curve_frame("pair", range(len(turns)), {"wavelength": turns})
    return screen.ScreenView(
        lambda: {"angles": screen.view_frame(shown.view), "wavelengths": curves},
        s.code + body,
    )


def matrix_view(s: RopeSettings) -> screen.ScreenView:
    rotation = rotation_quantity(s.query_angles, s.rope.layout)
    shown = matrix(
        rotation,
        key="rotation",
        title=f"The rotation of the query, {s.rope.layout} layout",
        alt="Heatmap of the rotation matrix: cosines on the diagonal, sines beside it",
    )
    show_checks(s)
    if len(s.query_angles) <= PLANES:
        show_planes(s)
    body = (
        f"rotation = rotation_matrix(query_angles, {s.rope.layout!r})\n"
        "print((rotation @ rotation.T - torch.eye(len(rotation))).abs().max())\n"
        'rotation = Computed(rotation, "R", Axis("out", len(rotation)), '
        'Axis("in", len(rotation)))\n'
        f"{shown.code('rotation')}"
    )
    code = s.code + body
    return screen.ScreenView(lambda: {"rotation": screen.view_frame(shown.view)}, code)


def show_checks(s: RopeSettings) -> None:
    shifts = rope_angles(torch.tensor(SHIFTS), s.inv_freq)
    checks = rope_checks(s.query, s.key, s.query_angles, s.key_angles, shifts, s.rope.layout)
    st.header("Checked on these numbers", anchor=False)
    screen.readouts(
        {
            "R Rᵀ = I, off by": f"{checks.orthogonal:.2g}",
            "Rₘᵀ Rₙ = Rₙ₋ₘ, off by": f"{checks.relative:.2g}",
            "complex, elementwise, matrix form differ by": f"{checks.forms:.2g}",
            "score (Rₘq)·(Rₙk)": f"{float(checks.scores[0]):.4f}",
        }
    )
    scores = {"score": [f"{score:.12g}" for score in checks.scores.tolist()]}
    st.markdown(
        "The score when query and key move on together by s positions "
        f"(largest difference {checks.spread:.2g}):"
    )
    shown = pd.DataFrame(scores, [f"s = {shift:,}" for shift in SHIFTS]).T
    st.dataframe(shown.rename_axis("shift"))


def show_planes(s: RopeSettings) -> None:
    """One rotation for each pair, and their product."""
    alone = torch.diag(s.query_angles)
    panels = [
        Panel(f"{i}", f"plane of pair {i}", rotation_quantity(angles, s.rope.layout))
        for i, angles in enumerate(alone)
    ]
    panels.append(Panel("R", "R", rotation_quantity(s.query_angles, s.rope.layout)))
    alt = "One rotation for each pair, and their product"
    title = "R is the product of one rotation per plane"
    follow_panels(
        [PanelFigure("planes", title, alt, panels, height=340)], key="planes", default=(0, 0)
    )


def score_view(s: RopeSettings) -> screen.ScreenView:
    distances = even_positions(s.length, MAX_POINTS)
    score = rope_score_at_distance(s.query, s.key, s.inv_freq, distances, s.rope.layout).numpy()
    bound = rope_decay_bound(s.inv_freq, distances).numpy()
    figure = distance_curve(distances, score, "Score of this query and key", "(Rₘq)·(Rₙk)")
    scores = RoPEScore(s.query, s.key, s.inv_freq, s.length, s.rope.layout)
    point = curve_chart(
        figure,
        lambda _, distance: scores.steps(distance, 0),
        key="score",
        alt="Curve of the score against the distance",
        names=["score"],
        places=(0, s.length - 1),
        x_name="distance",
        default=(0, min(6, s.length - 1)),
        shared=["bound"],
    )
    st.caption(f"Evaluated at {len(distances):,} distances, evenly spread. Not divided by √d.")
    later = 1 + int(score[1:].argmax())
    screen.readouts(
        {
            "score at distance 0": f"{score[0]:.4f}",
            "largest later score": f"{score[later]:.4f}",
            "at distance": f"{int(distances[later]):,}",
        }
    )
    title = "The paper's decay curve, an upper bound that the score need not follow"
    figure = distance_curve(distances, bound, title, "bound: mean of |Sⱼ|")
    steps = decay_bound_steps(Reading(s.inv_freq), point.place, s.length)
    alt = "Curve of the mean of |S_j| against the distance"
    followed_chart(figure, steps, point, key="bound", alt=alt, height=320)
    shown = matrix(
        scores,
        key="scores",
        title="The same score for every query and key position",
        alt="Heatmap of the score: constant along every diagonal",
        default_cell=(min(8, s.length - 1), min(2, s.length - 1)),
    )
    body = (
        f"distances = even_positions({s.length}, {MAX_POINTS})\n"
        f"values = rope_score_at_distance(query, key, inv_freq, distances, {s.rope.layout!r})\n"
    )
    curves = screen.curve_frame("distance", distances.numpy(), {"score": score, "bound": bound})
    return screen.ScreenView(
        lambda: {"distance": curves, "scores": screen.view_frame(shown.view)},
        s.code + body,
    )


def distance_curve(distances: Tensor, curve: np.ndarray, title: str, y_title: str) -> go.Figure:
    series, x_title = [Series(y_title, curve, marker="")], "distance m − n (tokens)"
    return lines(distances.numpy(), series, title=title, x_title=x_title, y_title=y_title)


lesson = screen.header("rope")
left, right = screen.columns()
with right:
    view = controls.choice(
        "view",
        "Picture",
        PICTURES,
        wide=True,
        help="What to look at; the controls stay as they are.",
    )
with left:
    controls.presets(PRESETS, PRESET_LABELS)
    chosen = read(needs_layout=view in ("matrix", "score"))
DRAW = {
    "clocks": rope_clocks.show,
    "angles": angles_view,
    "matrix": matrix_view,
    "layouts": rope_layouts.show,
    "score": score_view,
    "precision": rope_precision.show,
}
shown = None
with right, screen.guard():
    shown = DRAW[view](chosen.settings())
screen.notice(lesson)
screen.tabs(lesson, shown)
