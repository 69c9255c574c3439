"""Live attention: every stage of a score on typed text, in a real model and in small ones."""

import streamlit as st

from models.files.find import Found
from pages.live_attention import real, toys
from pages.live_attention.texts import PRESET_LABELS, PROGRAM, SENTENCE, presets
from posenc.words import say
from ui import controls, screen
from ui.text.models import MODELS, TRAINED
from ui.text.real import available
from ui.words import _, translate

MAX_CHARS = 20_000
NO_MODEL = say(
    "No language model is installed here, so the small models of this project stand in its place. "
    "`make run` installs one, unless POSENC_NO_MODEL is set."
)


def draw(lesson: screen.Lesson) -> screen.ScreenView | None:
    """Read text and model, then show what that model does."""
    left, right = screen.columns(lesson)
    models: dict[str, Found] = {}
    with screen.guard():
        models = available()
    first = next(iter(models), TRAINED)
    with left:
        shown = presets(first if models else None)
        controls.presets(shown, {name: PRESET_LABELS[name] for name in shown})
        text = controls.text(
            "text",
            _("Text"),
            SENTENCE if models else PROGRAM,
            max_chars=MAX_CHARS,
            help=_(
                "The attention reads this text, in any language: a real model in its own tokens, "
                "the small trained models in bytes."
            ),
        )
        titles = {name: one.title for name, one in models.items()} | MODELS
        model = controls.choice(
            "model",
            _("Model"),
            titles,
            first,
            help=_(
                "A real language model; small models that were trained on Python code, one for "
                "each encoding; random numbers; or no content at all."
            ),
        )
    if not models:
        with left:
            st.caption(translate(NO_MODEL))
    view = None
    if model in models:
        with right, screen.guard():
            view = real.show(models[model], text, left, right)
    else:
        with left:
            chosen = toys.read_controls(model, text)
        with right, screen.guard():
            view = toys.show(*chosen)
    return view


screen.show("live_attention", draw)
