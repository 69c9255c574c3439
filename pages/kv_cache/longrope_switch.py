"""LongRoPE: two lists of divisors, and a cache whose text outgrows the first of them."""

from typing import Any

import numpy as np
import pandas as pd
import streamlit as st

from pages.kv_cache.errors import Timeline, errors_in_words, read_text, show_errors
from plots.lines import Series, lines
from posenc import LongRoPE, Step, known_models, rope_inv_freq
from posenc.cache.steps import longrope_list_steps
from posenc.quantity.sampling import log_positions
from posenc.reading.formula import Reading, mean_cosine
from posenc.reading.steps import mean_cosine_steps
from posenc.words import say
from ui import controls, notebooks, screen
from ui.charts.curve import curve_chart
from ui.links.models import to_config
from ui.words import _, number

PHI3 = "Phi-3-mini-128k"
LISTS = {"phi_3": PHI3, "typed": say("typed")}
CURVE = 400


def read() -> Timeline:
    """Draw the controls.

    Raises:
        ValueError: If the typed lists differ in length or hold a number that is not above 0.
    """
    source = controls.choice(
        "lists",
        _("Lists"),
        LISTS,
        help=_("What the frequency of each pair is divided by. Under More you can type lists."),
    )
    prompt, decoded, cache = read_text(4000, 200)
    with st.expander(_("More")):
        one_each = _("One number for each pair, up to 64; used when the lists are typed.")
        short = controls.vector("short_factor", _("Short list"), "1, 1, 1, 1", help=one_each)
        long = controls.vector("long_factor", _("Long list"), "1, 2, 8, 32", help=one_each)
        original = controls.number(
            "switch_length",
            _("Trained length L₀"),
            4096,
            2,
            2**20,
            step=1024,
            help=_("Texts that are longer than L₀ take the long list."),
        )
        base = controls.number(
            "longrope_base",
            _("Base b"),
            10000.0,
            1.5,
            1e9,
            step=1000.0,
            help=_("10000 in Phi-3."),
        )
    if source == "phi_3":
        scaling, base = known_lists(known_models()[PHI3].config)
    else:
        scaling = typed_lists(short, long, original)
    return Timeline(scaling, 2 * len(scaling.short_factor), base, prompt, decoded, cache)


def known_lists(config: dict[str, Any]) -> tuple[LongRoPE, float]:
    """The scaling and the base of a known model's file."""
    original = config["original_max_position_embeddings"]
    lists = config["rope_scaling"]
    factor = config["max_position_embeddings"] / original
    scaling = LongRoPE(lists["short_factor"], lists["long_factor"], original, factor)
    return scaling, config["rope_theta"]


def typed_lists(short: tuple[float, ...], long: tuple[float, ...], original: int) -> LongRoPE:
    """The scaling of two typed lists; the attention factor does not matter here.

    Raises:
        ValueError: If the lists differ in length or hold a number that is not above 0.
    """
    if len(short) != len(long):
        raise ValueError(
            say(
                "long_factor must hold {wanted} numbers like short_factor; got {count}.",
                wanted=len(short),
                count=len(long),
            )
        )
    return LongRoPE(short, long, original, factor=1.0)


