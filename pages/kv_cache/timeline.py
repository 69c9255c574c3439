"""The cache of a text that grows past the trained length under dynamic NTK, at a model's size."""

from dataclasses import replace

import pandas as pd
import streamlit as st
import torch
from torch import Tensor

from pages.kv_cache.errors import (
    CACHES,
    KEYS,
    NOISE,
    Timeline,
    errors_in_words,
    percent,
    read_text,
    show_errors,
)
from plots.lines import Mark, Series, lines
from posenc import DynamicNTK, Step
from posenc.cache.policy import decode_work
from posenc.cache.stale_keys import stale_score_error
from posenc.cache.steps import stale_mean_steps
from posenc.quantity.sampling import even_positions
from posenc.scaling.ntk import ntk_base
from posenc.words import say
from ui import controls, notebooks, screen
from ui.charts.curve import curve_chart
from ui.links.models import to_config
from ui.words import _, number, translate

STEPS, GROWTH_KEYS = 48, 64
"""Decoding steps on the timeline, keys for each of them."""


def read() -> tuple[DynamicNTK, Timeline]:
    """Draw the controls of the dynamic scaling.

    Raises:
        ValueError: If the head is odd.
    """
    original = controls.number(
        "trained_length",
        _("Trained length L₀"),
        4096,
        1,
        2**20,
        step=1024,
        help=_("The base grows once the text is longer than L₀; 4096 in Llama-2-7B."),
    )
    alpha = controls.number(
        "alpha", _("Factor α"), 2.0, 1.0, 64.0, help=_("`factor` of the dynamic scaling.")
    )
    prompt, decoded, cache = read_text(4096, 2048)
    with st.expander(_("More")):
        head_dim = controls.number(
            "rotary_dim", _("Head width d"), 128, 4, 512, step=2, help=_("128 in Llama-2-7B.")
        )
        base = controls.number(
            "rope_base",
            _("Base b"),
            10000.0,
            1.5,
            1e9,
            step=1000.0,
            help=_("10000 in Llama-2-7B."),
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
        _(
            "At **{length:,} tokens** the base is {base:,.0f}; the prompt's keys were rotated "
            "under {first:,.0f}. {errors}",
            length=now.length,
            base=bases[1],
            first=bases[0],
            errors=errors_in_words(now),
        )
    )
    settings = {
        "d": now.head_dim,
        "base": now.base,
        "alpha": alpha,
        "trained": original,
        "prompt": now.prompt,
        "is_stale": now.cache == "on_write",
    }
    at_length = settings | {"length": now.length}
    notebooks.computed("angle_errors", **at_length)
    notebooks.computed("score_errors", **at_length, points=KEYS)
    lengths = [now.prompt + n for n in even_positions(8192 + 1, STEPS).tolist()]
    notebooks.computed("growth", **settings, points=GROWTH_KEYS, lengths=lengths)
    frames = show_errors(now)
    frames[say("timeline")] = show_growth(now)
    frames[say("work")] = show_work(now, original)
    to_config(now.head_dim, now.base, original, now.length)
    return screen.ScreenView(lambda: frames)


def show_growth(now: Timeline) -> pd.DataFrame:
    """Curve: the mean score error at every step of the decoding."""
    steps = even_positions(8192 + 1, STEPS)
    name = _("mean score error")
    decoded = _("tokens decoded")
    means = growth(now, steps).numpy()
    figure = lines(
        steps.numpy(),
        [Series(name, means, marker="")],
        title=_("Mean score error of the cached keys while the text grows"),
        x_title=decoded,
        y_title=_("error ÷ size of a score"),
        y_range=(0.0, 2.0),
        marks=[Mark("x", now.decoded, _("now")), Mark("y", NOISE, _("noise"), left=True)],
    )
    curve_chart(
        figure,
        lambda _, step: growth_steps(now, step),
        key="growth",
        alt=_("Curve of the mean score error against decoded tokens"),
        names=[name],
        places=(0, int(steps[-1])),
        x_name=decoded,
        default=(0, int(steps[(steps - now.decoded).abs().argmin()])),
        height=300,
    )
    return screen.curve_frame(decoded, steps.tolist(), {name: means})


def growth(now: Timeline, steps: Tensor) -> Tensor:
    """Mean score error over the cached keys after each number of decoded tokens."""
    return torch.stack([stale_score_error(phases(now, n)).mean() for n in steps.tolist()])


def growth_steps(now: Timeline, decoded: int) -> tuple[Step, ...]:
    """How the mean at one step of the decoding came about."""
    phase = phases(now, decoded)
    return stale_mean_steps(phase, stale_score_error(phase).mean().item())


def phases(now: Timeline, decoded: int) -> Tensor:
    """Angle errors of some of the cached keys after that many decoded tokens."""
    keys = even_positions(now.prompt + decoded, GROWTH_KEYS)
    then = replace(now, decoded=decoded)
    return then.stale().at(keys, torch.arange(now.head_dim // 2))


def show_work(now: Timeline, original: int) -> pd.DataFrame:
    """Table: what each way of caching takes, and what it leaves wrong."""
    rows = {}
    for cache, label in CACHES.items():
        work = decode_work(cache, now.prompt, now.length, original)  # type: ignore[arg-type]
        rows[translate(label)] = {
            _("mean score error"): percent(now.score_errors(cache).mean()),
            _("keys rotated since the prompt"): number(work.keys_rotated),
            _("tokens run since the prompt"): number(work.tokens_run),
        }
    frame = pd.DataFrame(rows).T.rename_axis(_("keys are rotated"))
    st.dataframe(frame)
    st.caption(
        _(
            "These are the keys of one head. Rotating on read repairs the rotation; in a model of "
            "several layers, the keys of deeper layers were still made from outputs under the "
            "older base."
        )
    )
    return frame
