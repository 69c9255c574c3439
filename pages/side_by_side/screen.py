"""Side by side: two to four encodings on the same text, queries and keys."""

from collections.abc import Callable
from typing import Any

import streamlit as st

from pages.side_by_side import comparison as side_by_side
from pages.side_by_side import cost as side_by_side_cost
from pages.side_by_side import curves as side_by_side_curves
from pages.side_by_side import matrices as side_by_side_matrices
from pages.side_by_side.comparison import LETTERS, TRAINED, ComparisonSettings, Contender
from posenc.words import say
from ui import controls, screen
from ui.controls import device
from ui.text import controls as live_controls
from ui.text import live
from ui.text import models as live_models
from ui.text.tokens import byte_tokens
from ui.words import _, plural

SENTENCE = "The animal did not cross the street because the animal was too tired."
REST = "The street was wide, the animal was old, and nobody else was on the street."
TEXT = f"{SENTENCE} {REST}"
SAME_WORD = " ".join(["again"] * 64)
NONE = "none"
PROGRAM = "def add(self, other):\n    return self.value + other.value\n\ndef sub(self, other):\n"
SCALED = {"a": "rope", "b": "rope_linear", "c": "rope_ntk", "d": "rope_yarn"}
START: dict[str, Any] = {
    "model": live_models.RANDOM,
    "text": TEXT,
    "a": "rope",
    "b": "alibi",
    "c": "sinusoidal",
    "d": NONE,
}
PRESETS = {
    "places": START,
    "one_word": START | {"text": SAME_WORD},
    "biases": START | {"a": "alibi", "b": "t5", "c": "kerple", "d": "fire"},
    "scalings": START | SCALED | {"text": SAME_WORD},
    "trained": SCALED
    | {
        "view": "curves",
        "model": live_models.TRAINED,
        "layer": 1,
        "text": PROGRAM * 5,
    },
    "twice": START | {"a": "rope", "b": "rope", "c": NONE, "d": NONE},
}
PRESET_LABELS = {
    "places": say("Three places"),
    "one_word": say("One word"),
    "biases": say("Four biases"),
    "scalings": say("RoPE and its scalings"),
    "trained": say("RoPE past {length} bytes", length=TRAINED.train_length),
    "twice": say("The same twice"),
}
STAGES = {name: live.STAGES[name] for name in ("logits", "position", "weights", "surplus")}
MODELS = {name: live_models.MODELS[name] for name in (live_models.RANDOM, live_models.TRAINED)}
VIEWS = {"matrices": say("Matrices"), "curves": say("Curves"), "cost": say("Cost")}
MAX_CHARS = 20_000


def draw(lesson: screen.Lesson) -> screen.ScreenView | None:
    """Read the controls, draw the picture that is asked for."""
    left, right = screen.columns()
    with left:
        controls.presets(PRESETS, PRESET_LABELS)
        settings, contenders, stage, head = read_controls()
    shown = None
    with right:
        chosen = controls.choice(
            "view", _("Picture"), VIEWS, help=_("What to compare: one stage, curves, or the cost.")
        )
        with screen.guard():
            show: Callable[[], screen.ScreenView] = {
                "matrices": lambda: side_by_side_matrices.show(settings, contenders, stage, head),
                "curves": lambda: side_by_side_curves.show(settings, contenders, head),
                "cost": lambda: side_by_side_cost.show(settings, contenders),
            }[chosen]
            shown = show()
    return shown


def read_controls() -> tuple[ComparisonSettings, list[Contender], str, int]:
    """What is compared on which text, and the stage and head that are shown."""
    text = controls.text(
        "text",
        _("Text"),
        TEXT,
        max_chars=MAX_CHARS,
        help=_("All encodings read this text, with the same embeddings."),
    )
    chosen = read_contenders()
    stage = controls.choice(
        "stage",
        _("Stage"),
        STAGES,
        help=_(
            "What the matrices show: the input of the softmax, what position adds to this input, "
            "the attention, or the logarithm of the attention against an even share."
        ),
    )
    with st.expander(_("More")):
        trained, layer = read_model()
        cut = live.TOKENIZERS[controls.ask("tokens", live_controls.tokens())]
        causal = controls.toggle(
            "causal",
            _("Causal mask"),
            True,
            help=_("A query sees no later key, as in language models."),
        )
        num_heads = controls.number(
            "num_heads", _("Heads"), 4, 1, 16, help=_("num_heads; slopes and rates differ by head.")
        )
        head = controls.number(
            "head", _("Head h"), 0, 0, 15, help=_("The head that is shown, from 0.")
        )
        head_dim = controls.ask("head_dim", live_controls.head_dim())
        seed = controls.ask("seed", live_controls.seed())
        factor = controls.number(
            "factor", _("Factor"), 4.0, 1.0, 64.0, step=1.0, help=_("k of RoPE's scalings.")
        )
        original = controls.number(
            "trained",
            _("Trained length"),
            16,
            2,
            4096,
            help=_("L₀ of YaRN, which bounds the ramp. Trained models have their own."),
        )
        place = controls.ask("device", device.device())
    if trained:
        cut = byte_tokens
        num_heads = TRAINED.heads
        head_dim = TRAINED.head_dim
        original = TRAINED.train_length
    if head >= num_heads:
        st.warning(
            plural(
                "Head h = {head} is not there with {count} head. Head 0 is shown.",
                "Head h = {head} is not one of {count} heads. Head 0 is shown.",
                num_heads,
                head=head,
            )
        )
        head = 0
    settings = ComparisonSettings(
        cut(text), "", causal, num_heads, head_dim, seed, place, layer if trained else None
    )
    contenders = [side_by_side.contender(name, factor, original) for name in chosen]
    return settings, contenders, stage, head


def read_model() -> tuple[bool, int]:
    """Whether the trained models are compared, and which of their layers."""
    model = controls.choice(
        "model",
        _("Model"),
        MODELS,
        live_models.RANDOM,
        help=_(
            "With random projections all encodings have the same queries and keys. The trained "
            "models are one for each encoding, with their own; they read the text in bytes."
        ),
    )
    layer = controls.number(
        "layer", _("Layer"), 0, 0, TRAINED.layers - 1, help=_("Of the trained models, from 0.")
    )
    return model == live_models.TRAINED, layer


def read_contenders() -> list[str]:
    """Two to four ids; the same one twice is allowed."""
    help = _("An encoding, or RoPE with a scaling (its factor and trained length stand in More).")
    some = side_by_side.titles()
    some_or_none = {NONE: "–"} | some
    chosen = []
    with st.container(key="contenders", gap="xsmall"):  # each in a line with its letter
        for letter, options in zip(LETTERS, (some, some, some_or_none, some_or_none), strict=True):
            key = letter.lower()
            chosen.append(controls.choice(key, letter, options, START[key], help=help))
    return [name for name in chosen if name != NONE]


screen.show("side_by_side", draw)
