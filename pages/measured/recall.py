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
from pages.measured.draw import Measure, MeasuredSettings, draw, tell
from pages.measured.text import text_by_length
from plots.lines import Mark
from ui import screen

PERCENT = (-3.0, 112.0)  # room for a label above all curves
AT_CHANCE = Mark("y", 100 * CHANCE, "chance", dash="dot", left=True)


def distance_view(s: MeasuredSettings, tuned: int = 0) -> screen.ScreenView:
    """Inside one long context: which keys are found, near ones and far ones."""
    length = (tuned or s.times) * s.trained("recall")

    def measure(one: Contender) -> Curve | None:
        model = f"recall-{one.model}"
        return curves.recall_by_distance(s.results, model, one.method, length, tuned)

    drawing = measured.collect(s.chosen, measure, f"Recall in contexts of {length:,} tokens")
    window = curves.recall_by_distance(s.results, f"recall-{drawing.first.model}", SLIDE, length)
    after = ", fine-tuned" if tuned else ""
    frame = draw(
        drawing,
        f"Recall by distance in {length:,} tokens{after}",
        "recall_by_distance",
        x="distance from query to key (tokens)",
        y="recalled (%)",
        window=window,
        trained=s.trained("recall"),
        marks=[AT_CHANCE],
        y_range=PERCENT,
    )
    code = measured_code.recall_by_distance(drawing.shown, drawing.first.model, length, tuned)
    tell(s, drawing, "recall")
    return screen.ScreenView(lambda: {"recall by distance": frame}, code)


def length_view(s: MeasuredSettings) -> screen.ScreenView:
    """Near and far apart: what length spoils, and what it gains."""
    frames, trained = {}, s.trained("recall")
    for part, column in zip(curves.PARTS, st.columns(2, gap="medium"), strict=True):
        drawing = measured.collect(s.chosen, recall_by_length(s, part), "Recall")
        model = f"recall-{drawing.first.model}"
        window = curves.recall_by_length(s.results, model, SLIDE, part)
        where = f"{'at most' if part == 'near' else 'more than'} {trained} tokens back"
        with column:
            frames[part] = draw(
                drawing,
                f"{part.capitalize()} keys, {where}",
                f"recall_{part}",
                x=f"context length n (tokens); L = {trained}",
                y="recalled (%)",
                window=window,
                trained=trained,
                marks=[AT_CHANCE],
                y_range=PERCENT,
                log_x=True,
            )
        if part == "near":
            near = drawing
    tell(s, near, "recall")
    code = measured_code.recall_by_length(near.shown, near.first.model, trained)
    return screen.ScreenView(lambda: frames, code)


def recall_by_length(s: MeasuredSettings, part: str, tuned: int = 0) -> Measure:
    """What gives a contender its curve of near or far recall."""

    def measure(one: Contender) -> Curve | None:
        model = f"recall-{one.model}"
        return curves.recall_by_length(s.results, model, one.method, part, tuned)

    return measure


def tuned_view(s: MeasuredSettings) -> screen.ScreenView:
    """The RoPE models before and after a short training at four times their length."""
    first, frames = distance_view(s, tuned=TUNED_FACTOR), {}
    tasks = {"near": "recall", "far": "recall"}
    if s.results.models("text"):
        tasks["text"] = "text"
    for (what, task), column in zip(tasks.items(), st.columns(len(tasks)), strict=True):
        before, after = (
            text_by_length(s, tuned) if what == "text" else recall_by_length(s, what, tuned)
            for tuned in (0, TUNED_FACTOR)
        )
        length = TUNED_FACTOR * s.trained(task)
        with column:
            frames[what] = draw_tuning(s, what, length, before, after)
    st.caption(
        f"Each model before and after {UPDATES} more updates in contexts of {length:,} tokens, "
        "read by its method. The first picture is after them. Sliding window: before."
    )
    return screen.ScreenView(lambda: {**first.tables(), **frames}, first.code)


def draw_tuning(
    s: MeasuredSettings, what: str, length: int, before: Measure, after: Measure
) -> pd.DataFrame:
    """Two points of each model, step 0 and the last."""
    drawing = measured.collect(
        s.chosen,
        lambda one: curves.before_and_after(before(one), after(one), length),
        "Fine-tuning",
    )
    level = 0.0
    if what != "text":
        slide = recall_by_length(s, what)(drawing.first.read_by(SLIDE))
        level = float(slide.mean[slide.x == length][0]) if slide is not None else 0.0
    return draw(
        drawing,
        f"Text at {length:,}" if what == "text" else f"{what.capitalize()} keys at {length:,}",
        f"tuned_{what}",
        x="steps of fine-tuning",
        y="bits per byte over the window" if what == "text" else "recalled (%)",
        marks=[Mark("y", level, "sliding window", left=True)],
        y_range=None if what == "text" else PERCENT,
        height=340,
    )
