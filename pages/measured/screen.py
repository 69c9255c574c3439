"""Extrapolation, measured: what a real model and small ones do beyond their training length."""

from pages.measured import literature, recall, text
from pages.measured.real import keys, loss
from pages.measured.real.settings import START, USABLE, KeysSettings, LossSettings, ShortSettings
from pages.measured.settings import (
    BASE_10000,
    ENCODINGS,
    RESCALED,
    CountingSettings,
    DistanceSettings,
    LiteratureSettings,
    Settings,
    TextSettings,
)
from posenc.words import say
from ui import controls, screen

PICTURES: screen.Pictures = {
    "loss": (say("A real model: loss by position"), LossSettings, loss.by_position),
    "short": (say("A real model: short texts"), ShortSettings, loss.short),
    "keys": (say("A real model: keys found"), KeysSettings, keys.picture),
    "literature": (
        say("What papers say, and what was found here"),
        LiteratureSettings,
        literature.picture,
    ),
    "distance": (say("Small models: recall by distance"), DistanceSettings, recall.distance),
    "length": (say("Small models: recall by length"), Settings, recall.length),
    "tuned": (say("Small models: fine-tuning"), Settings, recall.tuned),
    "text": (say("Small models: text by length"), TextSettings, text.text),
    "position": (say("Small models: text by position"), Settings, text.position),
    "counting": (say("Small models: counting"), CountingSettings, text.counting),
}
"""The real model's, then those of the small models, in which all encodings are trained alike."""
PRESETS: controls.Presets = {
    "real": (say("A real model"), {"view": "loss", "methods": START, "cost": "bits"}),
    "gain": (say("Against the window"), {"view": "loss", "methods": USABLE, "cost": "window"}),
    "scaled": (
        say("Small models: RoPE scaled"),
        {"view": "distance", "curves": RESCALED, "length": "4L"},
    ),
    "base-10000": (
        say("Small models: base 10000"),
        {"view": "distance", "curves": BASE_10000, "length": "4L"},
    ),
    "encodings": (
        say("Small models: encodings"),
        {"view": "distance", "curves": ENCODINGS, "length": "4L"},
    ),
    "tuned": (say("Small models: fine-tuned"), {"view": "tuned", "curves": RESCALED}),
    "text": (
        say("Small models: on text"),
        {"view": "text", "curves": ENCODINGS, "text": "against"},
    ),
}

screen.show("measured", screen.screen_of(PICTURES, PRESETS))
