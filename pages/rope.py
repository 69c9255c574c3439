"""RoPE: pairs as clocks, the rotation matrix and its identities, scores, precision."""

import math
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
import pandas as pd
import streamlit as st
import torch
from torch import Tensor

from plots.clocks import clocks
from plots.heatmap import small_multiples
from plots.lines import Mark, Series, lines
from posenc import (
    Axis,
    Computed,
    RoPE,
    RoPEAngles,
    RoPEScore,
    first_colliding_position,
    layout_permutation,
    max_angle_error,
    rope_angles,
    rope_checks,
    rope_decay_bound,
    rope_freqs_cis,
    rope_score_at_distance,
    rope_wavelengths,
    rotation_matrix,
)
from ui import controls, screen
from ui.chart import chart
from ui.matrix import CELLS, matrix
from ui.query_key import query_and_key

WORKED = {
    "head_dim": 4, "rotary_dim": 0, "base": 10000.0, "layout": "interleaved",
    "vectors": "typed", "typed_angles": False,
}  # fmt: skip
MODEL = {"base": 10000.0, "rotary_dim": 0, "vectors": "random", "typed_angles": False}
TYPED = WORKED | {"typed_angles": True, "view": "Matrix"}
PRESETS = {
    "Worked example, d = 4": WORKED,
    "Planes turned by π/6 and π/3": TYPED | {"query_angles": "30, 60", "key_angles": "0, 0"},
    "Half layout, 0° 1° and 1° 2°": TYPED
    | {"layout": "half", "query_angles": "0, 1", "key_angles": "1, 2"},
    "Llama-2-7B": MODEL | {"head_dim": 128, "layout": "half"},
    "Llama-3-8B": MODEL | {"head_dim": 128, "layout": "half", "base": 500000.0},
    "GPT-NeoX-20B": MODEL | {"head_dim": 96, "layout": "half", "rotary_dim": 24},
    "GPT-J-6B": MODEL | {"head_dim": 256, "layout": "interleaved", "rotary_dim": 64},
}
VIEWS = ("Clocks", "Angles", "Matrix", "Score", "Precision")
FRAMES, START = 96, 8
PANEL_CHANNELS = 64
SHIFTS = (0, 1, 10, 100, 1000, 10_000, 100_000)
DTYPES = {"float32": torch.float32, "bfloat16": torch.bfloat16, "float16": torch.float16}


@dataclass(frozen=True)
class Settings:
    """What the controls say."""

    rope: RoPE
    length: int
    query: Tensor
    key: Tensor
    query_angles: Tensor
    key_angles: Tensor
    code: str
    """Python that makes query, key, query_angles and key_angles."""

    @property
    def inv_freq(self) -> Tensor:
        return self.rope.inv_freq

    @property
    def layout(self) -> str:
        return self.rope.layout


# The tables and the snippet of what a view has drawn.
Drawn = tuple[Callable[[], screen.Frames], str]


def clocks_view(s: Settings) -> Drawn:
    pairs = np.linspace(0, len(s.inv_freq) - 1, min(8, len(s.inv_freq))).round().astype(int)
    positions = torch.linspace(0, s.length - 1, min(s.length, FRAMES)).round().long()
    start = min(START, len(positions) - 1)
    turns = rope_wavelengths(s.inv_freq)
    figure = clocks(
        positions.tolist(),
        rope_freqs_cis(positions, s.inv_freq[pairs]).numpy(),
        [f"pair {i}<br>turn in {count(turns[i])}" for i in pairs],
        title="Each pair of channels is a hand that turns as the position grows",
        start=start,
    )
    chart(
        figure,
        key="clocks",
        alt="Clocks, one for each of up to 8 pairs: the hand stands at the angle p·θ of the pair",
        rev=f"{s.length} {len(pairs)}",
    )
    st.caption(
        f"{len(pairs)} of {len(s.inv_freq)} pairs, fastest first. The hand starts at the right and "
        "turns counterclockwise; its tip is exp(i p θ). Below a clock: positions for a full turn."
    )
    screen.readouts(
        {
            "pairs": f"{len(s.inv_freq)}",
            "fastest pair turns in": f"{count(turns[0])} positions",
            "slowest pair turns in": f"{count(turns[-1])} positions",
            "pairs that turn fully within the length": f"{int((turns <= s.length).sum())}",
        }
    )
    cis = rope_freqs_cis(torch.arange(min(s.length, 3)), s.inv_freq[pairs])
    words = [[f"{c:.4f}".replace("j", "i") for c in row] for row in cis.tolist()]
    st.markdown("`freqs_cis`, the tips of the hands at the first positions:")
    st.dataframe(pd.DataFrame(words, columns=[f"pair {i}" for i in pairs]).rename_axis("position"))
    code = (
        "import torch\nfrom posenc import RoPE, rope_freqs_cis\n\n"
        f"inv_freq = {rope_code(s.rope)}.inv_freq[{pairs.tolist()}]\n"
        "print(rope_freqs_cis(torch.arange(3), inv_freq))\n"
        f"values = rope_freqs_cis(torch.tensor({positions[start]}), inv_freq).imag\nprint(values)\n"
    )

    def numbers() -> screen.Frames:
        hands = rope_freqs_cis(positions, s.inv_freq[pairs])
        curves = {f"pair {i} {part}": getattr(hands[:, n], part).numpy()
                  for n, i in enumerate(pairs) for part in ("real", "imag")}  # fmt: skip
        return {"hands": screen.curve_frame("position", positions.numpy(), curves)}

    return numbers, code


