"""Scaling: what stretching the rotary frequencies does to every pair, and to the scores."""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
import pandas as pd
import plotly.graph_objects as go
import streamlit as st
from torch import Tensor

from plots.lines import Mark, lines
from plots.style import shade_outside_training
from posenc import (
    RoPEScore,
    log_positions,
    rope_score_at_distance,
    rope_wavelengths,
    wavelength_steps,
)
from ui import controls, screen
from ui.chart import chart
from ui.curve import curve_chart
from ui.rope_controls import head, query_and_key
from ui.scaling_methods import METHODS, Method, Target, code, compare, curve

PRESETS = {
    "Llama-2-7B": {"head_dim": 128, "rotary_dim": 0, "base": 10000.0, "train_length": 4096},
    "Llama-3-8B": {"head_dim": 128, "rotary_dim": 0, "base": 500000.0, "train_length": 8192},
    "Qwen2.5-7B": {"head_dim": 128, "rotary_dim": 0, "base": 1000000.0, "train_length": 32768},
    "GPT-NeoX-20B": {"head_dim": 96, "rotary_dim": 24, "base": 10000.0, "train_length": 2048},
    "Worked example, d = 8": {"head_dim": 8, "rotary_dim": 0, "base": 10000.0, "train_length": 64},
}
VIEWS = ("Wavelengths", "Angles", "Score")
POINTS = 2048
CIRCLE = 2 * math.pi
Curves = Mapping[str, Tensor]
# The tables and the snippet of what a view has drawn.
Drawn = tuple[screen.Frames, str]


@dataclass(frozen=True)
class Settings:
    """What the controls say, worked out."""

    target: Target
    methods: list[Method]

    @property
    def pairs(self) -> np.ndarray:
        return np.arange(len(self.methods[0].inv_freq))

    def snippet(self, names: str, body: str) -> str:
        return code(self.target, self.methods, names, body)


