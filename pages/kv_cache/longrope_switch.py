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
from ui import controls, screen
from ui.charts.curve import curve_chart

PHI3 = "Phi-3-mini-128k"
CURVE = 400


def read() -> Timeline:
    """Draw the controls.

    Raises:
        ValueError: If the typed lists differ in length or hold a number that is not above 0.
    """
    source = controls.choice(
        "lists",
        "Lists",
        (PHI3, "typed"),
        help="Divisors of the pairs; typed ones stand under More.",
    )
    prompt, decoded, cache = read_text(4000, 200)
    with st.expander("More"):
        one_each = "One number for each pair, up to 64; used when the lists are typed."
        short = controls.vector("short_factor", "Short list", "1, 1, 1, 1", help=one_each)
        long = controls.vector("long_factor", "Long list", "1, 2, 8, 32", help=one_each)
        original = controls.number(
            "switch_length", "Trained length L₀", 4096, 2, 2**20, step=1024,
            help="Texts above it take the long list.",
        )  # fmt: skip
        base = controls.number(
            "longrope_base", "Base b", 10000.0, 1.5, 1e9, step=1000.0, help="10000 in Phi-3."
        )
    if source == PHI3:
        scaling, base = known_lists(known_models()[PHI3].config)
    else:
        scaling = typed_lists(short, long, original)
    return Timeline(scaling, 2 * len(scaling.short_factor), base, prompt, decoded, cache)


def known_lists(config: dict[str, Any]) -> tuple[LongRoPE, float]:
    """The scaling and the base of a known model's file."""
    original = config["original_max_position_embeddings"]
    lists, factor = config["rope_scaling"], config["max_position_embeddings"] / original
    scaling = LongRoPE(lists["short_factor"], lists["long_factor"], original, factor)
    return scaling, config["rope_theta"]


def typed_lists(short: tuple[float, ...], long: tuple[float, ...], original: int) -> LongRoPE:
    """The scaling of two typed lists; the attention factor does not matter here.

    Raises:
        ValueError: If the lists differ in length or hold a number that is not above 0.
    """
    if len(short) != len(long):
        raise ValueError(
            f"long_factor must hold {len(short)} numbers like short_factor, got {len(long)}."
        )
    return LongRoPE(short, long, original, factor=1.0)


def show(now: Timeline) -> screen.ScreenView:
    """The sentence, the lists, the errors of cached keys, and the jump of fresh ones."""
    scaling = now.scaling
    assert isinstance(scaling, LongRoPE)
    short, long = np.array(scaling.short_factor), np.array(scaling.long_factor)
    original, steepest = scaling.original_length, int((long / short).argmax())
    is_long = now.length > original
    st.markdown(
        f"A text of **{now.length:,} tokens** takes the **{'long' if is_long else 'short'} list**; "
        f"token {original + 1:,} switches, and pair {steepest} then turns "
        f"{long[steepest] / short[steepest]:.3g} × more slowly at once. {errors_in_words(now)}"
    )
    frames = {"lists": show_lists(scaling, short, long)}
    screen.readouts(
        {
            "short list": f"{short.min():.3g} … {short.max():.3g}",
            "long list": f"{long.min():.3g} … {long.max():.3g}",
            "largest ratio": f"{(long / short).max():.3g} ×",
            "switches at token": f"{original + 1:,}",
        }
    )
    frames |= show_errors(now)
    frames["jump"] = show_jump(now, original)
    return screen.ScreenView(lambda: frames, snippet(now))


def show_lists(scaling: LongRoPE, short: np.ndarray, long: np.ndarray) -> pd.DataFrame:
    """Divisor of each pair in both lists, and their ratio."""
    curves = {"short list": short, "long list": long, "ratio long ÷ short": long / short}
    figure = lines(
        np.arange(len(short)),
        [Series(name, curve) for name, curve in curves.items()],
        title="What each pair's frequency is divided by",
        x_title="pair i, fastest first",
        y_title="divisor",
        log_y=True,
    )
    curve_chart(
        figure,
        lambda curve, pair: longrope_list_steps(scaling, curve, pair),
        key="lists_drawn",
        alt="Curves of both lists and of their ratio",
        names=list(curves),
        places=(0, len(short) - 1),
        x_name="pair",
        default=(2, int((long / short).argmax())),
        height=380,
    )
    return screen.curve_frame("pair", range(len(short)), curves)


def show_jump(now: Timeline, original: int) -> pd.DataFrame:
    """What a query sees just before and just after the switch, all keys fresh."""
    distances = log_positions(original + 1, CURVE)
    readings = {
        length: Reading(rope_inv_freq(now.head_dim, now.base, now.scaling, length)[0])
        for length in (original, original + 1)
    }
    curves = {
        f"at {length:,} tokens": mean_cosine(reading, distances, length).numpy()
        for length, reading in readings.items()
    }
    figure = lines(
        distances.numpy(),
        [Series(name, curve, marker="") for name, curve in curves.items()],
        title="The jump at the trained length: mean cosine of the pairs, keys and query alike",
        x_title="distance m − n (tokens)",
        y_title="mean of cos (m − n)θᵢ",
        log_x=True,
    )

    def explain(curve: int, distance: int) -> tuple[Step, ...]:
        length = original + curve
        return mean_cosine_steps(readings[length], distance, length)

    curve_chart(
        figure,
        explain,
        key="jump",
        alt="Two curves of the mean cosine against distance, one for each list",
        names=list(curves),
        places=(1, original),
        x_name="distance",
        default=(1, int(distances[len(distances) // 2])),
        height=320,
    )
    st.caption(
        "The score of two equal vectors of ones over d, without the attention factor, "
        "which is the same for both lists."
    )
    return screen.curve_frame("distance", distances.tolist(), curves)


def snippet(now: Timeline) -> str:
    """The first picture as a program."""
    scaling = now.scaling
    assert isinstance(scaling, LongRoPE)
    return (
        f"short = {list(scaling.short_factor)}\nlong = {list(scaling.long_factor)}\n"
        f"scaling = LongRoPE(short, long, {scaling.original_length}, factor={scaling.factor})\n"
        f"for length in ({scaling.original_length}, {scaling.original_length + 1}):\n"
        f"    print(length, rope_inv_freq({now.head_dim}, {now.base}, scaling, length)[0][-1])\n"
        "short, long = (torch.tensor(e, dtype=torch.float64) for e in (short, long))\n"
        "values = torch.stack([short, long, long / short])\n"
    )
