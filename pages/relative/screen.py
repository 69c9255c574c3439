"""Relative positions: ids, Shaw's embeddings, sinusoids, T5's buckets, memory, position ids."""

from collections.abc import Callable
from typing import Any

import streamlit as st

from pages.relative import position_ids, t5_buckets
from pages.relative.biases import show_memory, show_sinusoidal
from pages.relative.shaw_terms import show_shaw
from posenc.shaw.formula import CONVENTIONS
from posenc.shaw.picture import RelativeIds
from ui import controls, screen
from ui.charts.matrix import matrix
from ui.charts.panels import Panel, PanelFigure, follow_panels

PICTURES = ("Ids", "Shaw", "Sinusoidal", "T5", "Memory", "Padding")
START: dict[str, Any] = {
    "view": "Ids",
    "length": 12,
    "cached": 0,
    "max_distance": 4,
    "convention": "key_minus_query",
}
PRESETS = {
    "12 tokens, k = 4": START,
    "2 queries, 10 cached keys": START | {"cached": 10},
    "Shaw, k = 16": START | {"view": "Shaw", "length": 48, "max_distance": 16},
    "T5 encoder": {"view": "T5", "length": 256, "bidirectional": True},
    "T5 decoder": {"view": "T5", "length": 256, "bidirectional": False},
    "Left padding": {"view": "Padding", "ids": "3, 4, 5, 6, 7, 8", "padding": 3},
    "Gaps (PoSE)": {"view": "Padding", "ids": "0, 1, 2, 50, 51, 52", "padding": 0},
}
NAMES = {"key_minus_query": "j − i", "query_minus_key": "i − j"}
PANEL = 24  # tokens on a small panel

IDS = 'quantity = RelativeIds({q_len}, {length}, {max_distance}, "{convention}")\n'


def main() -> None:
    """Read the controls and place the chosen picture."""
    lesson = screen.header("relative")
    left, right = screen.columns()
    with right:
        picture = controls.choice(
            "view", "Picture", PICTURES, wide=True,
            help="What to look at; the controls stay as they are.",
        )  # fmt: skip
    with left:
        controls.presets(PRESETS)
    view = None
    with right, screen.guard():
        with left:
            chosen = READ[picture]()
        view = SHOW[picture](chosen)
    screen.notice(lesson)
    screen.tabs(lesson, view)


def read_length(default: int, maximum: int) -> int:
    """Number of tokens."""
    help = "Keys, at positions 0 … L − 1. Without a cache there are as many queries."
    return controls.number("length", "Length L", default, 1, maximum, help=help)


def read_max_distance() -> int:
    """Shaw's k."""
    help = "k: distances beyond it share an id; 16 in Shaw's paper."
    return controls.number("max_distance", "Clip at k", 4, 1, 100_000, help=help)


def read_seed() -> int:
    """Where random numbers start."""
    help = "The random numbers that stand in for trained ones."
    return controls.number("seed", "Seed", 0, 0, 2**32 - 1, help=help)


def read_num_heads(default: int) -> int:
    """Heads."""
    return controls.number(
        "num_heads", "Heads H", default, 1, 128, help="num_heads; 8 in T5-small."
    )


def read_head_dim() -> int:
    """Width of a head."""
    return controls.number("head_dim", "Head width d", 64, 1, 256, help="head_dim; 64 in T5.")


def read_num_buckets() -> int:
    """T5's buckets."""
    help = "num_buckets; 32 in T5, 320 in WavLM."
    return controls.number("num_buckets", "Buckets", 32, 2, 1024, help=help)


def read_ids() -> dict:
    """Controls of the id matrix."""
    length = read_length(12, 100_000_000)
    help = "Keys before the first query: L − q_len. L − 1 when one token is decoded."
    cached = controls.number("cached", "Cached keys", 0, 0, length - 1, help=help)
    return {
        "length": length,
        "q_len": length - cached,
        "max_distance": read_max_distance(),
        "convention": controls.choice(
            "convention",
            "Sign",
            CONVENTIONS,
            help="key_minus_query is j − i: Shaw, tensor2tensor, T5. query_minus_key is i − j: "
            "how Transformer-XL and ALiBi count.",
        ),
    }


def read_shaw() -> dict:
    """Controls of Shaw's terms."""
    return {
        "length": read_length(24, 256),
        "max_distance": read_max_distance(),
        "head_dim": read_head_dim(),
        "seed": read_seed(),
    }


