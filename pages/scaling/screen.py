"""Scaling: what stretching the rotary frequencies does to every pair, and to the scores."""

import math
from dataclasses import dataclass

import pandas as pd
import streamlit as st
from torch import Tensor

from plots.lines import Mark, lines
from plots.style import shade_outside_training
from posenc import Step, rope_inv_freq, rope_wavelengths
from posenc.quantity.sampling import log_positions
from posenc.reading.coverage_steps import CoverageSteps
from posenc.rope.picture import RoPEScore
from posenc.rope.score import rope_score_at_distance
from posenc.scaling.steps import scaled_wavelength_steps, slowed_step
from ui import controls, screen
from ui.charts.curve import curve_chart, followed_chart
from ui.controls.methods import METHODS, Method, Target, code, compare, curve, per_pair, table
from ui.controls.rope import head, query_and_key
from ui.controls.task import number

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


@dataclass(frozen=True)
class Settings:
    """What the controls say, worked out."""

    target: Target
    methods: list[Method]

    @property
    def pairs(self) -> range:
        return range(len(self.methods[0].inv_freq))

    @property
    def plain(self) -> Tensor:
        return rope_inv_freq(self.target.rotary_dim, self.target.base)[0]

    def wavelength(self, method: int, pair: int) -> tuple[Step, ...]:
        scaling, t = self.methods[method].scaling, self.target
        return scaled_wavelength_steps(scaling, t.rotary_dim, t.base, t.length, pair)

    def divisor(self, method: int, pair: int) -> Step:
        m, plain = self.methods[method], self.plain[pair].item()
        return slowed_step(pair, plain, m.inv_freq[pair].item(), m.slowed[pair].item())

    def coverage(self, method: int, pair: int) -> CoverageSteps:
        m, lengths = self.methods[method], (self.target.trained, self.target.length)
        return CoverageSteps(m.coverage, self.plain, m.inv_freq, lengths, pair)

    def snippet(self, names: str, body: str) -> str:
        return code(self.target, self.methods, names, body)


def wavelengths_view(s: Settings) -> screen.ScreenView:
    turns = {m.name: rope_wavelengths(m.inv_freq) for m in s.methods}
    frequencies = {m.name: m.inv_freq for m in s.methods}
    slowed = {m.name: m.slowed for m in s.methods}
    length = s.target.length
    mark = Mark("y", length, f"target length {length:,}", left=True)
    figure = per_pair(
        s.pairs, turns, "Wavelength of each pair", "positions for a full turn λᵢ", [mark]
    )
    highest = max(length, *(float(t.max()) for t in turns.values()))
    shade_outside_training(figure, s.target.trained, 2 * highest, axis="y")
    point = curve_chart(
        figure,
        s.wavelength,
        key="wavelengths",
        alt="Curves of the wavelength per pair, one for each method",
        names=list(turns),
        places=(0, s.pairs[-1]),
        x_name="pair",
        default=(len(turns) - 1, len(s.pairs) // 2),
        shared=["frequencies", "slowed"],
    )
    show_summary(s)
    left, right = st.columns(2, gap="large")
    with left:
        unit = "θᵢ (radians per position)"
        figure = per_pair(s.pairs, frequencies, "Frequency of each pair", unit)
        alt = "Curves of the frequency per pair"
        steps = s.wavelength(point.curve, point.place)[-2:-1]
        followed_chart(figure, steps, point, key="frequencies", alt=alt, height=360)
    with right:
        unit = "plain θᵢ / scaled θᵢ"
        figure = per_pair(s.pairs, slowed, "How much each pair is slowed", unit)
        alt = "Curves of plain over scaled frequency"
        steps = (s.divisor(point.curve, point.place),)
        followed_chart(figure, steps, point, key="slowed", alt=alt, height=360)
    body = "values = torch.stack([rope_wavelengths(inv_freq) for inv_freq, _ in scaled])\n"
    tables = {"wavelengths": turns, "frequencies": frequencies, "slowed": slowed}
    return screen.ScreenView(
        lambda: {name: table("pair", s.pairs, curves) for name, curves in tables.items()},
        s.snippet("rope_wavelengths", body),
    )


def angles_view(s: Settings) -> screen.ScreenView:
    unseen = {m.name: 100 * (m.coverage.unseen / CIRCLE) for m in s.methods}
    reached = {m.name: m.coverage.reached / CIRCLE for m in s.methods}
    reached["seen in training"] = s.methods[0].coverage.seen / CIRCLE
    title = f"Part of the circle that {s.target.length:,} tokens reach and training never showed"
    figure = per_pair(s.pairs, unseen, title, "per cent of a turn", log_y=False)
    methods = len(s.methods)
    point = curve_chart(
        figure,
        lambda method, pair: s.coverage(method, pair).unseen_percent() if method < methods else (),
        key="unseen",
        alt="Curves of the unseen part of the circle per pair, one for each method",
        names=list(reached),
        places=(0, s.pairs[-1]),
        x_name="pair",
        default=(methods - 1, len(s.pairs) * 3 // 4),
        shared=["reached"],
    )
    show_summary(s)
    turn = Mark("y", 1, "one turn: every angle was seen", left=True)
    title = f"How far each pair turns within {s.target.length:,} tokens, and within training"
    figure = per_pair(s.pairs, reached, title, "turns", [turn])
    alt = "Curves of the furthest angle per pair, one for each method, and what training showed"
    if point.curve < methods:
        steps = s.coverage(point.curve, point.place).reached_turns()
    else:
        steps = s.coverage(0, point.place).seen_turns()
    followed_chart(figure, steps, point, key="reached", alt=alt)
    body = (
        f"plain, _ = rope_inv_freq({s.target.rotary_dim}, {s.target.base})\n"
        f"lengths = {s.target.trained}, {s.target.length}\n"
        "unseen = [angle_coverage(plain, *lengths, scaled=f).unseen for f, _ in scaled]\n"
        "values = 100 * (torch.stack(unseen) / (2 * torch.pi))\n"
    )
    return screen.ScreenView(
        lambda: {
            "unseen": table("pair", s.pairs, unseen),
            "turns": table("pair", s.pairs, reached),
        },
        s.snippet("angle_coverage", body),
    )


def score_view(s: Settings) -> screen.ScreenView:
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
    return screen.ScreenView(
        lambda: {"score": table("distance", distances.tolist(), scores)},
        s.snippet("log_positions, rope_score_at_distance", body),
    )


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
            "fastest pair ÷": number(float(m.slowed[0])),
            "slowest pair ÷": number(float(m.slowed[-1])),
            "pairs that meet unseen angles": f"{int(m.is_new.sum())}",
            "attention factor": f"{m.attention_factor:.4f}",
        }
        for m in s.methods
    ]
    st.dataframe(pd.DataFrame(rows, [m.name for m in s.methods]).rename_axis("method"))
    st.markdown("\n".join(f"- {m.sentence(s.target.length)}" for m in s.methods))


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
shown = None
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
        shown = DRAW[VIEWS.index(view)](settings)
screen.notice(lesson)
screen.tabs(lesson, shown)
