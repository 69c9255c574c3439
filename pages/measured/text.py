"""Loss on text of the shipped models, and counting."""

import streamlit as st

from lab.results import curves
from lab.results.curves import Curve
from lab.spec import SETTINGS
from pages.measured import code as measured_code
from pages.measured import contenders as measured
from pages.measured.contenders import Contender, contenders
from pages.measured.draw import CurveOf, MeasuredSettings, draw, tell
from plots.lines import Mark
from ui import screen
from ui.words import _

COUNTERS = ("cope-max_positions16", "cope", "alibi", "rope", "learned")


def text_by_length(s: MeasuredSettings, tuned: int = 0, *, against: bool = True) -> CurveOf:
    """What gives a contender its curve of bits per byte."""

    def curve_of(one: Contender) -> Curve | None:
        model = f"text-{one.model}"
        return curves.text_by_length(
            s.results, model, one.method, against_window=against, tuned=tuned
        )

    return curve_of


def text_over_all(s: MeasuredSettings) -> CurveOf:
    """What gives a contender its curve over all bytes, which is measured as trained only."""

    def curve_of(one: Contender) -> Curve | None:
        if one.method != "none":
            return None
        return curves.text_over_all(s.results, f"text-{one.model}")

    return curve_of


def text_view(s: MeasuredSettings) -> screen.ScreenView:
    """Loss of the same bytes after more and more context."""
    trained = s.trained("text")
    against = s.bits == "against"
    over_all = s.bits == "all"
    curve_of = text_over_all(s) if over_all else text_by_length(s, against=against)
    drawing = measured.collect(s.chosen, curve_of, _("Text"))
    title = {
        "against": _("Last 64 bytes, less what the model's own sliding window needs"),
        "absolute": _("Loss of the last 64 bytes against context length"),
        "all": _("Loss of all bytes, read in windows side by side"),
    }[s.bits]
    window = None
    if s.bits == "absolute":
        window = curves.text_window(s.results, f"text-{drawing.first.model}")
    frame = draw(
        drawing,
        title,
        "text_by_length",
        x=_("context length n (bytes)"),
        y=_("bits per byte over the window") if against else _("bits per byte"),
        window=window,
        trained=trained,
        marks=[Mark("y", 0.0, _("sliding window"))] if against else [],
        log_x=True,
    )
    st.caption(
        _(
            "This falls with length even where nothing is gained: fewer bytes stand near the start "
            "of a window, where there is little to read."
        )
        if over_all
        else _(
            "The same 64 bytes at every length, in held-out chunks. Above the grey line the model "
            "would have done better with a sliding window."
        )
    )
    tell(s, drawing, "text")
    code = measured_code.text_by_length(
        drawing.shown,
        drawing.first.model if window is not None else None,
        trained,
        minus=against,
        measure="mean" if over_all else "tail",
    )
    return screen.ScreenView(lambda: {_("text by length"): frame}, code)


def position_view(s: MeasuredSettings) -> screen.ScreenView:
    """Where in a long context the loss begins to rise."""

    def curve_of(one: Contender) -> Curve | None:
        return curves.text_by_position(s.results, f"text-{one.model}", one.method)

    drawing = measured.collect(s.chosen, curve_of, _("Text by position"))
    frame = draw(
        drawing,
        _("Loss against position in one long context"),
        "text_by_position",
        x=_("position in the context (bytes)"),
        y=_("bits per byte"),
        trained=s.trained("text"),
        log_x=True,
    )
    st.caption(
        _(
            "Each point is the mean over the held-out chunks and over a stretch of positions, "
            "about two stretches for each doubling."
        )
    )
    tell(s, drawing, "text")
    code = measured_code.text_by_position(drawing.shown)
    return screen.ScreenView(lambda: {_("text by position"): frame}, code)


def counting_view(s: MeasuredSettings) -> screen.ScreenView:
    """The task that CoPE was made for, always with all models that were trained on it."""

    def curve_of(one: Contender) -> Curve | None:
        return curves.counting_by_length(s.results, f"counting-{one.model}", s.mix)

    known = contenders()
    drawing = measured.collect([known[name] for name in COUNTERS], curve_of, _("Counting"))
    title = {
        "as trained": _("Wrong counts since the last reset, texts as trained"),
        "diluted": _("Wrong counts since the last reset, diluted texts"),
        "rare reset": _("Wrong counts since the last reset, rare resets"),
    }[s.mix]
    frame = draw(
        drawing,
        title,
        "counting",
        x=_("context length n (tokens)"),
        y=_("wrong (%)"),
        trained=s.trained("counting"),
        log_x=True,
    )
    st.caption(
        _(
            "Counts are capped at 10 in this task. The CoPE with 16 positions is fitted to that; "
            "the other CoPE has the lab's default of {positions:g}. Nothing else was fitted to the "
            "task.",
            positions=SETTINGS["cope"]["max_positions"][2],
        )
    )
    tell(s, drawing, "counting")
    code = measured_code.counting(drawing.shown, s.mix)
    return screen.ScreenView(lambda: {_("counting"): frame}, code)
