"""Changes to positions before the real model reads the text."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

import streamlit as st

from models.change import LARGEST_OFFSET, Change, methods
from models.opened import Model
from models.tokens import Tokens
from posenc.scaling.methods import METHODS
from posenc.words import say
from ui import controls
from ui.controls import entry
from ui.words import translate

NONE = "none"
ROTARY = {
    "base": say("another base"),
    "method": say("a scaling method"),
    "unrotated": say("layers without rotation"),
    "layout": say("the other layout"),
    "stale": say("cached keys of another base"),
}
ANY = {
    "offset": say("positions shifted"),
    "equal": say("all positions equal"),
    "reversed": say("order reversed"),
    "rounded": say("positions in bfloat16"),
}
OWN = {NONE: say("no, as trained")}
ABOUT = {
    "base": say("Rotating layers use this base instead of the one that they were trained with."),
    "method": say("The rotation is stretched by this method and factor, without any training."),
    "unrotated": say("These layers do not rotate: their scores hold no part of the distance."),
    "layout": say(
        "Channels are paired as in the layout that the weights were not trained with: half for "
        "interleaved, or the reverse."
    ),
    "stale": say(
        "The keys of the first tokens come from a cache that was filled under another base, as "
        "when dynamic scaling changes the base while a text grows."
    ),
    "offset": say("This number is added to every position. Rotation sees distances alone."),
    "equal": say("Every token stands at position 0. Only a causal mask then tells order."),
    "reversed": say("The first token has the last position, and the last token position 0."),
    "rounded": say(
        "Positions are rounded to bfloat16, which holds eight bits: above 256 neighbours become "
        "equal. The offset takes the text to where that happens."
    ),
}
LAYERS = {
    "all": say("all layers"),
    "fourth": say("every fourth layer"),
    "half": say("every second layer"),
}
STEPS = {"all": 1, "half": 2, "fourth": 4}


def choose(key: str, label: str, options: Mapping[str, str], default: str, *, help: str) -> str:
    """Ask for a change, and say in a sentence what it means."""
    what = controls.choice(key, label, options, default, help=help)
    if what != NONE:
        st.caption(translate(ABOUT[what]))
    return what


def options(s: Any) -> Mapping[str, str]:
    """Changes that can be made to a model."""
    return OWN | (ROTARY if s.model.rotates else {}) | ANY


def only(*changes: str) -> Callable[[Any], bool]:
    """Whether one of these is what is changed."""
    return lambda s: s.what_if in changes


def another_base(label: str, change: str) -> Any:
    help = say("rope_theta: 10,000 in the paper, 100,000 in SmolLM2-135M, 500,000 in Llama 3.")
    return entry(controls.number, label, 10_000.0, 1.5, 1e12, help=help, when=only(change))


@dataclass(frozen=True, kw_only=True)
class ChangeSettings:
    """A model, a text, and what is changed about positions."""

    model: Model
    tokens: Tokens
    what_if: str = entry(
        choose,
        say("Change positions"),
        options,
        NONE,
        help=say("What is changed about positions before the model reads the text."),
    )
    base: float = another_base(say("Base"), "base")
    method: str = entry(
        controls.choice,
        say("Method"),
        lambda _before: {name: METHODS[name].title for name in methods() if name != "none"},
        "yarn",
        help=say("The methods of the screen Linear, NTK, YaRN."),
        when=only("method"),
    )
    factor: float = entry(
        controls.number,
        say("Factor k"),
        8.0,
        1.0,
        1024.0,
        help=say("Target length / trained length; dynamic NTK takes it as its α."),
        when=only("method"),
    )
    which: str = entry(
        controls.choice,
        say("Without rotation"),
        LAYERS,
        "all",
        help=say("Which layers do not rotate."),
        when=only("unrotated"),
    )
    cached: int = entry(
        controls.number,
        say("Cached keys"),
        lambda s: max(1, len(s.tokens.ids) // 2),
        1,
        4096,
        help=say("How many of the first keys come from the cache."),
        when=only("stale"),
    )
    cached_base: float = another_base(say("Base"), "stale")
    shift: int = entry(
        controls.number,
        say("Offset of the positions"),
        100_000,
        0,
        LARGEST_OFFSET,
        help=say("Added to every position."),
        when=only("offset", "rounded"),
    )

    @property
    def is_changed(self) -> bool:
        return self.what_if != NONE

    @property
    def change(self) -> Change:
        match self.what_if:
            case "base":
                return Change(base=self.base)
            case "method":
                return Change(method=self.method, factor=self.factor)
            case "unrotated":
                step = STEPS[self.which]
                return Change(unrotated=tuple(range(step - 1, len(self.model.layers), step)))
            case "stale":
                return Change(cached=self.cached, cached_base=self.cached_base)
            case "offset" | "rounded":
                return Change(offset=self.shift, rounded=self.what_if == "rounded")
            case "equal":
                return Change(order="equal")
            case "reversed":
                return Change(order="reversed")
            case other:
                return Change(other_layout=other == "layout")
