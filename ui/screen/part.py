"""A screen, of which a move draws only what it can change: the controls and their pictures.

Navigation, title, what to notice and the tabs below are three quarters of what a screen sends.
They stay as they are while controls are moved, and the whole screen runs anew only where one of
them shows something else than before.
"""

from collections.abc import Callable
from contextlib import AbstractContextManager, nullcontext
from typing import Any

import streamlit as st

from ui import controls, notebooks
from ui.charts import stage
from ui.controls import address
from ui.memory import memory
from ui.screen import task
from ui.screen.layout import OPEN_NOTICES, ScreenView, ask, header, notice, tabs
from ui.screen.lesson import Lesson

Draw = Callable[[Lesson], ScreenView | None]
FOLLOWING = ("numbers", "code")
"""Tabs that show what the pictures show."""
AROUND = "__around"


def show(screen: str, draw: Draw) -> None:
    """Draw a screen.

    Args:
        screen: Its id.
        draw: Draws its controls and pictures, `columns` and all that stands in them, and returns
            what they show; None where a sentence stands in their place.
    """
    lesson = header(screen)
    view = _drawn(lesson, draw) if stage.mode() or address.pop_full_rerun() else _part(lesson, draw)
    ask(lesson)
    notice(lesson)
    tabs(lesson, view)
    memory()[AROUND] = _around(lesson), view is None


@st.fragment
def _part(lesson: Lesson, draw: Draw) -> ScreenView | None:
    alone = controls.only_a_part()
    around, is_empty = memory().get(AROUND, (None, None))
    if alone and (around != _around(lesson) or controls.value("tab") in FOLLOWING):
        st.rerun()
    if alone:
        notebooks.forget()
    view = _drawn(lesson, draw, address.part())
    if alone:
        if around != _around(lesson) or is_empty != (view is None):
            st.rerun()
        address.follow_part()
    return view


def _drawn(
    lesson: Lesson, draw: Draw, kept: AbstractContextManager[None] | None = None
) -> ScreenView | None:
    """Controls and pictures; above them the task of the homework that is done here."""
    task.place(lesson)
    with kept or nullcontext():
        view = draw(lesson)
    task.show(lesson)
    return view


def _around(lesson: Lesson) -> Any:
    """The value that the rest of a screen depends on: by it is sorted what to notice."""
    return len(lesson.notice) > OPEN_NOTICES and controls.value("view")
