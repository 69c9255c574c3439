"""Relative positions: ids, Shaw's embeddings, sinusoids, T5's buckets, memory, position ids."""

from collections.abc import Callable
from typing import Any

from pages.relative import biases, id_matrix, position_ids, shaw_terms, t5_buckets
from posenc.words import say
from ui import controls, screen
from ui.screen import budget
from ui.words import _

PICTURES = {
    "ids": say("Ids"),
    "shaw": "Shaw",
    "sinusoidal": say("Sinusoidal"),
    "t5": "T5",
    "memory": say("Memory"),
    "padding": say("Padding"),
}
START: dict[str, Any] = {
    "view": "ids",
    "length": 12,
    "cached": 0,
    "max_distance": 4,
    "convention": "key_minus_query",
}
PRESETS: dict[str, dict[str, Any]] = {
    "tokens_12": START,
    "cached_10": START | {"cached": 10},
    "shaw_16": START | {"view": "shaw", "length": 48, "max_distance": 16},
    "t5_encoder": {"view": "t5", "length": 256, "bidirectional": True},
    "t5_decoder": {"view": "t5", "length": 256, "bidirectional": False},
    "left_padding": {"view": "padding", "ids": "3, 4, 5, 6, 7, 8", "padding": 3},
    "pose": {"view": "padding", "ids": "0, 1, 2, 50, 51, 52", "padding": 0},
}
PRESET_LABELS = {
    "tokens_12": say("12 tokens, k = 4"),
    "cached_10": say("2 queries, 10 cached keys"),
    "shaw_16": "Shaw, k = 16",
    "t5_encoder": say("T5 encoder"),
    "t5_decoder": say("T5 decoder"),
    "left_padding": say("Left padding"),
    "pose": say("Gaps (PoSE)"),
}
CONVENTION_LABELS = {
    "key_minus_query": say("j − i, key minus query"),
    "query_minus_key": say("i − j, query minus key"),
}


def draw(lesson: screen.Lesson) -> screen.ScreenView | None:
    """Read the controls and place the chosen picture."""
    left, right = screen.columns(lesson)
    with right:
        picture = controls.picture(PICTURES)
    with left:
        controls.presets(PRESETS, PRESET_LABELS)
    view = None
    with right, screen.guard():
        with left:
            chosen = READ[picture]()
        with budget.seat(sum(each * chosen[name] for name, each in BYTES[picture].items())):
            view = SHOW[picture](chosen)
    return view


def read_length(default: int, maximum: int) -> int:
    """Number of tokens."""
    help = _("Keys, at positions 0 … L − 1. Without a cache there are as many queries.")
    length: int = controls.number("length", _("Length L"), default, 1, maximum, help=help)
    return length


def read_max_distance() -> int:
    """Shaw's k."""
    help = _("k: distances beyond it share an id; 16 in Shaw's paper.")
    k: int = controls.number("max_distance", _("Clip at k"), 4, 1, 100_000, help=help)
    return k


def read_seed() -> int:
    """Where random numbers start."""
    help = _("The random numbers that stand in for trained ones.")
    seed: int = controls.number("seed", _("Seed"), 0, 0, 2**32 - 1, help=help)
    return seed


def read_num_heads(default: int) -> int:
    """Heads."""
    help = _("num_heads; 8 in T5-small.")
    heads: int = controls.number("num_heads", _("Heads H"), default, 1, 128, help=help)
    return heads


def read_head_dim() -> int:
    """Width of a head."""
    help = _("head_dim; 64 in T5.")
    width: int = controls.number("head_dim", _("Head width d"), 64, 1, 256, help=help)
    return width


def read_num_buckets() -> int:
    """T5's buckets."""
    help = _("num_buckets; 32 in T5, 320 in WavLM.")
    buckets: int = controls.number("num_buckets", _("Buckets"), 32, 2, 1024, help=help)
    return buckets


def read_ids() -> dict[str, Any]:
    """Controls of the id matrix."""
    length = read_length(12, 100_000_000)
    cached = controls.number(
        "cached",
        _("Cached keys"),
        0,
        0,
        length - 1,
        help=_("Keys before the first query: L − q_len. L − 1 when one token is decoded."),
    )
    return {
        "length": length,
        "q_len": length - cached,
        "max_distance": read_max_distance(),
        "convention": controls.choice(
            "convention",
            _("Sign"),
            CONVENTION_LABELS,
            help=_("Shaw, tensor2tensor and T5 count j − i; Transformer-XL and ALiBi count i − j."),
        ),
    }


def read_shaw() -> dict[str, Any]:
    """Controls of Shaw's terms."""
    return {
        "length": read_length(24, 256),
        "max_distance": read_max_distance(),
        "head_dim": read_head_dim(),
        "seed": read_seed(),
    }


def read_sinusoidal() -> dict[str, Any]:
    """Controls of the sinusoidal bias."""
    num_heads = read_num_heads(4)
    return {
        "length": read_length(128, 1_000_000),
        "num_heads": num_heads,
        "head": controls.number(
            "head",
            _("Head h"),
            0,
            0,
            num_heads - 1,
            help=_("The head in the large picture, from 0."),
        ),
        "d_model": controls.number(
            "d_model",
            _("Sinusoids"),
            64,
            2,
            2048,
            step=2,
            help=_("Sines and cosines in R; an even number."),
        ),
        "base": controls.number(
            "base",
            _("Base"),
            10000.0,
            1.001,
            1e12,
            help=_("Base of the frequencies; 10000 in Transformer-XL."),
        ),
        "seed": read_seed(),
    }


def read_t5() -> dict[str, Any]:
    """Controls of T5's buckets."""
    return {
        "length": read_length(256, 100_000_000),
        "bidirectional": controls.toggle(
            "bidirectional",
            _("Bidirectional"),
            True,
            help=_("On in T5's encoder, off in its decoder."),
        ),
        "num_buckets": read_num_buckets(),
        "t5_max_distance": controls.number(
            "t5_max_distance",
            _("Largest distance"),
            128,
            1,
            1_000_000,
            help=_("max_distance: the last bucket starts here at the latest; 128 in T5."),
        ),
        "without_min": controls.toggle(
            "without_min",
            _("Leave out the min"),
            help=_("A mistake: min(…, n − 1) is missing."),
        ),
    }


def read_memory() -> dict[str, Any]:
    """Controls of the memory curves."""
    return {
        "num_heads": read_num_heads(8),
        "head_dim": read_head_dim(),
        "max_distance": read_max_distance(),
        "num_buckets": read_num_buckets(),
    }


BYTES: dict[str, dict[str, int]] = {name: {} for name in PICTURES} | {
    "sinusoidal": {"d_model": 16_000},  # two copies of 1,000 float64
    "t5": {"num_buckets": 72_000},  # where 640 blocks cross a bucket's edge, 14 int64
}
"""What a unit of a control takes at the peak, where it is much."""
READ: dict[str, Callable[[], dict[str, Any]]] = {
    "ids": read_ids,
    "shaw": read_shaw,
    "sinusoidal": read_sinusoidal,
    "t5": read_t5,
    "memory": read_memory,
    "padding": position_ids.read,
}
SHOW: dict[str, Callable[[dict[str, Any]], screen.ScreenView]] = {
    "ids": id_matrix.show,
    "shaw": shaw_terms.show,
    "sinusoidal": biases.show_sinusoidal,
    "t5": t5_buckets.show,
    "memory": biases.show_memory,
    "padding": position_ids.show,
}
screen.show("relative", draw)
