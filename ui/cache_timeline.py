"""The cache of a text that grows past the trained length under dynamic NTK, at a model's size."""

import math
from dataclasses import dataclass, replace

import pandas as pd
import streamlit as st
import torch
from torch import Tensor

from plots.heatmap import heatmap, mark_cell
from plots.lines import Mark, Series, lines
from posenc import (
    DynamicNTK,
    Scaling,
    StaleKeys,
    Step,
    View,
    decode_work,
    even_positions,
    ntk_base,
    stale_score_error,
    view,
)
from posenc.cache_steps import stale_mean_steps, stale_score_steps
from posenc.stale_keys import CACHE_POLICIES
from ui import controls, screen
from ui.chart import chart, clicked_cell, visible_window
from ui.curve import Point, curve_chart, followed_chart
from ui.follow import follow
from ui.matrix import cell_words, drawn_words

CELLS, KEYS, STEPS, GROWTH_KEYS = (256, 256), 512, 48, 64
"""Cells of the heatmap, keys on a curve, decoding steps on the timeline, keys for each of them."""
HOW = {
    "on write": "rotated on write",
    "on read": "rotated on read",
    "recomputed": "computed again",
}
NOISE = math.sqrt(2)
"""Score error of keys whose angles are independent of the right ones."""


@dataclass(frozen=True)
class Timeline:
    """A head, its scaling, and how far the text has come."""

    scaling: Scaling
    head_dim: int
    base: float
    prompt: int
    decoded: int
    cache: str

    @property
    def length(self) -> int:
        """Tokens now."""
        return self.prompt + self.decoded

    def stale(self, cache: str | None = None) -> StaleKeys:
        """The angle errors of this moment."""
        settings = self.scaling, self.head_dim, self.base, self.prompt, self.length
        return StaleKeys(*settings, cache or self.cache)  # type: ignore[arg-type]

    @property
    def keys(self) -> Tensor:
        """Some positions of cached keys, evenly spread."""
        return even_positions(self.length, KEYS)

    def score_errors(self, cache: str | None = None) -> Tensor:
        """Of the keys at `keys`, in units of the score's own size."""
        pairs = torch.arange(self.head_dim // 2)
        return stale_score_error(self.stale(cache).at(self.keys, pairs))


def read() -> tuple[DynamicNTK, Timeline]:
    """Draw the controls of the dynamic scaling.

    Raises:
        ValueError: If the head is odd.
    """
    original = controls.number(
        "trained_length", "Trained length L₀", 4096, 1, 2**20, step=1024,
        help="L₀: the base grows once the text is longer; 4096 in Llama-2-7B.",
    )  # fmt: skip
    alpha = controls.number(
        "alpha", "Factor α", 2.0, 1.0, 64.0, help="`factor` of the dynamic scaling."
    )
    prompt, decoded, cache = read_text(4096, 2048)
    with st.expander("More"):
        head_dim = controls.number(
            "rotary_dim", "Head width d", 128, 4, 512, step=2, help="128 in Llama-2-7B."
        )
        base = controls.number(
            "rope_base", "Base b", 10000.0, 1.5, 1e9, step=1000.0, help="10000 in Llama-2-7B."
        )
    scaling = DynamicNTK(alpha, original)
    return scaling, Timeline(scaling, head_dim, base, prompt, decoded, cache)


def read_text(prompt: int, decoded: int) -> tuple[int, int, str]:
    """Draw the controls of the text: prompt, tokens decoded since, and what is cached."""
    prompt = controls.number(
        "prompt", "Prompt", prompt, 1, 2**20, step=1024, help="Tokens read in one pass."
    )
    decoded = controls.slider(
        "decoded", "Tokens decoded", decoded, 0, 8192, step=1,
        help="Written one by one after the prompt.",
    )  # fmt: skip
    cache = controls.choice(
        "cache", "Keys are rotated", CACHE_POLICIES,
        help="On write: before they are cached. On read: cached as they are, all rotated at every "
        "step. Recomputed: the text is run again when the frequencies change.",
    )  # fmt: skip
    return prompt, decoded, cache


def show(chosen: tuple[DynamicNTK, Timeline]) -> tuple[screen.Frames, str]:
    """The sentence, the angle errors, the score errors, and the work of the three ways."""
    scaling, now = chosen
    original, alpha = scaling.original_length, scaling.factor
    bases = [
        ntk_base(now.head_dim, now.base, max(length, original) / original, alpha)
        for length in (now.prompt, now.length)
    ]
    st.markdown(
        f"At **{now.length:,} tokens** the base is {bases[1]:,.0f}; the prompt's keys were rotated "
        f"under {bases[0]:,.0f}. {errors_in_words(now)}"
    )
    frames = show_errors(now)
    frames["timeline"] = show_growth(now)
    frames["work"] = show_work(now, original)
    return frames, snippet(now)


def errors_in_words(now: Timeline) -> str:
    """What the errors are at this moment, in Markdown."""
    errors = now.score_errors()
    largest = float(now.stale().at(now.keys, torch.arange(now.head_dim // 2)).max())
    if largest == 0:
        why = "" if now.cache == "on write" else f", because all are {HOW[now.cache]}"
        return f"**No cached key is wrong**{why}."
    return (
        f"Cached keys are off by up to **{largest:.3g} rad**, and their scores by "
        f"**{percent(errors.mean())}** of a score's own size on average (141 % is noise)."
    )


def percent(share: Tensor) -> str:
    """A share of one, in words."""
    return f"{100 * float(share):.0f} %"


def window(now: Timeline) -> tuple[tuple[int, int], tuple[int, int]]:
    """Keys and pairs that the reader has zoomed to; all of them before."""
    zoom = visible_window("angle_errors", f"{now.length}")
    if zoom is None or zoom.whole:
        return (0, now.length), (0, now.head_dim // 2)
    return zoom.rows(now.length), zoom.cols(now.head_dim // 2)


def show_errors(now: Timeline) -> dict[str, pd.DataFrame]:
    """Angle errors and score errors; one key and pair of them is followed in both."""
    picture = st.container()
    key, pair = followed_key()
    with picture:
        seen = show_angles(now, key, pair)
    if key < now.length and pair < now.head_dim // 2:
        drawn = drawn_words(seen, key, pair)
        steps, place = now.stale().steps(key, pair), f"key {key:,}, pair {pair}"
        follow(steps, key="angle_errors", place=place, unit="rad", drawn=drawn)
    else:
        st.caption(f"Not in this picture: key {key:,}, pair {pair}.")
    return {"angle errors": screen.view_frame(seen), "score errors": show_scores(now, key)}


def followed_key() -> tuple[int, int]:
    """The key and the pair that are followed: clicked on one of both pictures, or typed."""
    state = st.session_state
    for name in ("angle_errors", "score_errors"):
        clicked = clicked_cell(name)
        if clicked is not None and name == "angle_errors":
            state["followed_key"], state["followed_pair"] = int(clicked.y), int(clicked.x)
        elif clicked is not None:
            state["followed_key"] = round(clicked.x)
    left, right, _ = st.columns([2, 2, 3])
    with left:
        key = controls.number(
            "followed_key", "Key n", 4000, 0, 2**21,
            help="The cached key that is followed. Clicking a picture writes it.",
        )  # fmt: skip
    with right:
        pair = controls.number(
            "followed_pair", "Pair i", 40, 0, 255,
            help="The pair that is followed, 0 is the fastest. Clicking the heatmap writes it.",
        )  # fmt: skip
    return key, pair


def show_angles(now: Timeline, key: int, pair: int) -> View:
    """Heatmap: which pairs of which keys are lost."""
    rows, cols = window(now)
    seen = view(now.stale(), rows, cols, CELLS)
    figure = heatmap(
        seen.values.numpy(),
        seen.row_edges.numpy(),
        seen.col_edges.numpy(),
        title=f"Angle error of the cached keys, {HOW[now.cache]}, at {now.length:,} tokens",
        x_title="pair i, fastest first",
        y_title="position n of the cached key",
        signed=False,
        unit="rad",
        z_range=(0.0, math.pi),
        value_name="angle error",
        cell_text=False,
    )
    if rows[0] <= key < rows[1] and cols[0] <= pair < cols[1]:
        mark_cell(figure, key, pair)
    chart(
        figure,
        key="angle_errors",
        alt="Heatmap of how far each pair of each cached key is turned wrong",
        height=430,
        full=(-0.5, now.head_dim // 2 - 0.5, -0.5, now.length - 0.5),
        rev=f"{now.length}",
    )
    st.caption(
        f"{cell_words(seen)} Brightest: π or more, where nothing is left of what the pair said."
    )
    return seen


def show_scores(now: Timeline, key: int) -> pd.DataFrame:
    """Curve: how wrong the score of each key is."""
    errors = now.score_errors().numpy()
    figure = lines(
        now.keys.numpy(),
        [Series("score error", errors, marker="")],
        title="Error of a score against the position of its key",
        x_title="position n of the cached key",
        y_title="error ÷ size of a score",
        y_range=(0.0, 2.0),
        marks=[Mark("y", NOISE, "noise"), Mark("x", now.prompt, "prompt ends")],
    )
    steps = score_steps(now, key) if key < now.length else ()
    followed_chart(
        figure,
        steps,
        Point(0, key, f"key {key:,}"),
        key="score_errors",
        alt="Curve of the score error against the position of the cached key",
        height=320,
        rev=f"{now.length}",
    )
    st.caption(
        "Root mean square over queries and keys of independent normal numbers, whose right score "
        "has size 1; one layer."
    )
    return screen.curve_frame("key", now.keys.tolist(), {"score error": errors})


def score_steps(now: Timeline, key: int) -> tuple[Step, ...]:
    """How wrong the score of one key is."""
    phase = now.stale().at(torch.tensor([key]), torch.arange(now.head_dim // 2))[0]
    return stale_score_steps(phase, stale_score_error(phase).item())


def show_growth(now: Timeline) -> pd.DataFrame:
    """Curve: the mean score error at every step of the decoding."""
    steps = even_positions(8192 + 1, STEPS)
    means = growth(now, steps).numpy()
    figure = lines(
        steps.numpy(),
        [Series("mean score error", means, marker="")],
        title="Mean score error of the cached keys while the text grows",
        x_title="tokens decoded",
        y_title="error ÷ size of a score",
        y_range=(0.0, 2.0),
        marks=[Mark("x", now.decoded, "now"), Mark("y", NOISE, "noise")],
    )
    curve_chart(
        figure,
        lambda _, step: growth_steps(now, step),
        key="growth",
        alt="Curve of the mean score error against decoded tokens",
        names=["mean score error"],
        places=(0, int(steps[-1])),
        x_name="tokens decoded",
        default=(0, int(steps[(steps - now.decoded).abs().argmin()])),
        height=300,
    )
    return screen.curve_frame("decoded", steps.tolist(), {"mean score error": means})


def growth(now: Timeline, steps: Tensor) -> Tensor:
    """Mean score error over the cached keys after each number of decoded tokens."""
    return torch.stack([stale_score_error(phases(now, n)).mean() for n in steps.tolist()])


def growth_steps(now: Timeline, decoded: int) -> tuple[Step, ...]:
    """How the mean at one step of the decoding came about."""
    phase = phases(now, decoded)
    return stale_mean_steps(phase, stale_score_error(phase).mean().item())


def phases(now: Timeline, decoded: int) -> Tensor:
    """How far some of the cached keys are turned wrong after that many decoded tokens."""
    keys = even_positions(now.prompt + decoded, GROWTH_KEYS)
    then = replace(now, decoded=decoded)
    return then.stale().at(keys, torch.arange(now.head_dim // 2))


def show_work(now: Timeline, original: int) -> pd.DataFrame:
    """Table: what each way of caching takes, and what it leaves wrong."""
    rows = {}
    for cache in CACHE_POLICIES:
        work = decode_work(cache, now.prompt, now.length, original)  # type: ignore[arg-type]
        rows[cache] = {
            "mean score error": percent(now.score_errors(cache).mean()),
            "keys rotated since the prompt": f"{work.keys_turned:,}",
            "tokens run since the prompt": f"{work.tokens_run:,}",
        }
    frame = pd.DataFrame(rows).T.rename_axis("keys are rotated")
    st.dataframe(frame)
    st.caption(
        "Keys of one head. Rotating on read repairs the rotation; in a model of several layers, "
        "keys of deeper layers were still made from outputs under the older base."
    )
    return frame


def snippet(now: Timeline) -> str:
    """The first picture as a program."""
    return (
        f"from posenc import {type(now.scaling).__name__}, StaleKeys, view\n\n"
        f"scaling = {now.scaling!r}\n"
        f"stale = StaleKeys(scaling, {now.head_dim}, {now.base}, {now.prompt}, {now.length}, "
        f"{now.cache!r})\n"
        f"rows, cols = {window(now)}\n"
        f"values = view(stale, rows, cols, {CELLS}).values\nprint(values)\n"
    )
