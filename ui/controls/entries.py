"""Controls as data: a dataclass of settings whose fields say how they are asked for."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, fields
from types import SimpleNamespace
from typing import Any, TypeVar

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from posenc.words import say
from ui.controls import address
from ui.memory import memory
from ui.words import _, translate

Settings = TypeVar("Settings")
ENTRY, ABOVE, FIRST = "entry", "above", "first"
MORE = say("More")
"""Heading of the controls that few readers need."""
TOLD = "__settings"
LONGEST_TOLD = 24
"""Letters of a setting that is told with a saved picture."""


@dataclass(frozen=True)
class Entry:
    """How a field is asked for, and where."""

    draw: Callable[[str, Any], Any]
    """From its name and the values before it to its own."""
    under: str
    above: bool
    waits: bool


def entry(
    control: Callable[..., Any],
    label: str,
    *limits: Any,
    help: str = "",
    when: Callable[[Any], bool] | None = None,
    under: str = "",
    above: bool = False,
    waits: bool = False,
    **more: Any,
) -> Any:
    """A field of settings: its control has the name of the field.

    Args:
        control: A function of `ui.controls` that draws it.
        label: A sentence of `say`, as `help`.
        limits: Default, limits, options, as the control takes them; a function of the fields
            before it where one depends on them.
        help: What it is; nothing for a control that is not drawn.
        when: Whether it is asked for, by the fields before it; else it has its default.
        under: Of what it stands under, folded away.
        above: Whether it stands above the picture, also where that is shown alone.
        waits: Whether it depends on the fields after it, too.
        more: Further arguments of the control.
    """

    def draw(key: str, before: Any) -> Any:
        now = [limit(before) if callable(limit) else limit for limit in limits]
        if when is not None and not when(before):
            # The default stands first, or behind what can be chosen.
            return now[1] if isinstance(now[0], Mapping) else now[0]
        said = {"help": translate(help)} if help else {}
        value = control(key, translate(label), *now, **said, **more)
        _remember(key, label, value, now[0] if now and isinstance(now[0], Mapping) else {})
        return value

    return field(metadata={ENTRY: Entry(draw, under, above, waits)})


def changed() -> list[str]:
    """Settings that are not at their defaults, in words."""
    return [told for key, told in memory().get(TOLD, {}).items() if address.is_shown(key)]


def _remember(key: str, label: str, value: Any, labels: Mapping[str, str]) -> None:
    """Keep a setting in words; a text of the reader's own is no name for a picture."""
    values = value if isinstance(value, list | tuple) else [value]
    told = ", ".join(
        translate(labels[one]) if one in labels else address.written(one)[0] for one in values
    )
    kept = memory().setdefault(TOLD, {})
    kept.pop(key, None)
    if len(told) <= LONGEST_TOLD:
        kept[key] = _("{label}: {value}", label=label, value=told)


def read(
    kind: type[Settings],
    above: Callable[[], DeltaGenerator] | None = None,
    known: Mapping[str, Any] | None = None,
    beginning: DeltaGenerator | None = None,
) -> Settings:
    """Draw the controls of a dataclass, in the order of its fields; what they say.

    Its `first` names those that come before the others and that a phone does not fold away.

    Args:
        kind: The dataclass.
        above: Makes the place of those that belong above the picture.
        known: Values of fields that have no control.
        beginning: The place of those that come first, where it is not that of the others.
    """
    values = SimpleNamespace(**(known or {}))
    first = getattr(kind, FIRST, ())
    places: dict[str, DeltaGenerator] = {}
    if first:
        around = (beginning or st).container(key=FIRST)
        places[FIRST] = around.container(key=f"{FIRST}_{len(first)}")
    column = st.container()  # what is folded away stands below all else
    waiting: list[tuple[str, Entry, DeltaGenerator]] = []
    for one in fields(kind):  # type: ignore[arg-type]
        if ENTRY not in one.metadata:
            continue
        its: Entry = one.metadata[ENTRY]
        place = column
        if its.above and above is not None:
            if ABOVE not in places:
                places[ABOVE] = above()
            place = places[ABOVE]
        elif one.name in first:
            place = places[FIRST]
        elif its.under:
            if its.under not in places:
                places[its.under] = st.expander(translate(its.under))
            place = places[its.under]
        if its.waits:
            waiting.append((one.name, its, place.container()))
            continue
        with place:
            setattr(values, one.name, its.draw(one.name, values))
    for name, its, place in waiting:
        with place:
            setattr(values, name, its.draw(name, values))
    return kind(**vars(values))
