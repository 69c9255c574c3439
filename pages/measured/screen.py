"""Measured curves: what the shipped models do beyond their training length."""

from collections.abc import Callable

from lab.results.tables import load
from pages.measured import contenders as measured
from pages.measured.draw import MeasuredSettings
from pages.measured.literature import literature_view
from pages.measured.recall import distance_view, length_view, tuned_view
from pages.measured.text import counting_view, position_view, text_view
from posenc.words import say
from ui import controls, screen
from ui.words import _

PICTURES = {
    "distance": say("Recall by distance"),
    "length": say("Recall by length"),
    "tuned": say("Fine-tuning"),
    "text": say("Text by length"),
    "position": say("Text by position"),
    "counting": say("Counting"),
    "literature": say("Literature"),
}
RESCALED = ["rope-base128"]
RESCALED += [f"rope-base128.{method}" for method in ("linear", "ntk", "dynamic_ntk", "yarn")]
BASE_10000 = [name.replace("rope-base128", "rope") for name in RESCALED]
ENCODINGS = ["rope", "alibi", "t5", "fire", "cope"]
TIMES = {"2L": 2, "4L": 4, "8L": 8, "16L": 16}
BITS = {
    "against": say("against the window"),
    "absolute": say("absolute"),
    "all": say("all bytes"),
}
MIXES = {"trained": "as trained", "diluted": "diluted", "rare": "rare reset"}
MIX_LABELS = {
    "trained": say("as trained"),
    "diluted": say("diluted"),
    "rare": say("rare resets"),
}
PRESETS = {
    "scaled": {"view": "distance", "curves": RESCALED, "length": "4L"},
    "base-10000": {"view": "distance", "curves": BASE_10000, "length": "4L"},
    "encodings": {"view": "distance", "curves": ENCODINGS, "length": "4L"},
    "tuned": {"view": "tuned", "curves": RESCALED},
    "text": {"view": "text", "curves": ENCODINGS, "text": "against"},
}
PRESET_LABELS = {
    "scaled": say("RoPE scaled"),
    "base-10000": say("Base 10000"),
    "encodings": say("Encodings"),
    "tuned": say("Fine-tuned"),
    "text": say("On text"),
}


def main() -> None:
    lesson = screen.header("measured")
    left, right = screen.columns()
    shown, known = None, measured.contenders()
    with right:
        view = controls.choice(
            "view", _("Picture"), PICTURES, wide=True, help=_("What to look at; the curves stay.")
        )
        names = RESCALED
        if view not in ("counting", "literature"):
            names = controls.choices(
                "curves",
                _("Curves"),
                {name: one.name for name, one in known.items()},
                RESCALED,
                help=_(
                    "An encoding as trained, or RoPE read by a method for long contexts. RoPE has "
                    "the base 10000 where no other is named."
                ),
            )
    with left:
        controls.presets(PRESETS, PRESET_LABELS)
        read = read_controls(view)
    with right, screen.guard():
        shown = DRAW[view](MeasuredSettings(load(), [known[name] for name in names], *read))
    screen.notice(lesson)
    screen.tabs(lesson, shown)


def read_controls(view: str) -> tuple[int, str, str]:
    """Those that the picture listens to; the others at their defaults."""
    times, bits, mix = "4L", "against", "trained"
    if view == "distance":
        times = controls.choice(
            "length", _("Context length n"), list(TIMES), "4L", wide=True,
            help=_("In training lengths L = 128 tokens."),
        )  # fmt: skip
    if view == "text":
        bits = controls.choice(
            "text",
            _("Bits per byte"),
            BITS,
            help=_(
                "Of the last 64 bytes, less what a sliding window needs for the same bytes, or "
                "absolute; or of all bytes, read in windows side by side."
            ),
        )
    if view == "counting":
        mix = controls.choice(
            "mix",
            _("Texts"),
            MIX_LABELS,
            help=_("As in training; with more tokens between those counted; with rare resets."),
        )
    return TIMES[times], bits, MIXES[mix]


DRAW: dict[str, Callable[[MeasuredSettings], screen.ScreenView]] = {
    "distance": distance_view,
    "length": length_view,
    "tuned": tuned_view,
    "text": text_view,
    "position": position_view,
    "counting": counting_view,
    "literature": literature_view,
}

main()