def wavelengths_view(s: Settings) -> Drawn:
    turns = {m.name: rope_wavelengths(m.inv_freq) for m in s.methods}
    frequencies = {m.name: m.inv_freq for m in s.methods}
    slowed = {m.name: m.slowed for m in s.methods}
    length = s.target.length
    mark = Mark("y", length, f"target length {length:,}")
    figure = per_pair(s, turns, "Wavelength of each pair", "positions for a full turn λᵢ", [mark])
    highest = max(length, *(float(t.max()) for t in turns.values()))
    shade_outside_training(figure, s.target.trained, 2 * highest, axis="y")
    curve_chart(
        figure,
        lambda method, pair: wavelength_steps(pair, s.methods[method].inv_freq),
        key="wavelengths",
        alt="Curves of the wavelength per pair, one for each method",
        names=list(turns),
        places=(0, len(s.pairs) - 1),
        x_name="pair",
        default=(0, len(s.pairs) // 2),
    )
    show_summary(s)
    left, right = st.columns(2, gap="large")
    with left:
        figure = per_pair(s, frequencies, "Frequency of each pair", "θᵢ (radians per position)")
        chart(figure, key="frequencies", alt="Curves of the frequency per pair", height=360)
    with right:
        figure = per_pair(s, slowed, "How much each pair is slowed", "plain θᵢ / scaled θᵢ")
        chart(figure, key="slowed", alt="Curves of plain over scaled frequency", height=360)
    body = "values = torch.stack([rope_wavelengths(inv_freq) for inv_freq, _ in scaled])\n"
    tables = {"wavelengths": turns, "frequencies": frequencies, "slowed": slowed}
    frames = {name: frame("pair", s.pairs, curves) for name, curves in tables.items()}
    return frames, s.snippet("rope_wavelengths", body)


def angles_view(s: Settings) -> Drawn:
    unseen = {m.name: 100 * (m.coverage.unseen / CIRCLE) for m in s.methods}
    reached = {m.name: m.coverage.reached / CIRCLE for m in s.methods}
    reached["seen in training"] = s.methods[0].coverage.seen / CIRCLE
    title = f"Part of the circle that {s.target.length:,} tokens reach and training never showed"
    figure = per_pair(s, unseen, title, "per cent of a turn", log_y=False)
    alt = "Curves of the unseen part of the circle per pair, one for each method"
    chart(figure, key="unseen", alt=alt)
    show_summary(s)
    turn = Mark("y", 1, "one turn: every angle was seen")
    title = f"How far each pair turns within {s.target.length:,} tokens, and within training"
    figure = per_pair(s, reached, title, "turns", [turn])
    alt = "Curves of the furthest angle per pair, one for each method, and what training showed"
    chart(figure, key="reached", alt=alt)
    body = (
        f"plain, _ = rope_inv_freq({s.target.rotary_dim}, {s.target.base})\n"
        f"lengths = {s.target.trained}, {s.target.length}\n"
        "unseen = [angle_coverage(plain, *lengths, scaled=f).unseen for f, _ in scaled]\n"
        "values = 100 * (torch.stack(unseen) / (2 * torch.pi))\n"
    )
    frames = {"unseen": frame("pair", s.pairs, unseen), "turns": frame("pair", s.pairs, reached)}
    return frames, s.snippet("angle_coverage", body)


def score_view(s: Settings) -> Drawn:
    query, key = vectors.make(s.target.rotary_dim)
    distances = log_positions(s.target.length, POINTS)
    scores = {
        m.name: rope_score_at_distance(
            query, key, m.inv_freq, distances, attention_factor=m.attention_factor
        )
        for m in s.methods
    }
    figure = lines(
        distances.numpy(),
        [curve(name, y, marker="") for name, y in scores.items()],
        title="Score of one query and key against their distance (analytic)",
        x_title="distance m − n (tokens)",
        y_title="(Rₘq)·(Rₙk), rotated channels",
        log_x=True,
    )
    shade_outside_training(figure, s.target.trained, s.target.length)
    followed = [
        RoPEScore(query, key, m.inv_freq, s.target.length + 1, attention_factor=m.attention_factor)
        for m in s.methods
    ]
    curve_chart(
        figure,
        lambda method, distance: followed[method].steps(distance, 0),
        key="score",
        alt="Curves of the score against the distance, for each method",
        names=[m.name for m in s.methods],
        places=(int(distances[0]), int(distances[-1])),
        x_name="distance",
        default=(0, int(distances[(distances - s.target.trained).abs().argmin()])),
    )
    st.caption(f"Evaluated at {len(distances):,} distances, evenly spread on the logarithmic axis.")
    show_summary(s)
    body = vectors.code(s.target.rotary_dim) + (
        f"distances = log_positions({s.target.length}, {POINTS})\n"
        "values = torch.stack([\n"
        "    rope_score_at_distance(query, key, inv_freq, distances, attention_factor=factor)\n"
        "    for inv_freq, factor in scaled\n"
        "])\n"
    )
    frames = {"score": frame("distance", distances.numpy(), scores)}
    return frames, s.snippet("log_positions, rope_score_at_distance", body)


def show_summary(s: Settings) -> None:
    """The same under every view: readouts, one row and one sentence for each method."""
    turns = s.methods[0].coverage.turns
    screen.readouts(
        {
            "trained length": f"{s.target.trained:,}",
            "target length": f"{s.target.length:,}",
            "pairs": f"{len(turns)}",
            "pairs that never finish a turn in training": f"{int((turns < 1).sum())}",
        }
    )
    rows = [
        {
            "base": f"{m.base:,.0f}",
            "fastest pair ÷": f"{m.slowed[0]:.4g}",
            "slowest pair ÷": f"{m.slowed[-1]:.4g}",
            "pairs that meet unseen angles": f"{int(m.is_new.sum())}",
            "attention factor": f"{m.attention_factor:.4f}",
        }
        for m in s.methods
    ]
    st.dataframe(pd.DataFrame(rows, [m.name for m in s.methods]).rename_axis("method"))
    st.markdown("\n".join(f"- {m.sentence(s.target.length)}" for m in s.methods))


def per_pair(
    s: Settings,
    curves: Curves,
    title: str,
    y_title: str,
    marks: Sequence[Mark] = (),
    *,
    log_y: bool = True,
) -> go.Figure:
    figure = lines(
        s.pairs,
        [curve(name, y) for name, y in curves.items()],
        title=f"{title} (analytic)",
        x_title="pair i",
        y_title=y_title,
        log_y=log_y,
        marks=marks,
    )
    # Pairs are counted: no ticks between two of them.
    return figure.update_xaxes(dtick=1) if len(s.pairs) <= 12 else figure


def frame(x_name: str, x: np.ndarray, curves: Curves) -> pd.DataFrame:
    return screen.curve_frame(x_name, x, {name: y.numpy() for name, y in curves.items()})


lesson = screen.header("scaling")
left, right = screen.columns()
with left:
    controls.presets(PRESETS)
    factor = controls.number(
        "factor", "Factor k", 4.0, 1.0, 1024.0, step=1.0,
        help="k in the formula: target length / trained length; 2 to 40 in released models.",
    )  # fmt: skip
    trained = controls.number(
        "train_length", "Trained length L₀", 4096, 4, 2**22,
        help="Tokens in training; 4096 in Llama 2, 8192 in Llama 3.",
    )  # fmt: skip
    attention_head = head(128)
    with st.expander("More"):
        alpha = controls.number(
            "alpha", "α", 2.0, 0.1, 64.0, step=0.5,
            help="Of NTK alpha and dynamic NTK, where 2 is usual; α = 1 gives NTK-aware.",
        )  # fmt: skip
        vectors = query_and_key("ones")

DRAW = (wavelengths_view, angles_view, score_view)
drawn = None
with right:
    view_place, methods_place = st.columns([2, 3])
    with view_place:
        view = controls.choice(
            "view", "Picture", VIEWS, wide=True, help="What to look at; the controls stay."
        )
    with methods_place:
        names = controls.choices(
            "methods", "Methods", list(METHODS), ["none", "linear", "NTK-aware"],
            help="How the frequencies θᵢ are stretched; none is plain RoPE.",
        )  # fmt: skip
    with screen.guard():
        rope = attention_head.rope("half")
        target = Target(rope.rotary_dim, rope.base, trained, factor, alpha)
        settings = Settings(target, compare(names, target, rope.inv_freq))
        drawn = DRAW[VIEWS.index(view)](settings)
screen.notice(lesson)
if drawn is not None:
    screen.tabs(lesson, numbers=lambda: drawn[0], code=drawn[1])
