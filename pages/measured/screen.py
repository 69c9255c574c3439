"""Measured curves: what a real model and small ones do beyond their training length."""

from collections.abc import Callable, Mapping

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from lab.results.tables import load
from models.results.tables import PLAIN, SLIDE, Measured, Way, factors, lengths, usual_length, way
from models.results.tables import load as load_real
from pages.measured import contenders as measured
from pages.measured.draw import MeasuredSettings
from pages.measured.literature import literature_view
from pages.measured.real.keys import keys_view
from pages.measured.real.loss import RealSettings, loss_view, methods_of, short_view
from pages.measured.real.words import KINDS
from pages.measured.recall import distance_view, length_view, tuned_view
from pages.measured.text import counting_view, position_view, text_view
from posenc.words import say
from ui import controls, screen
from ui.words import _, number

PICTURES = {
    "loss": say("Loss by position"),
    "short": say("Short texts"),
    "keys": say("Keys found"),
    "literature": say("Literature"),
    "distance": say("Small: recall by distance"),
    "length": say("Small: recall by length"),
    "tuned": say("Small: fine-tuning"),
    "text": say("Small: text by length"),
    "position": say("Small: text by position"),
    "counting": say("Small: counting"),
}
"""The real model's, then those of the small models, in which all encodings are trained alike."""
METHODS = ["none", "slide", "linear", "ntk", "yarn"]
USABLE = ["slide", "ntk", "dynamic_ntk", "ntk_by_parts", "yarn", "llama3"]
"""Linear without training costs ten times as much, and would flatten the others."""
COSTS = {
    "bits": say("bits per token"),
    "less": say("less as trained"),
    "window": say("less the sliding window"),
}
LESS = {"bits": None, "less": PLAIN, "window": SLIDE}
RESCALED = ["rope-base128"]
RESCALED += [f"rope-base128.{method}" for method in ("linear", "ntk", "dynamic_ntk", "yarn")]
BASE_10000 = [name.replace("rope-base128", "rope") for name in RESCALED]
ENCODINGS = ["rope", "alibi", "t5", "fire", "cope"]
READING_WIDTH = 900
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
    "real": {"view": "loss", "methods": METHODS, "cost": "bits"},
    "gain": {"view": "loss", "methods": USABLE, "cost": "window"},
    "scaled": {"view": "distance", "curves": RESCALED, "length": "4L"},
    "base-10000": {"view": "distance", "curves": BASE_10000, "length": "4L"},
    "encodings": {"view": "distance", "curves": ENCODINGS, "length": "4L"},
    "tuned": {"view": "tuned", "curves": RESCALED},
    "text": {"view": "text", "curves": ENCODINGS, "text": "against"},
}
PRESET_LABELS = {
    "real": say("A real model"),
    "gain": say("Against the window"),
    "scaled": say("Small: RoPE scaled"),
    "base-10000": say("Small: base 10000"),
    "encodings": say("Small: encodings"),
    "tuned": say("Small: fine-tuned"),
    "text": say("Small: on text"),
}


def draw(lesson: screen.Lesson) -> screen.ScreenView | None:
    left, right = screen.columns(lesson)
    shown = None
    known = measured.contenders()
    with right:
        view = controls.choice(
            "view", _("Picture"), PICTURES, wide=True, help=_("What to look at; the curves stay.")
        )
    with left:
        controls.presets(PRESETS, PRESET_LABELS)
    if view in REAL:
        with right, screen.guard():
            shown = REAL[view](read_real(view, left))
        with right:
            about(lesson.sections[view])
    else:
        with right, screen.guard():
            names = read_curves(view, known)
            with left:
                read = read_controls(view)
            shown = DRAW[view](MeasuredSettings(load(), [known[name] for name in names], *read))
    return shown


def about(section: str) -> None:
    """What was done; what it means and does not mean, one press away."""
    first, _rest, more = section.partition("\n\n")
    with st.container(width=READING_WIDTH):
        st.markdown(first)
        with st.expander(_("What is measured, what the curves say, and what they do not say")):
            st.markdown(more)


