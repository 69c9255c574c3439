"""Scaling: what stretching the rotary frequencies does to every pair, and to the scores."""

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import pandas as pd
import plotly.graph_objects as go
import streamlit as st
import torch
from torch import Tensor

from plots.lines import Mark, Series, lines
from plots.style import DASHES, NEUTRAL, OKABE_ITO, shade_outside_training
from posenc import (
    NTK,
    AngleCoverage,
    DynamicNTK,
    Linear,
    Llama3,
    NTKByParts,
    Scaling,
    YaRN,
    angle_coverage,
    ntk_base,
    rope_inv_freq,
    rope_score_at_distance,
    rope_wavelengths,
)
from ui import controls, screen
from ui.chart import chart
from ui.rope_controls import head, query_and_key

PRESETS = {
    "Llama-2-7B": {"head_dim": 128, "rotary_dim": 0, "base": 10000.0, "train_length": 4096},
    "Llama-3-8B": {"head_dim": 128, "rotary_dim": 0, "base": 500000.0, "train_length": 8192},
    "Qwen2.5-7B": {"head_dim": 128, "rotary_dim": 0, "base": 1000000.0, "train_length": 32768},
    "GPT-NeoX-20B": {"head_dim": 96, "rotary_dim": 24, "base": 10000.0, "train_length": 2048},
    "Worked example, d = 8": {"head_dim": 8, "rotary_dim": 0, "base": 10000.0, "train_length": 64},
}
# Name: what it makes of the factor, α and the trained length. A new scaling is one more line.
METHODS = {
    "none": lambda factor, alpha, trained: None,
    "linear": lambda factor, alpha, trained: Linear(factor),
    "NTK base": lambda factor, alpha, trained: NTK(factor, "base"),
    "NTK-aware": lambda factor, alpha, trained: NTK(factor),
    "NTK alpha": lambda factor, alpha, trained: NTK(factor, alpha=alpha),
    "dynamic NTK": lambda factor, alpha, trained: DynamicNTK(alpha, trained),
    "NTK-by-parts": lambda factor, alpha, trained: NTKByParts(factor, trained),
    "YaRN": lambda factor, alpha, trained: YaRN(factor, trained),
    "Llama-3": lambda factor, alpha, trained: Llama3(factor, original_length=trained),
}
NTK_ALPHA = ("NTK-aware", "NTK alpha", "dynamic NTK")
CIRCLE = 2 * math.pi
VIEWS = ("Wavelengths", "Angles", "Score")
POINTS = 2048


@dataclass(frozen=True)
class Method:
    """One scaling at the target length."""

    name: str
    scaling: Scaling | None
    inv_freq: Tensor
    attention_factor: float
    base: float
    coverage: AngleCoverage
    divisor: Tensor
    """By how much each pair is slowed."""
    is_new: Tensor
    """bool: the pair goes more than one position past the angles that training has shown."""


@dataclass(frozen=True)
class Settings:
    """What the controls say."""

    rotary_dim: int
    base: float
    trained: int
    target: int
    methods: list[Method]

    def snippet(self, names: str, body: str) -> str:
        kinds = sorted({type(m.scaling).__name__ for m in self.methods if m.scaling is not None})
        scalings = ", ".join(repr(m.scaling) for m in self.methods)
        return (
            f"import torch\nfrom posenc import {', '.join(['rope_inv_freq', names, *kinds])}\n\n"
            f"scalings = [{scalings}]\n"
            f"scaled = [rope_inv_freq({self.rotary_dim}, {self.base}, s, {self.target}) "
            f"for s in scalings]\n{body}print(values)\n"
        )


Drawn = tuple[screen.Frames, str]
Curves = dict[str, Tensor]


def wavelengths_view(s: Settings) -> Drawn:
    turns = {m.name: rope_wavelengths(m.inv_freq) for m in s.methods}
    frequencies = {m.name: m.inv_freq for m in s.methods}
    divisors = {m.name: m.divisor for m in s.methods}
    target = Mark("y", s.target, f"target length {s.target:,}")
    figure = per_pair(s, turns, "Wavelength of each pair", "positions for a full turn λᵢ", [target])
    highest = max(s.target, *(float(t.max()) for t in turns.values()))
    shade_outside_training(figure, s.trained, 2 * highest, axis="y")
    chart(figure, key="wavelengths", alt="Curves of the wavelength per pair, one for each method")
    show_summary(s)
    left, right = st.columns(2, gap="large")
    with left:
        figure = per_pair(s, frequencies, "Frequency of each pair", "θᵢ (radians per position)")
        chart(figure, key="frequencies", alt="Curves of the frequency per pair", height=360)
    with right:
        figure = per_pair(s, divisors, "How much each pair is slowed", "plain θᵢ / scaled θᵢ")
        chart(figure, key="divisors", alt="Curves of the divisor of each pair", height=360)
    body = "values = torch.stack([rope_wavelengths(inv_freq) for inv_freq, _ in scaled])\n"
    frames = {
        name: frame("pair", np.arange(len(s.methods[0].inv_freq)), curves)
        for name, curves in (("wavelengths", turns), ("frequencies", frequencies))
    }
    return frames, s.snippet("rope_wavelengths", body)


