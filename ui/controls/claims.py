"""A control is given its value; what is wrong with its parameter is said in one sentence."""

import re
from collections.abc import Callable, Collection, Mapping, Sequence
from difflib import get_close_matches
from typing import Any, TypeVar

import streamlit as st

from ui.controls import address
from ui.memory import memory
from ui.streamlit import run
from ui.words import _, number, plural

T = TypeVar("T")
MOST_NAMED = 5
MISSPELT = 0.75  # likeness of a word to the one that it misspells


def sentences_here() -> None:
    """Begin a screen: what is wrong with its address is said here, where nothing folds it away."""
    memory()["__address_place"] = st.container(horizontal=True, key="said")
    memory().pop("__address_box", None)
    if said := address.complaints():
        _say_all(said)


def claimed(
    key: str,
    label: str,
    default: T,
    read: Callable[[list[str]], T],
    fits: Callable[[T], bool],
    allowed: str = "",
    options: Mapping[str, str] | None = None,
) -> None:
    """Give the control its value, and say what was wrong with its parameter or with a number.

    Args:
        key: The control.
        label: What stands above it.
        default: Its value before anybody touches it.
        read: Makes the value of what stands in the address; a ValueError if it cannot.
        fits: Whether a value is allowed.
        allowed: The values that are, in words.
        options: Of a control that chooses: id to label.
    """
    options = options or {}
    limits = (label, allowed, tuple(options.items()))
    wrong = address.claim(key, default, read=read, fits=fits, limits=limits)
    if wrong is not None:
        told = {
            "what": f"`{address.written_as(key)} = {_plain(wrong)}`",
            "allowed": allowed or nearest(wrong, options),
            "default": _default(default, options),
        }
        said_of_address(
            _(
                "The address says {what}, perhaps for {near}; allowed here: {allowed}. "
                "Using {default}.",
                near=f"`{address.written_as(key)} = {meant}`",
                **told,
            )
            if (meant := _meant(wrong, options))
            else _("The address says {what}; allowed here: {allowed}. Using {default}.", **told)
        )
    typed = address.refused(key)
    if isinstance(typed, int | float):
        st.error(
            _(
                "{label} may be {allowed}; got {typed}. It is {now} now.",
                label=label,
                allowed=allowed,
                typed=in_words(typed),
                now=in_words(st.session_state[key]),
            )
        )


def say_misspelt(names: Collection[str]) -> None:
    """Say which parameters of the address no control has, and of which control one is nearly."""
    others = []
    for key, near in address.misspelt(names):
        what = f"`{_plain(key)}`"
        if not near:
            others.append(what)
            continue
        said_of_address(
            _(
                "The address says {what}, which is no setting here. Is {near} meant?",
                what=what,
                near=f"`{near}`",
            )
        )
    if others:
        said_of_address(
            plural(
                "The address says {what}, which is no setting here.",
                "The address says {what}, which are no settings here.",
                len(others),
                what=", ".join(others),
            )
        )


def said_of_address(sentence: str) -> None:
    """Say what is wrong with the address, where nothing folds it away."""
    place = memory().get("__address_place")
    if place is None or run.only_a_part():
        st.warning(sentence)
        return
    said = address.complaints()
    said.append(sentence)
    _say_all(said)


def _say_all(said: list[str]) -> None:
    """Draw the sentences on the address, and the button that takes them away."""
    place = memory()["__address_place"]
    if "__address_box" not in memory():
        memory()["__address_box"] = place.empty()
        place.button(_("Close"), key="close_said", type="tertiary", on_click=said.clear)
    memory()["__address_box"].warning("  \n".join(said))


def nearest(typed: str, options: Mapping[str, str]) -> str:
    """Some options, as an address has them and with their labels, and how many there are besides.

    Those like what was typed come first.
    """
    ids = [*dict.fromkeys([*_near(typed, options), *options])]
    more = len(ids) - MOST_NAMED
    if more < 2:
        return ", ".join(_written(id, options[id]) for id in ids)
    shown = ", ".join(_written(id, options[id]) for id in ids[:MOST_NAMED])
    return _("{names} and {count} others", names=shown, count=more)


def _written(id: str, label: str) -> str:
    """An option as an address has it, and what its button says where that is another word."""
    if id.casefold() == label.casefold():
        return listed([id])
    return _("{id} ({label})", id=listed([id]), label=label)


def _near(typed: str, options: Mapping[str, str], cutoff: float = 0.6) -> list[str]:
    """Ids of options that are like what was typed, by id or label; the nearest first."""
    names = {text.casefold(): id for id, label in options.items() for text in (id, label)}
    return [names[text] for text in get_close_matches(typed.casefold(), names, MOST_NAMED, cutoff)]


def _meant(typed: str, options: Mapping[str, str]) -> str:
    """Id of the option that was misspelt; "" where none was."""
    return next(iter(_near(typed, options, MISSPELT)), "")


def _default(default: Any, options: Mapping[str, str]) -> str:
    """The value that is used, as the control shows it."""
    if isinstance(default, list):
        return listed([options.get(one, one) for one in default])
    return in_words(options.get(default, default) if options else default)


def noted(key: str, value: T, default: T) -> T:
    """Note a control's value for this screen and its address, and return it."""
    address.note(key, value, default)
    return value


def _plain(typed: str) -> str:
    """Text that a stranger typed, shortened, and without what would turn it into markup."""
    shown = typed if len(typed) <= 40 else typed[:40] + "…"
    return re.sub(r"[`$\\\[\]<>*#|]", "·", shown)


def in_words(value: Any) -> str:
    """A value as a sentence has it: 1,048,576; words stand as code."""
    if isinstance(value, str | bool):
        return listed([str(value).lower() if isinstance(value, bool) else value])
    return number(value, "," if isinstance(value, int) else ",.15g")


def listed(names: Sequence[str]) -> str:
    """Names as a sentence has them: as code, with commas between them."""
    return ", ".join(f"`{name}`" for name in names)
