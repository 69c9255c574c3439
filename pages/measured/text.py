"""Loss on text of the shipped models, and counting."""

import streamlit as st

from lab.results import curves
from lab.results.curves import Curve
from pages.measured import code as measured_code
from pages.measured import contenders as measured
from pages.measured.contenders import Contender, contenders
from pages.measured.draw import ABSOLUTE, AGAINST, ALL_BYTES, Measure, MeasuredSettings, draw, tell
from plots.lines import Mark
from ui import screen

COUNTERS = ("CoPE 16", "CoPE", "ALiBi", "RoPE", "Learned")


def text_by_length(s: MeasuredSettings, tuned: int = 0, *, against: bool = True) -> Measure:
    """What gives a contender its curve of bits per byte."""

    def measure(one: Contender) -> Curve | None:
        model = f"text-{one.model}"
        return curves.text_by_length(
            s.results, model, one.method, against_window=against, tuned=tuned
        )

    return measure


def text_view(s: MeasuredSettings) -> screen.ScreenView:
    """Loss of the same bytes after more and more context."""
    trained, against = s.trained("text"), s.measure == AGAINST
    measure: Measure = text_by_length(s, against=against)
    if s.measure == ALL_BYTES:

        def measure(one: Contender) -> Curve | None:
            if one.method != "none":
                return None
            return curves.text_over_all(s.results, f"text-{one.model}")

    drawing = measured.collect(s.chosen, measure, "Text")
    title = {
        AGAINST: "Last 64 bytes, less what the model's own sliding window needs",
        ABSOLUTE: "Loss of the last 64 bytes against context length",
        ALL_BYTES: "Loss of all bytes, read in windows side by side",
    }[s.measure]
    window = None
    if s.measure == ABSOLUTE:
        window = curves.text_window(s.results, f"text-{drawing.first.model}")
    frame = draw(
        drawing,
        title,
        "text_by_length",
        x="context length n (bytes)",
        y="bits per byte over the window" if against else "bits per byte",
        window=window,
        trained=trained,
        marks=[Mark("y", 0.0, "sliding window")] if against else [],
        log_x=True,
    )
    st.caption(
        "This falls with length even where nothing is gained: fewer bytes stand near the start of "
        "a window, where there is little to read."
        if s.measure == ALL_BYTES
        else "The same 64 bytes at every length, in held-out chunks; above the grey line the "
        "model would have done better with a sliding window."
    )
    tell(s, drawing, "text")
    code = measured_code.text_by_length(
        drawing.shown,
        drawing.first.model if window is not None else None,
        trained,
        minus=against,
        measure="mean" if s.measure == ALL_BYTES else "tail",
    )
    return screen.ScreenView(lambda: {"text by length": frame}, code)


def position_view(s: MeasuredSettings) -> screen.ScreenView:
    """Where in a long context the loss begins to rise."""
    trained = s.trained("text")

    def measure(one: Contender) -> Curve | None:
        return curves.text_by_position(s.results, f"text-{one.model}", one.method)

    drawing = measured.collect(s.chosen, measure, "Text by position")
    frame = draw(
        drawing,
        "Loss against position in one long context",
        "text_by_position",
        x="position in the context (bytes)",
        y="bits per byte",
        trained=trained,
        log_x=True,
    )
    st.caption("Stretches of positions that grow with it; mean over the held-out chunks.")
    tell(s, drawing, "text")
    code = measured_code.text_by_position(drawing.shown)
    return screen.ScreenView(lambda: {"text by position": frame}, code)


def counting_view(s: MeasuredSettings) -> screen.ScreenView:
    """The task that CoPE was made for, always with all models that were trained on it."""

    def measure(one: Contender) -> Curve | None:
        return curves.counting_by_length(s.results, f"counting-{one.model}", s.mix)

    drawing = measured.collect([contenders()[name] for name in COUNTERS], measure, "Counting")
    frame = draw(
        drawing,
        f"Wrong counts since the last reset, {s.mix}",
        "counting",
        x="context length n (tokens)",
        y="wrong (%)",
        trained=s.trained("counting"),
        log_x=True,
    )
    st.caption(
        "Counts are capped at 10 in this task. CoPE 16 has 16 positions and so uses knowledge of "
        "it; CoPE has the lab's default of 64. Nothing else was fitted to the task."
    )
    tell(s, drawing, "counting")
    code = measured_code.counting(drawing.shown, s.mix)
    return screen.ScreenView(lambda: {"counting": frame}, code)
