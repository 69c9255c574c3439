"""The cache of a text that grows past the trained length under dynamic NTK, at a model's size."""

from dataclasses import replace

import pandas as pd
import streamlit as st
import torch
from torch import Tensor

from pages.kv_cache.errors import (
    CACHES,
    CELLS,
    NOISE,
    Timeline,
    errors_in_words,
    percent,
    read_text,
    show_errors,
    window,
)
from plots.lines import Mark, Series, lines
from posenc import DynamicNTK, Step
from posenc.cache.policy import CACHE_POLICIES, decode_work
from posenc.cache.stale_keys import stale_score_error
from posenc.cache.steps import stale_mean_steps
from posenc.quantity.sampling import even_positions
from posenc.scaling.ntk import ntk_base
from ui import controls, screen
from ui.charts.curve import curve_chart

STEPS, GROWTH_KEYS = 48, 64
"""Decoding steps on the timeline, keys for each of them."""


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


def show(chosen: tuple[DynamicNTK, Timeline]) -> screen.ScreenView:
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
    return screen.ScreenView(lambda: frames, snippet(now))


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
        marks=[Mark("x", now.decoded, "now"), Mark("y", NOISE, "noise", left=True)],
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
        rows[CACHES[cache]] = {
            "mean score error": percent(now.score_errors(cache).mean()),
            "keys rotated since the prompt": f"{work.keys_rotated:,}",
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
        f"scaling = {now.scaling!r}\n"
        f"stale = StaleKeys(scaling, {now.head_dim}, {now.base}, {now.prompt}, {now.length}, "
        f"{now.cache!r})\n"
        f"rows, cols = {window(now)}\n"
        f"values = view(stale, rows, cols, {CELLS}).values\n"
    )