def angles_view(s: Settings) -> Drawn:
    reached = {m.name: m.coverage.reached / CIRCLE for m in s.methods}
    reached["seen in training"] = s.methods[0].coverage.seen / CIRCLE
    unseen = {m.name: 100 * m.coverage.unseen / CIRCLE for m in s.methods}
    turn = Mark("y", 1, "one turn: every angle was seen")
    title = f"How far each pair turns within {s.target:,} tokens"
    chart(
        per_pair(s, reached, title, "turns", [turn]),
        key="reached",
        alt="Curves of the furthest angle per pair, one for each method, and what training showed",
    )
    show_summary(s)
    title = "Part of the circle that training never showed"
    chart(
        per_pair(s, unseen, title, "per cent of a turn", log_y=False),
        key="unseen",
        alt="Curves of the unseen part of the circle per pair, one for each method",
        height=360,
    )
    body = (
        f"plain, _ = rope_inv_freq({s.rotary_dim}, {s.base})\n"
        f"coverage = [angle_coverage(plain, {s.trained}, {s.target}, f) for f, _ in scaled]\n"
        "furthest = [c.reached for c in coverage] + [coverage[0].seen]\n"
        "values = torch.stack(furthest) / (2 * torch.pi)\n"
    )
    pairs = np.arange(len(s.methods[0].inv_freq))
    frames = {"turns": frame("pair", pairs, reached), "unseen": frame("pair", pairs, unseen)}
    return frames, s.snippet("angle_coverage", body)


def score_view(s: Settings) -> Drawn:
    query, key = vectors.make(s.rotary_dim)
    distances = log_spread(s.target)
    scores = {
        m.name: rope_score_at_distance(
            query, key, m.inv_freq, distances, attention_factor=m.attention_factor
        )
        for m in s.methods
    }
    figure = lines(
        distances.numpy(),
        [styled(name, y, marker="") for name, y in scores.items()],
        title="Score of one query and key against their distance (analytic)",
        x_title="distance m − n (tokens)",
        y_title="(Rₘq)·(Rₙk), rotated channels",
        log_x=True,
    )
    shade_outside_training(figure, s.trained, s.target)
    chart(figure, key="score", alt="Curves of the score against the distance, for each method")
    st.caption(f"Evaluated at {len(distances):,} distances, evenly spread on the logarithmic axis.")
    show_summary(s)
    body = vectors.code(s.rotary_dim) + (
        f"distances = torch.logspace(0, {math.log2(s.target - 1)}, {POINTS}, 2, "
        "dtype=torch.float64)\n"
        "distances = distances.round().long().unique()\n"
        "values = torch.stack([\n"
        "    rope_score_at_distance(query, key, f, distances, attention_factor=a)\n"
        "    for f, a in scaled\n"
        "])\n"
    )
    frames = {"score": frame("distance", distances.numpy(), scores)}
    return frames, s.snippet("rope_score_at_distance", body)


def show_summary(s: Settings) -> None:
    plain = s.methods[0].coverage
    screen.readouts(
        {
            "trained length": f"{s.trained:,}",
            "target length": f"{s.target:,}",
            "pairs": f"{len(plain.turns)}",
            "pairs that never finish a turn in training": f"{int((plain.turns < 1).sum())}",
        }
    )
    rows = [
        {
            "base": f"{m.base:,.0f}",
            "fastest pair ÷": f"{m.divisor[0]:.4g}",
            "slowest pair ÷": f"{m.divisor[-1]:.4g}",
            "pairs that meet unseen angles": int(m.is_new.sum()),
            "attention factor": f"{m.attention_factor:.4f}",
        }
        for m in s.methods
    ]
    st.dataframe(pd.DataFrame(rows, [m.name for m in s.methods]).rename_axis("method"))
    st.markdown("\n".join(f"- {sentence(m, s.target)}" for m in s.methods))


