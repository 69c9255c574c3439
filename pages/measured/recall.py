"""Recall of the shipped models: by distance, by length, before and after fine-tuning."""

from collections.abc import Sequence
from dataclasses import replace

from lab.model.methods import SLIDE
from lab.results import curves
from lab.results.curves import Curve
from lab.results.tables import load
from lab.shipped import TUNED_FACTOR
from lab.tasks.recall import CHANCE
from lab.training.finetuning import UPDATES
from pages.measured import code as measured_code
from pages.measured import contenders as measured
from pages.measured.contenders import Contender
from pages.measured.draw import CurveOf, behind, figure
from pages.measured.settings import TIMES, DistanceSettings, Settings, trained_length
from pages.measured.text import text_by_length
from plots.lines import Mark
from posenc.words import say
from ui import screen
from ui.words import _, number

PERCENT = (-3.0, 112.0)  # room for a label above all curves


def at_chance() -> Mark:
    return Mark("y", 100 * CHANCE, _("chance"), dash="dot", left=True)


def distance(s: DistanceSettings) -> screen.Picture:
    """Inside one long context: which keys are found, near ones and far ones."""
    return by_distance(s.chosen, TIMES[s.length])


def by_distance(
    chosen: Sequence[Contender],
    times: int,
    more: Sequence[screen.RowFigure] = (),
    tuned: int = 0,
) -> screen.Picture:
    """Recall against distance in contexts of some training lengths, and further figures."""
    trained = trained_length("recall")
    length = times * trained

    def curve_of(one: Contender) -> Curve | None:
        model = f"recall-{one.model}"
        return curves.recall_by_distance(load(), model, one.method, length, tuned)

    what = _("Recall in contexts of {length:,} tokens", length=length)
    drawing = measured.collect(chosen, curve_of, what)
    title = _("Recall by distance in {length:,} tokens", length=length)
    if tuned:
        title = _("Recall by distance in {length:,} tokens, fine-tuned", length=length)
    first = figure(
        drawing,
        title,
        "recall_by_distance",
        x=_("distance from query to key (tokens)"),
        y=_("recalled (%)"),
        table=say("recall by distance"),
        window=curves.recall_by_distance(load(), f"recall-{drawing.first.model}", SLIDE, length),
        trained=trained,
        marks=[at_chance()],
        y_range=PERCENT,
    )
    return screen.Picture(
        figures=[first, *behind(drawing, "recall"), *more],
        code=measured_code.recall_by_distance(drawing.shown, drawing.first.model, length, tuned),
    )


def length(s: Settings) -> screen.Picture:
    """Near and far apart: what length spoils, and what it gains."""
    trained = trained_length("recall")
    titles = {
        "near": _("Near keys, at most {trained} tokens back", trained=trained),
        "far": _("Far keys, more than {trained} tokens back", trained=trained),
    }
    near = measured.collect(s.chosen, recall_by_length("near"), _("Recall"))
    far = measured.collect(s.chosen, recall_by_length("far"), _("Recall"))
    figures = [
        figure(
            drawing,
            titles[part],
            f"recall_{part}",
            x=_("context length n (tokens); L = {trained}", trained=trained),
            y=_("recalled (%)"),
            table=titles[part],
            window=curves.recall_by_length(load(), f"recall-{drawing.first.model}", SLIDE, part),
            trained=trained,
            marks=[at_chance()],
            y_range=PERCENT,
            log_x=True,
        )
        for part, drawing in (("near", near), ("far", far))
    ]
    return screen.Picture(
        figures=[screen.RowFigure(figures=figures), *behind(near, "recall")],
        code=measured_code.recall_by_length(near.shown, near.first.model, trained),
    )


def recall_by_length(part: str, tuned: int = 0) -> CurveOf:
    """Function that gives a contender its curve of near or far recall."""

    def curve_of(one: Contender) -> Curve | None:
        model = f"recall-{one.model}"
        return curves.recall_by_length(load(), model, one.method, part, tuned)

    return curve_of


def tuned(s: Settings) -> screen.Picture:
    """The RoPE models before and after a short training at four times their length."""
    length = TUNED_FACTOR * trained_length("recall")
    titles = {
        "near": _("Near keys at {length:,}", length=length),
        "far": _("Far keys at {length:,}", length=length),
    }
    if load().models("text"):
        titles["text"] = _("Text at {length:,}", length=TUNED_FACTOR * trained_length("text"))
    row = screen.RowFigure(
        figures=[before_and_after(s, part, title) for part, title in titles.items()],
        caption=_(
            "Each model before and after {updates} more updates in contexts of {length} tokens, "
            "read by its method. The first picture shows the models after them. The sliding window "
            "is that of the models before.",
            updates=UPDATES,
            length=number(length),
        ),
    )
    return by_distance(s.chosen, TUNED_FACTOR, [row], TUNED_FACTOR)


def before_and_after(s: Settings, part: str, title: str) -> screen.MeasuredFigure:
    """Two points of each model, before the fine-tuning and after it."""
    on_text = part == "text"
    before, after = (
        text_by_length(tuned) if on_text else recall_by_length(part, tuned)
        for tuned in (0, TUNED_FACTOR)
    )
    length = TUNED_FACTOR * trained_length("text" if on_text else "recall")
    drawing = measured.collect(
        s.chosen,
        lambda one: curves.before_and_after(before(one), after(one), length),
        _("Fine-tuning"),
    )
    level = 0.0
    if not on_text:
        slide = recall_by_length(part)(replace(drawing.first, method=SLIDE))
        level = float(slide.mean[slide.x == length][0]) if slide is not None else 0.0
    return figure(
        drawing,
        title,
        f"tuned_{part}",
        x=_("updates of fine-tuning"),
        y=_("bits per byte over the window") if on_text else _("recalled (%)"),
        table=title,
        marks=[Mark("y", level, _("sliding window"), left=True)],
        y_range=None if on_text else PERCENT,
        height=340,
    )