def read_sinusoidal() -> dict:
    """Controls of the sinusoidal bias."""
    num_heads = read_num_heads(4)
    help = "The head in the large picture, from 0."
    return {
        "length": read_length(128, 1_000_000),
        "num_heads": num_heads,
        "head": controls.number("head", "Head h", 0, 0, num_heads - 1, help=help),
        "d_model": controls.number(
            "d_model", "Sinusoids", 64, 2, 2048, step=2, help="Sines and cosines in R; even."
        ),
        "base": controls.number(
            "base", "Base", 10000.0, 1.001, 1e12, help="Base of the frequencies; 10000."
        ),
        "seed": read_seed(),
    }


def read_t5() -> dict:
    """Controls of T5's buckets."""
    chosen = {
        "length": read_length(256, 100_000_000),
        "bidirectional": controls.toggle(
            "bidirectional", "Bidirectional", True, help="On in T5's encoder, off in its decoder."
        ),
        "num_buckets": read_num_buckets(),
        "t5_max_distance": controls.number(
            "t5_max_distance",
            "Largest distance",
            128,
            1,
            1_000_000,
            help="max_distance: at the latest here the last bucket starts; 128 in T5.",
        ),
    }
    chosen["without_min"] = controls.toggle(
        "without_min", "Leave out the min", help="A mistake: min(…, n − 1) is missing."
    )
    chosen["kind"] = "T5BucketsUnclamped" if chosen["without_min"] else "T5Buckets"
    return chosen


def read_memory() -> dict:
    """Controls of the memory curves."""
    return {
        "num_heads": read_num_heads(8),
        "head_dim": read_head_dim(),
        "max_distance": read_max_distance(),
        "num_buckets": read_num_buckets(),
    }


def show_ids(chosen: dict) -> screen.ScreenView:
    """The id matrix, and both signs beside each other."""
    k, length, q_len = chosen["max_distance"], chosen["length"], chosen["q_len"]
    ids = RelativeIds(q_len, length, k, chosen["convention"])
    st.markdown(
        f"Clipped at k = {k}, distances −{k} … {k} have the ids 0 … {2 * k}: the table needs "
        f"**2k + 1 = {2 * k + 1} rows**. With 2k rows, id {2 * k} has none."
    )
    shown = matrix(
        ids,
        key="id_matrix",
        title=f"Ids clip({NAMES[chosen['convention']]}, −{k}, {k}) + {k}",
        alt="Heatmap of relative position ids: constant along diagonals, clipped far away",
        default_cell=(q_len - 1, max(length - 3, 0)),
    )
    past, future = (
        ("0", f"{2 * k}") if chosen["convention"] == CONVENTIONS[0] else (f"{2 * k}", "0")
    )
    screen.readouts(
        {
            "rows of the table": f"2k + 1 = {2 * k + 1}",
            "id of the far past": past,
            "id of the same position": f"{k}",
            "id of the far future": future,
        }
    )
    if q_len < length:
        st.caption(f"Row 0 is the query at position {length - q_len}: the last {q_len} ask.")
    few = min(length, PANEL)
    panels = [
        Panel(NAMES[sign].replace(" − ", "-"), NAMES[sign], RelativeIds(few, few, k, sign))
        for sign in CONVENTIONS
    ]
    title, alt = f"Both signs, first {few} tokens", "The id matrix under both sign conventions"
    default = (few - 1, max(few - 3, 0))
    follow_panels([PanelFigure("signs", title, alt, panels, 360)], key="signs", default=default)
    st.caption("j − i is the sign of Shaw, tensor2tensor and T5; i − j is its mirror image.")
    return screen.ScreenView(
        lambda: {"ids": screen.view_frame(shown.view)}, IDS.format(**chosen) + shown.code()
    )


READ: dict[str, Callable[[], dict]] = {
    "Ids": read_ids,
    "Shaw": read_shaw,
    "Sinusoidal": read_sinusoidal,
    "T5": read_t5,
    "Memory": read_memory,
    "Padding": position_ids.read,
}
SHOW: dict[str, Callable[[dict], screen.ScreenView]] = {
    "Ids": show_ids,
    "Shaw": show_shaw,
    "Sinusoidal": show_sinusoidal,
    "T5": t5_buckets.show,
    "Memory": show_memory,
    "Padding": position_ids.show,
}
main()
