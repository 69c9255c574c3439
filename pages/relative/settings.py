"""Controls that several pictures of relative positions have, and the presets."""

from typing import Any

from posenc.words import say
from ui import controls
from ui.controls import entry, number
from ui.text import controls as text_controls

START: dict[str, Any] = {
    "view": "ids",
    "length": 12,
    "cached": 0,
    "max_distance": 4,
    "convention": "key_minus_query",
}
PRESETS: controls.Presets = {
    "tokens_12": (say("12 tokens, k = 4"), START),
    "cached_10": (say("2 queries, 10 cached keys"), START | {"cached": 10}),
    "shaw_16": ("Shaw, k = 16", START | {"view": "shaw", "length": 48, "max_distance": 16}),
    "t5_encoder": (say("T5 encoder"), {"view": "t5", "t5_length": 256, "bidirectional": True}),
    "t5_decoder": (say("T5 decoder"), {"view": "t5", "t5_length": 256, "bidirectional": False}),
    "left_padding": (
        say("Left padding"),
        {"view": "padding", "ids": "3, 4, 5, 6, 7, 8", "padding": 3},
    ),
    "pose": (say("Gaps (PoSE)"), {"view": "padding", "ids": "0, 1, 2, 50, 51, 52", "padding": 0}),
}


def length(default: int, most: int) -> Any:
    return entry(
        number,
        say("Length L"),
        default,
        1,
        most,
        help=say("Keys, at positions 0 … L − 1. Without a cache there are as many queries."),
    )


def max_distance() -> Any:
    """Shaw's k."""
    help = say("k: distances beyond it share an id; 16 in the base model of Shaw's paper.")
    return entry(number, say("Clip at k"), 4, 1, 100_000, help=help)


def seed() -> Any:
    """Where random numbers start."""
    return text_controls.seed(say("The random numbers that stand in for trained ones."), "")


def num_heads(default: int) -> Any:
    help = say("num_heads; 8 in T5-small.")
    return entry(number, say("Heads H"), default, 1, 128, help=help)


def head_dim() -> Any:
    return entry(number, say("Head width d"), 64, 1, 256, help=say("head_dim; 64 in T5-small."))


def num_buckets() -> Any:
    help = say("num_buckets; 32 in T5, 320 in WavLM.")
    return entry(number, say("Buckets"), 32, 4, 1024, even=True, help=help)