def angles_view(s: Settings) -> Drawn:
    value = controls.choice(
        "value", "Shown", ["cos", "sin", "angle"], help="cos and sin of p·θ_i, or the angle itself."
    )
    quantity = RoPEAngles(s.inv_freq, s.length, value)
    shown = matrix(
        quantity,
        key="angles",
        title=f"{quantity.name} at every position and pair",
        alt=f"Heatmap of the {value} of every pair at every position: fast pairs at the left",
    )
    turns = rope_wavelengths(s.inv_freq).numpy()
    mark = Mark("y", s.length, f"length {s.length:,}")
    figure = lines(
        np.arange(len(turns)),
        [Series("wavelength", turns)],
        title="Wavelength of each pair against the length",
        x_title="pair i",
        y_title="positions for a full turn λ_i",
        log_y=True,
        marks=[mark],
    )
    chart(figure, key="wavelengths", alt="Wavelength per pair on a logarithmic axis", height=340)
    code = (
        "from posenc import RoPE, RoPEAngles, view\n\n"
        f"angles = RoPEAngles({rope_code(s.rope)}.inv_freq, {s.length}, {value!r})\n"
        f"values = view(angles, {shown.rows}, {shown.cols}, {CELLS}).values\nprint(values)\n"
    )
    frames = {"angles": screen.view_frame(shown.view)}
    frames["wavelengths"] = screen.curve_frame("pair", range(len(turns)), {"wavelength": turns})
    return lambda: frames, code


def matrix_view(s: Settings) -> Drawn:
    rotation = rotation_matrix(s.query_angles, s.layout)
    channels = len(rotation)
    axes = Axis("channel out", channels), Axis("channel in", channels)
    shown = matrix(
        Computed(rotation, "entry", *axes, signed=True),
        key="rotation",
        title=f"The rotation of the query, {s.layout} layout",
        alt="Heatmap of the rotation matrix: cosines on the diagonal, sines beside it",
    )
    show_checks(s)
    if channels <= PANEL_CHANNELS:
        show_panels(s)
    else:
        st.caption(f"Both layouts stand side by side here up to {PANEL_CHANNELS} rotated channels.")
    code = (
        "import torch\nfrom posenc import Axis, Computed, RoPE, rope_angles, rotation_matrix, view\n"
        f"\n{s.code}rotation = rotation_matrix(query_angles, {s.layout!r})\n"
        "print((rotation @ rotation.T - torch.eye(len(rotation))).abs().max())\n"
        f'axes = Axis("channel out", {channels}), Axis("channel in", {channels})\n'
        f'rotation = Computed(rotation, "entry", *axes)\n'
        f"values = view(rotation, {shown.rows}, {shown.cols}, {CELLS}).values\nprint(values)\n"
    )
    return lambda: {"rotation": screen.view_frame(shown.view)}, code


def show_checks(s: Settings) -> None:
    shifts = rope_angles(torch.tensor(SHIFTS), s.inv_freq)
    checks = rope_checks(s.query, s.key, s.query_angles, s.key_angles, shifts, s.layout)
    st.subheader("Checked on these numbers", anchor=False)
    screen.readouts(
        {
            "R Rᵀ = I, off by": f"{checks.orthogonal:.1e}",
            "R_mᵀ R_n = R_{n−m}, off by": f"{checks.relative:.1e}",
            "complex, elementwise, matrix form differ by": f"{checks.forms:.1e}",
            "score (R_m q)·(R_n k)": f"{float(checks.scores[0]):.4f}",
        }
    )
    scores = {"score": [f"{score:.12g}" for score in checks.scores.tolist()]}
    st.markdown(
        "The score when query and key move on together by s positions "
        f"(largest difference {checks.spread:.1e}):"
    )
    st.dataframe(pd.DataFrame(scores, [f"s = {shift:,}" for shift in SHIFTS]).T)


