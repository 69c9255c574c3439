"""RoPE: two hands, clocks, the rotation matrix and its identities, layouts, scores, precision."""

import numpy as np
import pandas as pd
import streamlit as st
import torch
from torch import Tensor

from exhibits.rotations.identities import rope_checks
from pages.rope import clocks as rope_clocks
from pages.rope import hands as rope_hands
from pages.rope import layouts as rope_layouts
from pages.rope import precision as rope_precision
from pages.rope.layouts import rotation_quantity
from pages.rope.settings import LAYOUTS, RopeSettings, read
from plots.figure import Figure
from plots.lines import Mark, Series, lines
from plots.style import MAX_POINTS
from posenc import rope_angles, rope_wavelengths
from posenc.quantity.sampling import even_positions
from posenc.reading.formula import Reading
from posenc.reading.steps import decay_bound_steps
from posenc.rope.picture import RoPEAngles, RoPEScore
from posenc.rope.score import rope_decay_bound, rope_score_at_distance
from posenc.rope.steps import wavelength_steps
from posenc.words import say
from ui import controls, notebooks, screen
from ui.charts.curve import curve_chart, followed_chart
from ui.charts.matrix import matrix
from ui.charts.panels import Panel, PanelFigure, follow_panels
from ui.words import _, number, translate

EIGHT = {
    "head_dim": 16,
    "rotary_dim": 0,
    "base": 1000.0,
    "layout": "interleaved",
    "vectors": "typed",
    "typed_angles": False,
    "length": 32,
    "trained": 16,
    "m": 9,
    "n": 4,
}
WORKED = EIGHT | {"head_dim": 4, "base": 10000.0}
MODEL = {"base": 10000.0, "rotary_dim": 0, "vectors": "random", "typed_angles": False}
LLAMA_2 = {"head_dim": 128, "layout": "half", "trained": 4096, "length": 8192, "m": 7000, "n": 1000}
LLAMA_3 = LLAMA_2 | {"base": 500000.0, "trained": 8192, "length": 16384, "m": 14000, "n": 2000}
SHORTER = {"trained": 2048, "length": 4096, "m": 3500, "n": 500}
TYPED = WORKED | {"typed_angles": True, "view": "matrix"}
PRESETS = {
    "eight": EIGHT,
    "worked": WORKED,
    "planes": TYPED | {"query_angles": "30, 60", "key_angles": "0, 0"},
    "half": TYPED | {"layout": "half", "query_angles": "0, 1", "key_angles": "1, 2"},
    "llama-2": MODEL | LLAMA_2,
    "llama-3": MODEL | LLAMA_3,
    "gpt-neox": MODEL | SHORTER | {"head_dim": 96, "layout": "half", "rotary_dim": 24},
    "gpt-j": MODEL | SHORTER | {"head_dim": 256, "layout": "interleaved", "rotary_dim": 64},
}
PRESET_LABELS = {
    "eight": say("Eight clocks"),
    "worked": say("Worked example, d = 4"),
    "planes": say("Planes at π/6 and π/3"),
    "half": say("Half layout, 0° 1° and 1° 2°"),
    "llama-2": "Llama-2-7B",
    "llama-3": "Llama-3-8B",
    "gpt-neox": "GPT-NeoX-20B",
    "gpt-j": "GPT-J-6B",
}
PICTURES = {
    "hands": say("Two hands"),
    "clocks": say("Clocks"),
    "angles": say("Angles"),
    "matrix": say("Matrix"),
    "layouts": say("Layouts"),
    "score": say("Score"),
    "precision": say("Precision"),
}
VALUES = {"cos": "cos", "sin": "sin", "angle": say("angle")}
VALUE_TITLES = {
    "cos": say("Cosine of every pair at every position"),
    "sin": say("Sine of every pair at every position"),
    "angle": say("Angle of every pair at every position"),
}
PLANES = 4
SHIFTS = (0, 1, 10, 100, 1000, 10_000, 100_000)