def sentence(m: Method, target: int) -> str:
    """What happens at the target length, in words."""
    slowed = f"**{m.name}** slows the fastest pair {m.divisor[0]:.3g} × and the slowest "
    slowed += f"{m.divisor[-1]:.3g} ×. "
    if m.scaling is None:
        slowed = f"**{m.name}** leaves every pair as it was trained. "
    new = int(m.is_new.sum())
    if new == 0:
        return (
            slowed + f"Within {target:,} tokens no pair meets an angle that training never showed."
        )
    further = float(m.coverage.excess[m.is_new].max())
    pairs = "1 pair meets" if new == 1 else f"{new} pairs meet"
    return slowed + (
        f"Within {target:,} tokens {pairs} angles that training never showed, "
        f"up to {further:.3g} × as far as in training."
    )


def per_pair(
    s: Settings,
    curves: Curves,
    title: str,
    y_title: str,
    marks: Sequence[Mark] = (),
    *,
    log_y: bool = True,
) -> go.Figure:
    return lines(
        np.arange(len(s.methods[0].inv_freq)),
        [styled(name, y) for name, y in curves.items()],
        title=f"{title} (analytic)",
        x_title="pair i",
        y_title=y_title,
        log_y=log_y,
        marks=marks,
    )


def styled(name: str, y: Tensor, marker: str | None = None) -> Series:
    """A method's curve: its colour and dash stay when others are chosen."""
    if name not in METHODS:
        return Series(name, y.numpy(), color=NEUTRAL, dash="dot", marker="")
    index = list(METHODS).index(name)
    color, dash = OKABE_ITO[index % len(OKABE_ITO)], DASHES[index % len(DASHES)]
    return Series(name, y.numpy(), color=color, dash=dash, marker=marker)


def frame(x_name: str, x: np.ndarray, curves: Curves) -> pd.DataFrame:
    return screen.curve_frame(x_name, x, {name: y.numpy() for name, y in curves.items()})


def log_spread(target: int) -> Tensor:
    exponents = torch.logspace(0, math.log2(target - 1), POINTS, 2, dtype=torch.float64)
    return exponents.round().long().unique()


lesson = screen.header("scaling")
left, right = screen.columns()
with left:
    controls.presets(PRESETS)
    methods = controls.choices(
        "methods", "Methods", list(METHODS), ["none", "linear", "NTK-aware"],
        help="How the frequencies θᵢ are stretched; none is plain RoPE.",
    )  # fmt: skip
    factor = controls.number(
        "factor", "Factor k", 4.0, 1.0, 1024.0, step=1.0,
        help="Target length / trained length; 2 to 32 in released models.",
    )  # fmt: skip
    trained = controls.number(
        "train_length", "Trained length L₀", 4096, 4, 2**22,
        help="Tokens in training; 4096 in Llama 2, 8192 in Llama 3.",
    )  # fmt: skip
    attention_head = head(128)
    with st.expander("More"):
        alpha = controls.number(
            "alpha", "α", 2.0, 0.1, 64.0, step=0.5,
            help="Of NTK alpha, base·(αk − α + 1)^(d/(d−2)), and of dynamic NTK; α = 1 gives "
            "NTK-aware.",
        )  # fmt: skip
        vectors = query_and_key("ones")


def settings() -> Settings:
    rope = attention_head.rope("half")
    d, base, target = rope.rotary_dim, rope.base, round(factor * trained)
    if not methods:
        raise ValueError("Choose at least one method.")
    made = []
    for name in methods:
        scaling = METHODS[name](factor, alpha, trained)
        inv_freq, attention_factor = rope_inv_freq(d, base, scaling, target)
        coverage = angle_coverage(rope.inv_freq, trained, target, inv_freq)
        slowed, is_new = rope.inv_freq / inv_freq, coverage.unseen > rope.inv_freq
        made.append(
            Method(name, scaling, inv_freq, attention_factor, new_base(name, d, base), coverage,
                   slowed, is_new)
        )  # fmt: skip
    return Settings(d, base, trained, target, made)


def new_base(name: str, d: int, base: float) -> float:
    """The base that the method uses; those that slow the pairs one by one keep it."""
    if name == "NTK base":
        return base * factor
    if name not in NTK_ALPHA:
        return base
    return ntk_base(d, base, factor, alpha if name != "NTK-aware" else 1.0)


DRAW = (wavelengths_view, angles_view, score_view)
drawn = None
with right:
    chosen = controls.choice(
        "view", "Picture", VIEWS, wide=True, help="What to look at; the controls stay as they are."
    )
    with screen.guard():
        drawn = DRAW[VIEWS.index(chosen)](settings())
screen.notice(lesson)
if drawn is not None:
    screen.tabs(lesson, numbers=lambda: drawn[0], code=drawn[1])
