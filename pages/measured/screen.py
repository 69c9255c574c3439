"""Measured curves: what the shipped models do beyond their training length."""

from collections.abc import Callable

from lab.results.tables import load
from lab.tasks.counting import MIXES
from pages.measured import contenders as measured
from pages.measured.draw import ABSOLUTE, AGAINST, ALL_BYTES, MeasuredSettings
from pages.measured.literature import literature_view
from pages.measured.recall import distance_view, length_view, tuned_view
from pages.measured.text import counting_view, position_view, text_view
from ui import controls, screen

DISTANCE, LENGTH, TUNED = "Recall by distance", "Recall by length", "Fine-tuning"
TEXT, POSITION, COUNTING, SAID = "Text by length", "Text by position", "Counting", "Literature"
VIEWS = (DISTANCE, LENGTH, TUNED, TEXT, POSITION, COUNTING, SAID)
ALL = measured.contenders()
RESCALED = ["RoPE 128", *(f"RoPE 128: {n}" for n in ("linear", "NTK-aware", "dynamic NTK", "YaRN"))]
BASE_10000 = [name.replace("RoPE 128", "RoPE") for name in RESCALED]
ENCODINGS = ["RoPE", "ALiBi", "T5 bias", "FIRE", "CoPE"]
TIMES = {"2L": 2, "4L": 4, "8L": 8, "16L": 16}
PRESETS = {
    "RoPE scaled": {"view": DISTANCE, "curves": RESCALED, "length": "4L"},
    "Base 10000": {"view": DISTANCE, "curves": BASE_10000, "length": "4L"},
    "Encodings": {"view": DISTANCE, "curves": ENCODINGS, "length": "4L"},
    "Fine-tuned": {"view": TUNED, "curves": RESCALED},
    "On text": {"view": TEXT, "curves": ENCODINGS, "text": AGAINST},
}


def main() -> None:
    lesson = screen.header("measured")
    left, right = screen.columns()
    shown = None
    with right:
        view = controls.choice(
            "view", "Picture", VIEWS, wide=True, help="What to look at; the curves stay."
        )
        names = RESCALED
        if view not in (COUNTING, SAID):
            names = controls.choices(
                "curves", "Curves", list(ALL), RESCALED,
                help="An encoding as trained, or RoPE read by a method for long contexts. "
                "RoPE 128 has the base 128, RoPE the base 10000.",
            )  # fmt: skip
    with left:
        controls.presets(PRESETS)
        read = read_controls(view)
    with right, screen.guard():
        settings = MeasuredSettings(load(), [ALL[name] for name in names], *read)
        shown = DRAW[view](settings)
    screen.notice(lesson)
    screen.tabs(lesson, shown)


def read_controls(view: str) -> tuple[int, str, str]:
    """Those that the picture listens to; the others at their defaults."""
    times, measure, mix = "4L", AGAINST, "as trained"
    if view == DISTANCE:
        times = controls.choice(
            "length", "Context length n", list(TIMES), "4L", wide=True,
            help="In training lengths L = 128 tokens.",
        )  # fmt: skip
    if view == TEXT:
        measure = controls.choice(
            "text", "Bits per byte", [AGAINST, ABSOLUTE, ALL_BYTES],
            help="Of the last 64 bytes, less what a sliding window needs for the same bytes, or "
            "absolute; or of all bytes, read in windows side by side.",
        )  # fmt: skip
    if view == COUNTING:
        mix = controls.choice(
            "mix", "Texts", list(MIXES),
            help="As in training; with more tokens between the counted; with rare resets.",
        )  # fmt: skip
    return TIMES[times], measure, mix


DRAW: dict[str, Callable[[MeasuredSettings], screen.ScreenView]] = {
    DISTANCE: distance_view,
    LENGTH: length_view,
    TUNED: tuned_view,
    TEXT: text_view,
    POSITION: position_view,
    COUNTING: counting_view,
    SAID: literature_view,
}

main()