def angles_view(s: RopeSettings) -> screen.ScreenView:
    value = controls.choice(
        "value", _("Shown"), VALUES, help=_("cos and sin of p·θᵢ, or the angle itself.")
    )
    notebooks.computed("angles", **s.head, value=value)
    notebooks.computed("wavelengths", **s.head)
    shown = matrix(
        RoPEAngles(s.inv_freq, s.length, value),  # type: ignore[arg-type]
        key="angles",
        title=translate(VALUE_TITLES[value]),
        alt=_("Heatmap. {title}: fast pairs at the left", title=VALUE_TITLES[value]),
        default_cell=(min(8, s.length - 1), len(s.inv_freq) // 2),
    )
    turns = rope_wavelengths(s.inv_freq).numpy()
    figure = lines(
        np.arange(len(turns)),
        [Series(_("wavelength"), turns)],
        title=_("Wavelength of each pair against the length"),
        x_title=_("pair i"),
        y_title=_("positions for a full turn λᵢ"),
        log_y=True,
        y_range=(2.0, 4 * max(s.length, turns[-1])),
        marks=[Mark("y", s.length, _("length {length:,}", length=s.length))],
    )
    curve_chart(
        figure,
        lambda curve, pair: wavelength_steps(pair, s.inv_freq),
        key="wavelengths",
        alt=_("Wavelength per pair on a logarithmic axis"),
        names=[_("wavelength")],
        places=(0, len(turns) - 1),
        x_name=_("pair"),
        default=(0, len(turns) // 2),
        height=340,
    )
    curves = screen.curve_frame(_("pair"), range(len(turns)), {_("wavelength"): turns})
    return screen.ScreenView(
        lambda: {_("angles"): screen.view_frame(shown.view), _("wavelengths"): curves}
    )


def matrix_view(s: RopeSettings) -> screen.ScreenView:
    rotation = rotation_quantity(s.query_angles, s.rope.layout)
    notebooks.computed("rotation", **s.turned, layout=s.rope.layout)
    shown = matrix(
        rotation,
        key="rotation",
        title=_("The rotation of the query, {layout} layout", layout=LAYOUTS[s.rope.layout]),
        alt=_("Heatmap of the rotation matrix: cosines on the diagonal, sines beside it"),
    )
    show_checks(s)
    if len(s.query_angles) <= PLANES:
        show_planes(s)
    return screen.ScreenView(lambda: {_("rotation"): screen.view_frame(shown.view)})


def show_checks(s: RopeSettings) -> None:
    shifts = rope_angles(torch.tensor(SHIFTS), s.inv_freq)
    checks = rope_checks(s.query, s.key, s.query_angles, s.key_angles, shifts, s.rope.layout)
    st.header(_("Checked on these numbers"), anchor=False)
    screen.readouts(
        {
            _("R Rᵀ = I, off by"): number(checks.orthogonal, ".2g"),
            _("Rₘᵀ Rₙ = Rₙ₋ₘ, off by"): number(checks.relative, ".2g"),
            _("complex, elementwise, matrix form differ by"): number(checks.forms, ".2g"),
            _("score (Rₘq)·(Rₙk)"): number(float(checks.scores[0]), ".4f"),
        }
    )
    scores = {_("score"): [number(score, ".12g") for score in checks.scores.tolist()]}
    st.markdown(
        _(
            "The score when query and key move on together by s positions "
            "(largest difference {spread:.2g}):",
            spread=checks.spread,
        )
    )
    shown = pd.DataFrame(scores, [f"s = {shift:,}" for shift in SHIFTS]).T
    st.dataframe(shown.rename_axis(_("shift")))


def show_planes(s: RopeSettings) -> None:
    """One rotation for each pair, and their product."""
    alone = torch.diag(s.query_angles)
    panels = [
        Panel(f"{i}", _("plane of pair {pair}", pair=i), rotation_quantity(angles, s.rope.layout))
        for i, angles in enumerate(alone)
    ]
    panels.append(Panel("R", "R", rotation_quantity(s.query_angles, s.rope.layout)))
    alt = _("One rotation for each pair, and their product")
    notebooks.computed("planes", **s.turned, layout=s.rope.layout)
    title = _("R is the product of one rotation per plane")
    follow_panels(
        [PanelFigure("planes", title, alt, panels, height=340)], key="planes", default=(0, 0)
    )


def score_view(s: RopeSettings) -> screen.ScreenView:
    distances = even_positions(s.length, MAX_POINTS)
    score = rope_score_at_distance(s.query, s.key, s.inv_freq, distances, s.rope.layout).numpy()
    bound = rope_decay_bound(s.inv_freq, distances).numpy()
    figure = distance_curve(distances, score, _("Score of this query and key"), "(Rₘq)·(Rₙk)")
    reach = {"length": s.length, "points": MAX_POINTS}
    notebooks.computed("score", **s.scored, layout=s.rope.layout, **reach)
    notebooks.computed("bound", **s.head, **reach)
    notebooks.computed("scores", **s.scored, layout=s.rope.layout)
    scores = RoPEScore(s.query, s.key, s.inv_freq, s.length, s.rope.layout)
    point = curve_chart(
        figure,
        lambda curve, distance: scores.steps(distance, 0),
        key="score",
        alt=_("Curve of the score against the distance"),
        names=[_("score")],
        places=(0, s.length - 1),
        x_name=_("distance"),
        default=(0, min(6, s.length - 1)),
        shared=["bound"],
    )
    st.caption(
        _(
            "Evaluated at {count:,} distances, evenly spread. Not divided by √d.",
            count=len(distances),
        )
    )
    later = 1 + int(score[1:].argmax())
    screen.readouts(
        {
            _("score at distance 0"): number(score[0], ".4f"),
            _("largest later score"): number(score[later], ".4f"),
            _("at distance"): number(int(distances[later])),
        }
    )
    title = _("The paper's decay curve, an upper bound that the score need not follow")
    figure = distance_curve(distances, bound, title, _("bound: mean of |Sⱼ|"))
    steps = decay_bound_steps(Reading(s.inv_freq), point.place, s.length)
    alt = _("Curve of the mean of |S_j| against the distance")
    followed_chart(figure, steps, point, key="bound", alt=alt, height=320)
    shown = matrix(
        scores,
        key="scores",
        title=_("The same score for every query and key position"),
        alt=_("Heatmap of the score: constant along every diagonal"),
        default_cell=(min(8, s.length - 1), min(2, s.length - 1)),
    )
    values = {_("score"): score, _("bound"): bound}
    curves = screen.curve_frame(_("distance"), distances.numpy(), values)
    return screen.ScreenView(
        lambda: {_("distance"): curves, _("scores"): screen.view_frame(shown.view)}
    )


def distance_curve(distances: Tensor, curve: np.ndarray, title: str, y_title: str) -> Figure:
    series = [Series(y_title, curve, marker="")]
    x_title = _("distance m − n (tokens)")
    return lines(distances.numpy(), series, title=title, x_title=x_title, y_title=y_title)


DRAW = {
    "clocks": rope_clocks.show,
    "angles": angles_view,
    "matrix": matrix_view,
    "layouts": rope_layouts.show,
    "score": score_view,
    "precision": rope_precision.show,
}


def draw(lesson: screen.Lesson) -> screen.ScreenView | None:
    left, right = screen.columns(lesson)
    with right:
        view = controls.picture(PICTURES)
    if view == "hands":
        rope_hands.hear()
    if view == "clocks":
        rope_clocks.hear()
    with left:
        controls.presets(PRESETS, PRESET_LABELS)
        chosen = read(needs_layout=view in ("matrix", "score"))
        reading = rope_hands.read(chosen.length) if view == "hands" else None
    shown = None
    with right, screen.guard():
        settings = chosen.settings()
        shown = rope_hands.show(settings, reading) if reading else DRAW[view](settings)
    return shown


screen.show("rope", draw)