def show_panels(s: Settings) -> None:
    channels = 2 * len(s.query_angles)
    matrices = {
        layout: rotation_matrix(s.query_angles, layout) for layout in ("interleaved", "half")
    }
    matrices["permutation P"] = torch.eye(channels)[layout_permutation(channels)]
    panels = [(name, m.numpy()) for name, m in matrices.items()]
    axes = {"x_title": "channel in", "y_title": "channel out", "signed": True}
    figure = small_multiples(panels, title="R_half = P R_interleaved Pᵀ", **axes)
    chart(
        figure,
        key="layouts",
        alt="The rotation in both layouts and the permutation of channels between them",
        height=320,
    )
    if len(s.query_angles) > 4:
        return
    alone = rotation_matrix(torch.diag(s.query_angles), s.layout)
    planes = [(f"plane of pair {i}", plane.numpy()) for i, plane in enumerate(alone)]
    planes.append(("R", matrices[s.layout].numpy()))
    figure = small_multiples(planes, title="R is the product of one rotation per plane", **axes)
    chart(figure, key="planes", alt="One rotation for each pair, and their product", height=300)


def score_view(s: Settings) -> Drawn:
    points = min(s.length, 4096)
    distances = torch.linspace(0, s.length - 1, points, dtype=torch.float64).round().long()
    score = rope_score_at_distance(s.query, s.key, s.inv_freq, distances, s.layout).numpy()
    figure = lines(
        distances.numpy(),
        [Series("score", score, marker="")],
        title="Score of the chosen query and key against their distance",
        x_title="distance m − n (tokens)",
        y_title="(R_m q)·(R_n k)",
    )
    chart(figure, key="score", alt="Curve of the score against the distance")
    sampled = "every distance" if points == s.length else f"{points:,} distances, evenly spread"
    st.caption(f"Evaluated at {sampled}. Not divided by √d.")
    screen.readouts(
        {
            "score at distance 0": f"{score[0]:.4f}",
            "largest later score": f"{score[1:].max():.4f}",
            "at distance": f"{int(distances[1 + score[1:].argmax()]):,}",
        }
    )
    bound = rope_decay_bound(s.inv_freq, distances).numpy()
    figure = lines(
        distances.numpy(),
        [Series("bound", bound, marker="")],
        title="The paper's decay curve: an upper bound, the score need not follow it",
        x_title="distance m − n (tokens)",
        y_title="mean of |S_j|",
    )
    chart(figure, key="bound", alt="Curve of the mean of |S_j| against the distance", height=320)
    shown = matrix(
        RoPEScore(s.query, s.key, s.inv_freq, s.length, s.layout),
        key="scores",
        title="The same score for every query and key position",
        alt="Heatmap of the score: constant along every diagonal",
    )
    code = (
        "import torch\nfrom posenc import RoPE, rope_angles, rope_score_at_distance\n\n"
        f"{s.code}distances = torch.linspace(0, {s.length - 1}, {points}, dtype=torch.float64)\n"
        "distances = distances.round().long()\n"
        f"values = rope_score_at_distance(query, key, inv_freq, distances, {s.layout!r})\n"
        "print(values)\n"
    )
    curves = {"score": score, "bound": bound}
    frames = {"distance": screen.curve_frame("distance", distances.numpy(), curves)}
    frames["scores"] = screen.view_frame(shown.view)
    return lambda: frames, code


def precision_view(s: Settings) -> Drawn:
    last = math.log2(s.length - 1)
    positions = torch.logspace(0, last, 400, 2, dtype=torch.float64).round().long().unique()
    errors = {n: max_angle_error(positions, s.inv_freq, d).numpy() for n, d in DTYPES.items()}
    figure = lines(
        positions.numpy(),
        [Series(name, error, marker="") for name, error in errors.items()],
        title="Error of the angles when they are computed in low precision",
        x_title="position m",
        y_title="largest error over the pairs (radians)",
        log_x=True,
        log_y=True,
        marks=[Mark("y", math.pi, "π: nothing is left of the angle")],
    )
    chart(figure, key="precision", alt="Error of float32, bfloat16 and float16 angles by position")
    st.caption(
        "Position, frequency and their product are rounded to the type and compared with float64. "
        "Where a curve stops, the type does not reach the position."
    )
    screen.readouts(
        {f"{name} at {s.length - 1:,}": f"{error[-1]:.1e} rad" for name, error in errors.items()}
        | {"bfloat16 first mistakes position": f"{first_colliding_position(torch.bfloat16)}"}
    )
    code = (
        "import torch\nfrom posenc import RoPE, max_angle_error\n\n"
        f"inv_freq = {rope_code(s.rope)}.inv_freq\n"
        f"positions = torch.logspace(0, {last}, 400, 2, dtype=torch.float64)\n"
        "positions = positions.round().long().unique()\n"
        "types = torch.float32, torch.bfloat16, torch.float16\n"
        "values = torch.stack([max_angle_error(positions, inv_freq, t) for t in types])\n"
        "print(values)\n"
    )
    frame = screen.curve_frame("position", positions.numpy(), errors)
    return lambda: {"precision": frame}, code


