"""Side by side: two to four encodings on the same text, queries and keys."""

from collections.abc import Callable
from typing import Any

import streamlit as st

from pages.side_by_side import comparison as side_by_side
from pages.side_by_side import cost as side_by_side_cost
from pages.side_by_side import curves as side_by_side_curves
from pages.side_by_side import matrices as side_by_side_matrices
from pages.side_by_side.comparison import LETTERS, TRAINED, ComparisonSettings, Contender
from ui import controls, screen
from ui.controls import device
from ui.text import controls as live_controls
from ui.text import models as live_models
from ui.text.tokens import byte_tokens

SENTENCE = "The animal did not cross the street because the animal was too tired."
TEXT = f"{SENTENCE} The street was wide, the animal was old, and nobody else was on the street."
SAME_WORD = " ".join(["again"] * 64)
NONE = "–"
PROGRAM = "def add(self, other):\n    return self.value + other.value\n\ndef sub(self, other):\n"
START: dict[str, Any] = {
    "model": live_models.RANDOM,
    "text": TEXT,
    "a": "RoPE",
    "b": "ALiBi",
    "c": "Sinusoidal",
    "d": NONE,
}
PRESETS = {
    "Three places": START,
    "One word": START | {"text": SAME_WORD},
    "Four biases": START | {"a": "ALiBi", "b": "T5 bias", "c": "Kerple", "d": "FIRE"},
    "RoPE and its scalings": START | {
        "text": SAME_WORD, "a": "RoPE", "b": "RoPE, linear", "c": "RoPE, NTK-aware",
        "d": "RoPE, YaRN",
    },
    "Trained RoPE past 128 bytes": {
        "view": "Curves", "model": live_models.TRAINED, "layer": 1, "text": PROGRAM * 5,
        "a": "RoPE", "b": "RoPE, linear", "c": "RoPE, NTK-aware", "d": "RoPE, YaRN",
    },
    "The same twice": START | {"a": "RoPE", "b": "RoPE", "c": NONE, "d": NONE},
}  # fmt: skip
STAGES = ("logits", "position", "weights", "surplus")
MODELS = (live_models.RANDOM, live_models.TRAINED)
VIEWS = ("Matrices", "Curves", "Cost")
MAX_CHARS = 20_000


def main() -> None:
    lesson = screen.header("side_by_side")
    left, right = screen.columns()
    with left:
        controls.presets(PRESETS)
        settings, contenders, stage, head = read_controls()
    shown = None
    with right:
        chosen = controls.choice(
            "view", "Picture", VIEWS, help="What to compare: one stage, curves, or the cost."
        )
        with screen.guard():
            draw: Callable[[], screen.ScreenView] = {
                "Matrices": lambda: side_by_side_matrices.show(settings, contenders, stage, head),
                "Curves": lambda: side_by_side_curves.show(settings, contenders, head),
                "Cost": lambda: side_by_side_cost.show(settings, contenders),
            }[chosen]
            shown = draw()
    screen.notice(lesson)
    screen.tabs(lesson, shown)


def read_controls() -> tuple[ComparisonSettings, list[Contender], str, int]:
    text = controls.text(
        "text",
        "Text",
        TEXT,
        max_chars=MAX_CHARS,
        help="What all of them read: the same embeddings.",
    )
    chosen = read_titles()
    stage = controls.choice(
        "stage",
        "Stage",
        STAGES,
        help="What the matrices show: the input of the softmax, what position adds to it, "
        "attention, or its logarithm against an even share.",
    )
    with st.expander("More"):
        trained, layer = read_model()
        cut = live_controls.tokenizer()
        causal = controls.toggle(
            "causal", "Causal mask", True, help="A query sees no later key, as in language models."
        )
        num_heads = controls.number(
            "num_heads", "Heads", 4, 1, 16, help="num_heads; slopes and rates differ by head."
        )
        head = controls.number("head", "Head h", 0, 0, 15, help="The head that is shown, from 0.")
        head_dim, seed = live_controls.head_dim(), live_controls.seed()
        factor = controls.number(
            "factor", "Factor", 4.0, 1.0, 64.0, step=1.0, help="k of RoPE's scalings."
        )
        original = controls.number(
            "trained", "Trained length", 16, 2, 4096,
            help="L₀ of YaRN; it bounds the ramp. Trained models have their own.",
        )  # fmt: skip
        place = device.picker()
    if trained:
        cut, num_heads, head_dim = byte_tokens, TRAINED.heads, TRAINED.head_dim
        original = TRAINED.train_length
    if head >= num_heads:
        st.warning(f"Head h = {head} is not one of {num_heads} heads; showing head 0.")
        head = 0
    settings = ComparisonSettings(
        cut(text), "", causal, num_heads, head_dim, seed, place, layer if trained else None
    )
    contenders = [side_by_side.contender(name, factor, original) for name in chosen]
    return settings, contenders, stage, head


def read_model() -> tuple[bool, int]:
    """Whether the trained models are compared, and which of their layers."""
    model = controls.choice(
        "model", "Model", MODELS, live_models.RANDOM,
        help="Random projections: the same queries and keys for all. Trained: a model for each "
        "encoding, with its own; the text is read in bytes.",
    )  # fmt: skip
    layer = controls.number(
        "layer", "Layer", 0, 0, TRAINED.layers - 1, help="Of the trained models, from 0."
    )
    return model == live_models.TRAINED, layer


def read_titles() -> list[str]:
    """Two to four encodings; the same one twice is allowed."""
    help = "An encoding, or RoPE with a scaling (factor and trained length under More)."
    by_title = {title: name for name, title in side_by_side.titles().items()}
    some = list(by_title)
    chosen, offered = [], (some, some, [NONE, *some], [NONE, *some])
    with st.container(key="contenders", gap="xsmall"):  # each in a line with its letter
        for letter, options in zip(LETTERS, offered, strict=True):
            key = letter.lower()
            chosen.append(controls.choice(key, letter, options, START[key], help=help))
    return [by_title[title] for title in chosen if title != NONE]


main()
