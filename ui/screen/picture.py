"""A picture as data: what a screen shows of its settings; and what draws any of them.

A picture draws nothing, remembers nothing and asks nobody.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, fields, replace
from functools import partial
from typing import Any

import streamlit as st

from posenc.words import say
from ui import controls
from ui.charts import stage
from ui.charts.matrix import Shown
from ui.memory import memory
from ui.screen.budget import seat
from ui.screen.figures.figure import Drawn, ScreenFigure, no_tables
from ui.screen.figures.together import column
from ui.screen.layout import Frames, ScreenView, columns, guard, readouts
from ui.screen.lesson import Lesson
from ui.words import _, markdown


@dataclass(frozen=True, kw_only=True)
class Picture:
    """A picture of a screen's settings, as plain data.

    Attributes:
        above: A figure above all others, in which no number is followed.
        figures: One below the other. One that depends on what is followed in the first is a
            function of that; one below the first that cannot be drawn gets a sentence.
        words: A sentence above the figures.
        note: A sentence above all, on what is odd about the settings.
        readouts: A few numbers below the first figure, by label; a function of what is followed
            where they depend on that.
        help: What some of them are, by label.
        tables: Those of what is not drawn, which come first.
        memory: Bytes that drawing it takes at the peak, where they are many.
        code: Python against `posenc` that leaves the first figure's numbers in `values`, where no
            program computes it; a function of what is followed where it depends on that.
    """

    figures: Sequence[ScreenFigure | Callable[[Any], ScreenFigure]]
    above: ScreenFigure | None = None
    words: str = ""
    note: str = ""
    readouts: Mapping[str, str] | Callable[[Any], Mapping[str, str]] = field(default_factory=dict)
    help: Mapping[str, str] = field(default_factory=dict)
    tables: Callable[[], Frames] = no_tables
    memory: int = 0
    code: str | Callable[[Any], str] = ""


Pictures = Mapping[str, tuple[str, type, Callable[[Any], Picture]]]
"""By id, as the address names it: the label, the dataclass of settings, whose controls are drawn,
and the picture of these settings."""


def draw(picture: Picture) -> ScreenView:
    """Draw a picture where the screen stands now."""
    if picture.note:
        st.info(picture.note)
    if picture.words:
        with st.container(key="alone_words" if stage.mode() == "present" else "words"):
            st.markdown(picture.words)
    above = Drawn() if picture.above is None else picture.above.draw()
    with seat(picture.memory):
        drawn = column(picture.figures, partial(_readouts, picture))
    code = picture.code if isinstance(picture.code, str) else picture.code(drawn.followed)
    return ScreenView(lambda: {**picture.tables(), **drawn.tables(), **above.tables()}, code)


def only(settings: Any, *names: str) -> dict[str, Any]:
    """The settings that a program needs, by their names."""
    return {name: getattr(settings, name) for name in names}


def _made(name: str, make: Callable[[Any], Picture], settings: Any) -> Picture:
    """A picture; where its settings make none, a sentence on them and the last one that there was.

    Raises:
        ValueError: If there was none.
    """
    kept = memory()
    try:
        made = make(settings)
    except ValueError as error:
        known, last = kept.get("_settings", ("", None))
        if known != name:
            raise
        st.error(markdown(say("{error} The picture stays as it was.", error=error)))
        return make(last)
    kept["_settings"] = name, replace(settings)  # anew, without what was computed of them
    return made


def _readouts(picture: Picture, followed: Any) -> None:
    readings = picture.readouts
    values = dict(readings(followed) if callable(readings) else readings)
    if isinstance(followed, Shown):
        values.setdefault(_("computed in"), _("{time:.1f} ms", time=followed.milliseconds))
    if values:
        readouts(values, help=picture.help)


def screen_of(
    pictures: Pictures,
    presets: controls.Presets | None = None,
    hear: Sequence[Callable[[], None]] = (),
) -> Callable[[Lesson], ScreenView | None]:
    """Function for `screen.show` that draws a screen of controls and one chosen picture."""
    names = {one.name for _label, kind, _its in pictures.values() for one in fields(kind)}

    def shown(lesson: Lesson) -> ScreenView | None:
        for listener in hear:
            listener()
        has_first = any(hasattr(kind, controls.FIRST) for _label, kind, _its in pictures.values())
        left, right = columns(has_first=has_first)
        with right:
            labels = {name: label for name, (label, *_its) in pictures.items()}
            chosen = controls.picture(labels) if len(labels) > 1 else next(iter(labels))
        _label, kind, picture = pictures[chosen]
        with left:
            if presets is not None:
                controls.presets(presets)
            settings: Any = controls.read(
                kind,
                partial(
                    right.container,
                    key="alone_above" if stage.mode() == "present" else "above",
                    horizontal=True,
                    vertical_alignment="bottom",
                ),
                beginning=stage.row(right),
            )
        view = None
        with right, guard():
            view = draw(_made(chosen, picture, settings))
            controls.say_misspelt(names)
        return view

    return shown
