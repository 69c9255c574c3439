"""Attention of your sentence: every stage of a score on a text, in a real and in small models."""

from dataclasses import dataclass, fields
from typing import Any

import streamlit as st

from models.files.find import Found
from pages.live_attention import both, real, toys
from pages.live_attention.texts import PROGRAM, SENTENCE, presets
from posenc.words import say
from ui import controls, screen
from ui.charts import stage
from ui.controls import address
from ui.text.models import MODELS, TRAINED
from ui.text.real import available
from ui.words import _, translate

MAX_CHARS = 20_000
OF_ONE_STAGE = ("stage", "shown", "stage_matrix_cell", "stage_matrix_window")
"""Parameters of addresses that may be older than the picture of before and after."""
NO_MODEL = say(
    "No language model is installed here, so the small models of this project stand in its place. "
    "`make run` installs one, unless POSENC_NO_MODEL is set."
)


def titles(s: Any) -> dict[str, str]:
    """Titles of the models that can be asked."""
    return {name: one.title for name, one in s.installed.items()} | MODELS


@dataclass(frozen=True, kw_only=True)
class Settings:
    """Settings of the whole screen: the text, and the model that reads it."""

    installed: dict[str, Found]
    """The real models here, by id."""
    text: str = controls.entry(
        controls.text,
        say("Text"),
        lambda s: SENTENCE if s.installed else PROGRAM,
        max_chars=MAX_CHARS,
        above=True,
        help=say(
            "The attention reads this text, in any language: a real model in its own tokens, "
            "the small trained models in bytes."
        ),
    )
    model: str = controls.entry(
        controls.choice,
        say("Model"),
        titles,
        lambda s: next(iter(s.installed), TRAINED),
        help=say(
            "A real language model; small models that were trained on Python code, one for "
            "each encoding; random numbers; or no content at all."
        ),
    )


NAMES = {
    one.name
    for kind in (Settings, real.Background, real.Settings, toys.Settings)
    for one in fields(kind)
} | {*OF_ONE_STAGE}
"""Names of the controls that some model has: those of another stay in an address."""


def draw(lesson: screen.Lesson) -> screen.ScreenView | None:
    """Read text and model, then the controls of this model, and show what it does."""
    top = st.container()
    left, right = screen.columns(has_first=True)
    installed: dict[str, Found] = {}
    with screen.guard():
        installed = available()
    with left:
        controls.presets(presets(next(iter(installed), None)))
        place = left if stage.mode() else top
        first = controls.read(Settings, lambda: place, {"installed": installed})
        if not installed:
            st.caption(translate(NO_MODEL))
    view = None
    with right, screen.guard():
        if first.model in installed:
            settings = real.read_settings(installed[first.model], first.text, left)
            # The picture of the text before stands there meanwhile, and is seen to be old.
            with st.container(key="reading"), st.spinner(_("Reading the text …")):
                settings.read()
            view = screen.draw(real.picture(settings))
        else:
            toys.open_clicked(first.model)
            above = st.container(key="above")
            with left:
                known = {"model": first.model, "text": first.text}
                small = controls.read(toys.Settings, lambda: above, known, stage.row(above))
            view = screen.draw(toys.picture(small))
        controls.say_misspelt(NAMES)
    return view


is_of_one_stage = address.asked_for(stage.PICTURE) == "stage_matrix"
if is_of_one_stage or any(map(address.asked_for, OF_ONE_STAGE)):
    address.otherwise("view", both.ONE)
screen.show("live_attention", draw)
