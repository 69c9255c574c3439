"""The controls of Side by side: the text, what reads it, and what is shown of that."""

from dataclasses import dataclass
from functools import cached_property
from typing import Any, ClassVar

import streamlit as st
import torch

from pages.side_by_side.comparison import (
    LETTERS,
    TRAINED,
    ComparisonSettings,
    Contender,
    contender,
    titles,
)
from posenc.words import say
from ui import controls
from ui.controls import MORE, device, entry
from ui.text import controls as text_controls
from ui.text import live
from ui.text import models as live_models
from ui.text.tokens import byte_tokens
from ui.words import _

SENTENCE = "The animal did not cross the street because the animal was too tired."
REST = "The street was wide, the animal was old, and nobody else was on the street."
TEXT = f"{SENTENCE} {REST}"
FEW = " ".join(["ha"] * 8)
"""One word, so that only position makes a difference; so few that a phone names each."""
SAME_WORD = " ".join(["again"] * 64)
NONE = "none"
PROGRAM = "def add(self, other):\n    return self.value + other.value\n\ndef sub(self, other):\n"
BIASES = {"a": "alibi", "b": "t5", "c": "kerple", "d": "fire"}
SCALED = {"a": "rope", "b": "rope_linear", "c": "rope_ntk", "d": "rope_yarn"}
START: dict[str, Any] = {
    "model": live_models.RANDOM,
    "text": FEW,
    "a": "rope",
    "b": "alibi",
    "c": NONE,
    "d": NONE,
}
PRESETS: controls.Presets = {
    "one_word": (say("One word"), START),
    "sentence": (say("A sentence"), START | {"text": SENTENCE}),
    "places": (say("Three places"), START | {"text": TEXT, "c": "sinusoidal"}),
    "biases": (say("Four biases"), START | BIASES | {"text": SAME_WORD}),
    "scalings": (say("RoPE and its scalings"), START | SCALED | {"text": SAME_WORD}),
    "trained": (
        say("RoPE past {length} bytes", length=TRAINED.train_length),
        SCALED
        | {
            "view": "curves",
            "model": live_models.TRAINED,
            "layer": 1,
            "text": PROGRAM * 5,
        },
    ),
    "twice": (say("The same twice"), START | {"a": "rope", "b": "rope", "c": NONE, "d": NONE}),
}
STAGES = {name: live.STAGES[name] for name in ("logits", "position", "weights", "surplus")}
MODELS = {name: live_models.MODELS[name] for name in (live_models.RANDOM, live_models.TRAINED)}
MAX_CHARS = 20_000


def choose_contenders(key: str, _label: str) -> list[str]:
    """Two to four ids; the same one twice is allowed."""
    help = _("An encoding, or RoPE with a scaling (its factor and trained length stand in More).")
    some = titles()
    some_or_none = {NONE: "–"} | some
    chosen = []
    with st.container(key=key, gap="xsmall"):  # each in a line with its letter
        for letter, options in zip(LETTERS, (some, some, some_or_none, some_or_none), strict=True):
            name = letter.lower()
            chosen.append(controls.choice(name, letter, options, START[name], help=help))
    return [name for name in chosen if name != NONE]


def heads(s: Any) -> int:
    """Number of heads of the model that is chosen."""
    return TRAINED.heads if s.model == live_models.TRAINED else int(s.num_heads)


@dataclass(frozen=True, kw_only=True)
class Settings:
    """Settings of the comparison: contenders and text, and the stage and head that are shown."""

    first: ClassVar = ("contenders",)

    text: str = entry(
        controls.text,
        say("Text"),
        FEW,
        max_chars=MAX_CHARS,
        help=say("All encodings read this text, with the same embeddings."),
    )
    contenders: list[str] = entry(choose_contenders, "")
    stage: str = entry(
        controls.choice,
        say("Stage"),
        STAGES,
        help=say(
            "What the matrices show: the input of the softmax, what position adds to this input, "
            "the attention, or the logarithm of the attention against an even share."
        ),
    )
    model: str = entry(
        controls.choice,
        say("Model"),
        MODELS,
        help=say(
            "With random projections all encodings have the same queries and keys. The trained "
            "models are one for each encoding, with their own; they read the text in bytes."
        ),
        under=MORE,
    )
    layer: int = entry(
        controls.number,
        say("Layer"),
        0,
        0,
        TRAINED.layers - 1,
        help=say("Of the trained models, from 0."),
        under=MORE,
    )
    tokens: str = text_controls.tokens()
    causal: bool = entry(
        controls.toggle,
        say("Causal mask"),
        True,
        help=say("A query sees no later key, as in language models."),
        under=MORE,
    )
    num_heads: int = text_controls.num_heads(say("num_heads; slopes and rates differ by head."))
    head: int = text_controls.head(heads, under=MORE)
    head_dim: int = text_controls.head_dim()
    seed: int = text_controls.seed()
    factor: float = entry(
        controls.number,
        say("Factor"),
        4.0,
        1.0,
        64.0,
        step=1.0,
        help=say("k of RoPE's scalings."),
        under=MORE,
    )
    trained: int = entry(
        controls.number,
        say("Trained length"),
        16,
        2,
        4096,
        help=say("L₀ of YaRN, which bounds the ramp. Trained models have their own."),
        under=MORE,
    )
    device: torch.device = device.device()

    @property
    def is_trained(self) -> bool:
        """Whether trained models are compared."""
        return self.model == live_models.TRAINED

    @property
    def made(self) -> str:
        """Words for titles: where the numbers come from."""
        return _("trained small models") if self.is_trained else _("computed, nothing trained")

    @cached_property
    def attention(self) -> ComparisonSettings:
        """The text and projections that all contenders share."""
        cut = byte_tokens if self.is_trained else live.TOKENIZERS[self.tokens]
        return ComparisonSettings(
            tokens=cut(self.text),
            encoding="",
            causal=self.causal,
            num_heads=heads(self),
            head_dim=TRAINED.head_dim if self.is_trained else self.head_dim,
            seed=self.seed,
            device=self.device,
            layer=self.layer if self.is_trained else None,
        )

    @cached_property
    def compared(self) -> list[Contender]:
        original = TRAINED.train_length if self.is_trained else self.trained
        return [contender(name, self.factor, original) for name in self.contenders]
