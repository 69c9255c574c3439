"""Recall of the shipped models: by distance, by length, before and after fine-tuning."""

import pandas as pd
import streamlit as st

from lab.model.methods import SLIDE
from lab.results import curves
from lab.results.curves import Curve
from lab.shipped import TUNED_FACTOR
from lab.tasks.recall import CHANCE
from lab.training.finetuning import UPDATES
from pages.measured import code as measured_code
from pages.measured import contenders as measured
from pages.measured.contenders import Contender
from pages.measured.draw import CurveOf, MeasuredSettings, draw, tell
from pages.measured.text import text_by_length
from plots.lines import Mark
from ui import screen
from ui.words import _, number

PERCENT = (-3.0, 112.0)  # room for a label above all curves


def at_chance() -> Mark:
    """The level of guessing."""
    return Mark("y", 100 * CHANCE, _("chance"), dash="dot", left=True)


def distance_view(s: MeasuredSettings, tuned: int = 0) -> screen.ScreenView:
    """Inside one long context: which keys are found, near ones and far ones."""
    length = (tuned or s.times) * s.trained("recall")

    def curve_of(one: Contender) -> Curve | None:
        model = f"recall-{one.model}"
        return curves.recall_by_distance(s.results, model, one.method, length, tuned)

    what = _("Recall in contexts of {length:,} tokens", length=length)
    drawing = measured.collect(s.chosen, curve_of, what)
    window = curves.recall_by_distance(s.results, f"recall-{drawing.first.model}", SLIDE, length)
    title = _("Recall by distance in {length:,} tokens", length=length)
    if tuned:
        title = _("Recall by distance in {length:,} tokens, fine-tuned", length=length)
    frame = draw(
        drawing,
        title,
        "recall_by_distance",
        x=_("distance from query to key (tokens)"),
        y=_("recalled (%)"),
        window=window,
        trained=s.trained("recall"),
        marks=[at_chance()],
        y_range=PERCENT,
    )
    code = measured_code.recall_by_distance(drawing.shown, drawing.first.model, length, tuned)
    tell(s, drawing, "recall")
    return screen.ScreenView(lambda: {_("recall by distance"): frame}, code)


def length_view(s: MeasuredSettings) -> screen.ScreenView:
    """Near and far apart: what length spoils, and what it gains."""
    frames = {}
    trained = s.trained("recall")
    titles = {
        "near": _("Near keys, at most {trained} tokens back", trained=trained),
        "far": _("Far keys, more than {trained} tokens back", trained=trained),
    }
    for part, column in zip(titles, st.columns(2, gap="medium"), strict=True):
        drawing = measured.collect(s.chosen, recall_by_length(s, part), _("Recall"))
        model = f"recall-{drawing.first.model}"
        window = curves.recall_by_length(s.results, model, SLIDE, part)
        with column:
            frames[titles[part]] = draw(
                drawing,
                titles[part],
                f"recall_{part}",
                x=_("context length n (tokens); L = {trained}", trained=trained),
                y=_("recalled (%)"),
                window=window,
                trained=trained,
                marks=[at_chance()],
                y_range=PERCENT,
                log_x=True,
            )
        if part == "near":
            near = drawing
    tell(s, near, "recall")
    code = measured_code.recall_by_length(near.shown, near.first.model, trained)
    return screen.ScreenView(lambda: frames, code)


def recall_by_length(s: MeasuredSettings, part: str, tuned: int = 0) -> CurveOf:
    """What gives a contender its curve of near or far recall."""

    def curve_of(one: Contender) -> Curve | None:
        model = f"recall-{one.model}"
        return curves.recall_by_length(s.results, model, one.method, part, tuned)

    return curve_of


def tuned_view(s: MeasuredSettings) -> screen.ScreenView:
    """The RoPE models before and after a short training at four times their length."""
    first = distance_view(s, tuned=TUNED_FACTOR)
    frames = {}
    length = TUNED_FACTOR * s.trained("recall")
    titles = {
        "near": _("Near keys at {length:,}", length=length),
        "far": _("Far keys at {length:,}", length=length),
    }
    if s.results.models("text"):
        titles["text"] = _("Text at {length:,}", length=TUNED_FACTOR * s.trained("text"))
    for (part, title), column in zip(titles.items(), st.columns(len(titles)), strict=True):
        with column:
            frames[title] = draw_tuning(s, part, title)
    st.caption(
        _(
            "Each model before and after {updates} more updates in contexts of {length} tokens, "
            "read by its method. The first picture shows the models after them. The sliding window "
            "is that of the models before.",
            updates=UPDATES,
            length=number(length),
        )
    )
    return screen.ScreenView(lambda: {**first.tables(), **frames}, first.code)


def draw_tuning(s: MeasuredSettings, part: str, title: str) -> pd.DataFrame:
    """Two points of each model, before the fine-tuning and after it."""
    on_text = part == "text"
    before, after = (
        text_by_length(s, tuned) if on_text else recall_by_length(s, part, tuned)
        for tuned in (0, TUNED_FACTOR)
    )
    length = TUNED_FACTOR * s.trained("text" if on_text else "recall")
    drawing = measured.collect(
        s.chosen,
        lambda one: curves.before_and_after(before(one), after(one), length),
        _("Fine-tuning"),
    )
    level = 0.0
    if not on_text:
        slide = recall_by_length(s, part)(drawing.first.read_by(SLIDE))
        level = float(slide.mean[slide.x == length][0]) if slide is not None else 0.0
    return draw(
        drawing,
        title,
        f"tuned_{part}",
        x=_("updates of fine-tuning"),
        y=_("bits per byte over the window") if on_text else _("recalled (%)"),
        marks=[Mark("y", level, _("sliding window"), left=True)],
        y_range=None if on_text else PERCENT,
        height=340,
    )
