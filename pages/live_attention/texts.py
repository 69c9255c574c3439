"""The texts to start from, and the presets that hold them."""

from typing import Any

from pages.live_attention.both import BOTH, ONE
from posenc.words import say
from ui import controls
from ui.text.models import EMPTY, RANDOM, TRAINED

SENTENCE = (
    "The animal didn't cross the street because it was too tired. The animal didn't cross the"
)
PROGRAM = "def add(self, other):\n    return self.value + other.value\n\ndef sub(self, other):\n"
LANGUAGES = "Hello, how are you? 你好，你好吗？ Привет, как дела? 👋🙂"
OWLS = "seven blue owls quietly guard the old wooden bridge;"
REPEATED = " ".join([OWLS] * 3)
AGAIN = " ".join(["again"] * 10)
CLASSIC = "The animal did not cross the street because the animal was too tired."

REAL: dict[str, Any] = {
    "text": SENTENCE,
    "view": BOTH,
    "what_if": "none",
    "stage": "weights",
    "layer": 16,
    "head": 0,
}
"""A head that looks at the token before: RoPE makes nearly all of its scores."""
COPYING = {"layer": 17, "head": 5}
TOY: dict[str, Any] = {
    "text": PROGRAM,
    "view": BOTH,
    "model": TRAINED,
    "encoding": "rope",
    "stage": "weights",
    "mask": "causal",
    "layer": 0,
    "head": 0,
}


def presets(first: str | None) -> controls.Presets:
    """Settings to start from; the first ones are the defaults."""
    toys = {
        "code": (say("Small models"), TOY),
        "random": (
            say("Random projections"),
            TOY | {"text": CLASSIC, "model": RANDOM, "tokens": "words"},
        ),
        "one_word": (say("One word"), TOY | {"text": AGAIN, "model": EMPTY, "tokens": "words"}),
        "long": (
            say("{count} bytes", count=2500),
            TOY | {"text": PROGRAM * 31, "view": ONE, "stage": "surplus"},
        ),
    }
    if first is None:
        return toys
    real = REAL | {"model": first}
    attention = real | COPYING | {"view": ONE}
    return {
        "sentence": (say("A sentence"), real),
        "repeated": (say("Three times"), attention | {"text": REPEATED}),
        "languages": (say("Languages"), real | {"text": LANGUAGES}),
        "yarn": (say("YaRN"), attention | {"what_if": "method", "method": "yarn", "factor": 8.0}),
        "layout": (say("Other layout"), attention | {"what_if": "layout"}),
    } | toys