def count(positions: float) -> str:
    """A number of positions, readable from 6.28 to 5 063 256."""
    return f"{positions:,.0f}" if positions >= 100 else f"{positions:.3g}"


def rope_code(rope: RoPE) -> str:
    return f"RoPE({rope.head_dim}, {rope.base}, rotary_dim={rope.rotary_dim})"


def degrees(name: str, typed: tuple[float, ...], pairs: int) -> Tensor:
    if len(typed) != pairs:
        raise ValueError(f"{name} must hold {pairs} angles, one for each pair, got {len(typed)}.")
    return torch.deg2rad(torch.tensor(typed, dtype=torch.float64))


lesson = screen.header("rope")
left, right = screen.columns()
with left:
    controls.presets(PRESETS)
    head_dim = controls.number(
        "head_dim", "Head width d", 4, 2, 512, step=2, help="d in the formula; 128 in Llama."
    )
    rotary_dim = controls.number(
        "rotary_dim", "Rotated channels", 0, 0, 512, step=2,
        help="Only the first ones turn; 0 turns the whole head. 24 of 96 in GPT-NeoX-20B.",
    )  # fmt: skip
    base = controls.number(
        "base", "Base b", 10000.0, 1.5, 1e9, step=1000.0,
        help="b in θ_i = b^(−2i/d); 10000 in Llama 2, 500000 in Llama 3.",
    )  # fmt: skip
    length = controls.powers(
        "length", "Length", 64, 4, 2**27, help="Positions shown; 4096 in Llama 2's training."
    )
    layout = controls.choice(
        "layout", "Layout", ["interleaved", "half"],
        help="Which channels form a pair: (2i, 2i + 1), or (i, i + d/2) as in most models.",
    )  # fmt: skip
    with st.expander("Query and key"):
        vectors = query_and_key("typed")
        m = controls.number("m", "Position m", 12, 0, 2**27, help="m of the query, in R_m q.")
        n = controls.number("n", "Position n", 5, 0, 2**27, help="n of the key, in R_n k.")
        typed_angles = controls.toggle(
            "typed_angles", "Type the angles", help="Instead of m·θ_i and n·θ_i, in degrees."
        )
        each = "Degrees, one number for each pair; used when the switch above is on."
        at_query = controls.vector("query_angles", "Angles of the query (°)", "0, 1", help=each)
        at_key = controls.vector("key_angles", "Angles of the key (°)", "1, 2", help=each)


def settings() -> Settings:
    rope = RoPE(head_dim, base, layout=layout, rotary_dim=rotary_dim or head_dim)
    query, key = vectors.make(head_dim)
    if typed_angles:
        angles = [degrees(name, typed, len(rope.inv_freq))
                  for name, typed in (("query_angles", at_query), ("key_angles", at_key))]  # fmt: skip
        code = f"torch.deg2rad(torch.tensor({[at_query, at_key]}, dtype=torch.float64))"
    else:
        angles = rope_angles(torch.tensor([m, n]), rope.inv_freq)
        code = f"rope_angles(torch.tensor([{m}, {n}]), inv_freq)"
    make = f"inv_freq = {rope_code(rope)}.inv_freq\n{vectors.code(head_dim)}"
    return Settings(rope, length, query, key, *angles, f"{make}query_angles, key_angles = {code}\n")


DRAW = dict(
    zip(VIEWS, (clocks_view, angles_view, matrix_view, score_view, precision_view), strict=True)
)
drawn = None
with right:
    view_name = controls.choice(
        "view", "Picture", VIEWS, wide=True, help="What to look at; the controls stay as they are."
    )
    with screen.guard():
        drawn = DRAW[view_name](settings())
screen.notice(lesson)
if drawn is not None:
    screen.tabs(lesson, numbers=drawn[0], code=drawn[1])