def show(now: Timeline) -> screen.ScreenView:
    """The sentence, the lists, the errors of cached keys, and the jump of fresh ones."""
    scaling = now.scaling
    assert isinstance(scaling, LongRoPE)
    short, long = np.array(scaling.short_factor), np.array(scaling.long_factor)
    original = scaling.original_length
    steepest = int((long / short).argmax())
    values = {
        "length": now.length,
        "switch": original + 1,
        "pair": steepest,
        "ratio": long[steepest] / short[steepest],
        "errors": errors_in_words(now),
    }
    st.markdown(
        _(
            "A text of **{length:,} tokens** takes the **long list**. Token {switch:,} switches, "
            "and pair {pair} then rotates {ratio:.3g} × more slowly at once. {errors}",
            **values,
        )
        if now.length > original
        else _(
            "A text of **{length:,} tokens** takes the **short list**. Token {switch:,} switches, "
            "and pair {pair} then rotates {ratio:.3g} × more slowly at once. {errors}",
            **values,
        )
    )
    frames: dict[str, pd.DataFrame] = {say("lists"): show_lists(scaling, short, long)}
    screen.readouts(
        {
            _("short list"): ends(short),
            _("long list"): ends(long),
            _("largest ratio"): f"{number((long / short).max(), '.3g')} ×",
            _("switches at token"): number(original + 1),
        }
    )
    notebooks.computed(
        "angle_errors",
        (),
        "list_errors",
        short=list(scaling.short_factor),
        long=list(scaling.long_factor),
        base=now.base,
        trained=original,
        prompt=now.prompt,
        length=now.length,
        is_stale=now.cache == "on_write",
    )
    frames |= show_errors(now)
    frames[say("jump")] = show_jump(now, original)
    to_config(now.head_dim, now.base, original, now.length)
    return screen.ScreenView(lambda: frames)


def ends(divisors: np.ndarray) -> str:
    """The least and the largest of a list."""
    return f"{number(divisors.min(), '.3g')} … {number(divisors.max(), '.3g')}"


def show_lists(scaling: LongRoPE, short: np.ndarray, long: np.ndarray) -> pd.DataFrame:
    """Divisor of each pair in both lists, and their ratio."""
    curves = {
        _("short list"): short,
        _("long list"): long,
        _("ratio long ÷ short"): long / short,
    }
    figure = lines(
        np.arange(len(short)),
        [Series(name, curve) for name, curve in curves.items()],
        title=_("What each pair's frequency is divided by"),
        x_title=_("pair i, fastest first"),
        y_title=_("divisor"),
        log_y=True,
    )
    notebooks.computed("lists_drawn", short=short.tolist(), long=long.tolist())
    curve_chart(
        figure,
        lambda curve, pair: longrope_list_steps(scaling, curve, pair),
        key="lists_drawn",
        alt=_("Curves of both lists and of their ratio"),
        names=list(curves),
        places=(0, len(short) - 1),
        x_name=_("pair"),
        default=(2, int((long / short).argmax())),
        height=380,
    )
    return screen.curve_frame(_("pair"), range(len(short)), curves)


def show_jump(now: Timeline, original: int) -> pd.DataFrame:
    """What a query sees just before and just after the switch, all keys fresh."""
    distances = log_positions(original + 1, CURVE)
    readings = {
        length: Reading(rope_inv_freq(now.head_dim, now.base, now.scaling, length)[0])
        for length in (original, original + 1)
    }
    curves = {
        _("at {length:,} tokens", length=length): mean_cosine(reading, distances, length).numpy()
        for length, reading in readings.items()
    }
    figure = lines(
        distances.numpy(),
        [Series(name, curve, marker="") for name, curve in curves.items()],
        title=_("The jump at the trained length: mean cosine of the pairs, keys and query alike"),
        x_title=_("distance m − n (tokens)"),
        y_title=_("mean of cos (m − n)θᵢ"),
        log_x=True,
    )

    def explain(curve: int, distance: int) -> tuple[Step, ...]:
        length = original + curve
        return mean_cosine_steps(readings[length], distance, length)

    scaling = now.scaling
    assert isinstance(scaling, LongRoPE)
    notebooks.computed(
        "jump",
        short=list(scaling.short_factor),
        long=list(scaling.long_factor),
        base=now.base,
        trained=original,
        points=CURVE,
    )
    curve_chart(
        figure,
        explain,
        key="jump",
        alt=_("Two curves of the mean cosine against distance, one for each list"),
        names=list(curves),
        places=(1, original),
        x_name=_("distance"),
        default=(1, int(distances[len(distances) // 2])),
        height=320,
    )
    st.caption(
        _(
            "Each curve is the score of two equal vectors of ones over d, without the attention "
            "factor, which is the same for both lists."
        )
    )
    return screen.curve_frame(_("distance"), distances.tolist(), curves)