def read_curves(view: str, known: Mapping[str, measured.Contender]) -> list[str]:
    """Which small models are drawn."""
    if view in ("counting", "literature"):
        return RESCALED
    return controls.choices(
        "curves",
        _("Curves"),
        {name: one.name for name, one in known.items()},
        RESCALED,
        help=_(
            "An encoding as trained, or RoPE read by a method for long contexts. RoPE has "
            "the base 10000 where no other is named."
        ),
    )


def read_real(view: str, left: DeltaGenerator) -> RealSettings:
    """The controls of the real model; those with one answer are not drawn."""
    found = load_real()
    length = usual_length(found.losses)
    known = methods_of(found)
    methods = [name for name in METHODS if name in known]
    with left:
        long = [n for n in lengths(found.losses) if n > found.about.trained]
        if view == "loss" and len(long) > 1:
            options = {str(n): number(n) for n in long}
            length = int(
                controls.choice(
                    "tokens",
                    _("Tokens of a pass"),
                    options,
                    str(length),
                    help=_("How long the texts are. Fewer ways and texts were measured at some."),
                )
            )
        texts = read_texts(view, found, length)
        if view != "short":
            methods = controls.choices(
                "methods",
                _("Read"),
                known,
                methods,
                help=_(
                    "As trained, by a sliding window of the trained length, or by a method for "
                    "long contexts. Means are over the texts that all chosen curves have."
                ),
            )
        return RealSettings(found, length, methods, *texts)


def read_texts(view: str, found: Measured, length: int) -> tuple[float, str, Way | None]:
    """Factor, kind of text, and what is subtracted."""
    cost = "bits"
    costs = {n: words for n, words in COSTS.items() if LESS[n] in (None, *map(way, found.losses))}
    if view == "loss":
        cost = controls.choice(
            "cost",
            _("What is drawn"),
            costs,
            help=_(
                "Bits per token, or the difference to as trained or to the sliding window on the "
                "same text."
            ),
        )
    factor = told = factors(found.losses, length) or [1.0]
    if view == "loss" and len(told) > 1:
        ids = {f"{one:g}": f"×{one:g}" for one in told}
        chosen = controls.choice(
            "factor",
            _("Factor"),
            ids,
            f"{told[-1]:g}",
            help=_(
                "By how much methods that have a factor stretch the positions. Dynamic NTK takes "
                "it as its α, and stretches a text of n tokens by α · n / L − (α − 1): for α = 4 "
                "by 5 at twice the trained length, by 13 at four times."
            ),
        )
        factor = [one for one in told if f"{one:g}" == chosen]
    kinds = dict.fromkeys(str(row["kind"]) for row in found.losses if int(row["length"]) >= length)
    kind = "all"
    if view != "keys" and len(kinds) > 1:
        kind = controls.choice(
            "kind",
            _("Texts"),
            {"all": say("all")} | {name: KINDS[name] for name in kinds},
            "all",
            help=_("Which kind of text is read."),
        )
    return factor[-1], "" if kind == "all" else kind, LESS[cost]


def read_controls(view: str) -> tuple[int, str, str]:
    """Those that the picture listens to; the others at their defaults."""
    times, bits, mix = "4L", "against", "trained"
    if view == "distance":
        times = controls.choice(
            "length",
            _("Context length n"),
            list(TIMES),
            "4L",
            wide=True,
            help=_("In training lengths L = 128 tokens."),
        )
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


REAL: dict[str, Callable[[RealSettings], screen.ScreenView]] = {
    "loss": loss_view,
    "short": short_view,
    "keys": keys_view,
}
DRAW: dict[str, Callable[[MeasuredSettings], screen.ScreenView]] = {
    "distance": distance_view,
    "length": length_view,
    "tuned": tuned_view,
    "text": text_view,
    "position": position_view,
    "counting": counting_view,
    "literature": literature_view,
}

screen.show("measured", draw)
