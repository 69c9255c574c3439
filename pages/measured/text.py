"""Loss on text of the shipped models, and counting."""

from lab.results import curves
from lab.results.curves import Curve
from lab.results.tables import load
from lab.spec import SETTINGS
from pages.measured import code as measured_code
from pages.measured import contenders as measured
from pages.measured.contenders import Contender, contenders
from pages.measured.draw import CurveOf, behind, figure
from pages.measured.settings import (
    MIXES,
    CountingSettings,
    Settings,
    TextSettings,
    trained_length,
)
from plots.lines import Mark
from posenc.words import say
from ui import screen
from ui.words import _

COUNTERS = ("cope-max_positions16", "cope", "alibi", "rope", "learned")


def text_by_length(tuned: int = 0, *, against: bool = True) -> CurveOf:
    """Function that gives a contender its curve of bits per byte."""

    def curve_of(one: Contender) -> Curve | None:
        model = f"text-{one.model}"
        return curves.text_by_length(load(), model, one.method, against_window=against, tuned=tuned)

    return curve_of


def text_over_all(one: Contender) -> Curve | None:
    """A contender's curve over all bytes, which is measured as trained only."""
    if one.method != "none":
        return None
    return curves.text_over_all(load(), f"text-{one.model}")


def text(s: TextSettings) -> screen.Picture:
    """Loss of the same bytes after more and more context."""
    trained = trained_length("text")
    against = s.text == "against"
    over_all = s.text == "all"
    curve_of = text_over_all if over_all else text_by_length(against=against)
    drawing = measured.collect(s.chosen, curve_of, _("Text"))
    title = {
        "against": _("Last 64 bytes, less what the model's own sliding window needs"),
        "absolute": _("Loss of the last 64 bytes against context length"),
        "all": _("Loss of all bytes, read in windows side by side"),
    }[s.text]
    caption = {
        "against": _(
            "The same 64 bytes at every length, in held-out chunks. Above the grey line the model "
            "would have done better with its own sliding window."
        ),
        "absolute": _(
            "The same 64 bytes at every length, in held-out chunks. Above the grey line {model} "
            "would have done better with a sliding window; other models have lines of their own.",
            model=drawing.first.model_title,
        ),
        "all": _(
            "This falls with length even where nothing is gained: fewer bytes stand near the start "
            "of a window, where there is little to read."
        ),
    }[s.text]
    window = None
    if s.text == "absolute":
        window = curves.text_window(load(), f"text-{drawing.first.model}")
    first = figure(
        drawing,
        title,
        "text_by_length",
        x=_("context length n (bytes)"),
        y=_("bits per byte over the window") if against else _("bits per byte"),
        table=say("text by length"),
        window=window,
        trained=trained,
        marks=[Mark("y", 0.0, _("sliding window"))] if against else [],
        log_x=True,
        caption=caption,
    )
    code = measured_code.text_by_length(
        drawing.shown,
        drawing.first.model if window is not None else None,
        trained,
        minus=against,
        measure="mean" if over_all else "tail",
    )
    return screen.Picture(figures=[first, *behind(drawing, "text")], code=code)


def position(s: Settings) -> screen.Picture:
    """Where in a long context the loss begins to rise."""

    def curve_of(one: Contender) -> Curve | None:
        return curves.text_by_position(load(), f"text-{one.model}", one.method)

    drawing = measured.collect(s.chosen, curve_of, _("Text by position"))
    first = figure(
        drawing,
        _("Loss against position in one long context"),
        "text_by_position",
        x=_("position in the context (bytes)"),
        y=_("bits per byte"),
        table=say("text by position"),
        trained=trained_length("text"),
        log_x=True,
        caption=_(
            "Each point is the mean over the held-out chunks and over a stretch of positions, "
            "about two stretches for each doubling."
        ),
    )
    return screen.Picture(
        figures=[first, *behind(drawing, "text")],
        code=measured_code.text_by_position(drawing.shown),
    )


def counting(s: CountingSettings) -> screen.Picture:
    """The task that CoPE was made for, always with all models that were trained on it."""
    mix = MIXES[s.mix]

    def curve_of(one: Contender) -> Curve | None:
        return curves.counting_by_length(load(), f"counting-{one.model}", mix)

    known = contenders()
    drawing = measured.collect([known[name] for name in COUNTERS], curve_of, _("Counting"))
    title = {
        "trained": _("Wrong counts since the last reset, texts as trained"),
        "diluted": _("Wrong counts since the last reset, diluted texts"),
        "rare": _("Wrong counts since the last reset, rare resets"),
    }[s.mix]
    first = figure(
        drawing,
        title,
        "counting",
        x=_("context length n (tokens)"),
        y=_("wrong (%)"),
        table=say("counting"),
        trained=trained_length("counting"),
        log_x=True,
        caption=_(
            "Counts are capped at 10 in this task. The CoPE with 16 positions is fitted to that; "
            "the other CoPE has the lab's default of {positions:g}. Nothing else was fitted to the "
            "task.",
            positions=SETTINGS["cope"]["max_positions"][2],
        ),
    )
    return screen.Picture(
        figures=[first, *behind(drawing, "counting")],
        code=measured_code.counting(drawing.shown, mix),
    )
