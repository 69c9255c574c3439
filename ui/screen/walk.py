"""Where the reader is in the walk of a screen, which `ui.course` draws, and the way back to it.

A walk is in the screen's lesson. `step` in the address is the step that the reader is at, by its id
or from 1; 0 is the free screen with all its controls. An address without it is the beginning of the
walk, unless it sets a control: then somebody shows something, and the screen is free.
"""

from functools import partial

import streamlit as st

from ui.controls import address
from ui.controls.claims import claimed
from ui.memory import memory
from ui.screen import course
from ui.screen.lesson import Lesson
from ui.words import _

STEP = "step"
LEFT_AT = "_walk"  # the step from which the reader went to the free screen


def where(lesson: Lesson) -> int:
    """The step that the reader is at, from 1; 0 on the free screen or one without a walk."""
    count = len(lesson.walk)
    state = st.session_state
    if not count:
        return 0
    start = 1 if address.says_nothing(besides=STEP) else 0
    read = partial(_number, lesson)
    claimed(STEP, _("Step"), start, read, range(count + 1).__contains__, f"0 … {count}")
    # A browser that was here before brings what its controls say, and its address says the rest.
    at = state.setdefault(STEP, address.from_browser(STEP, read, start))
    address.note(STEP, at, at)
    return at


def at(lesson: Lesson) -> int:
    """The step that is drawn; 0 on the free screen or one without a walk."""
    return st.session_state[STEP] if lesson.walk else 0


def note(lesson: Lesson) -> None:
    """Write the step into the address, once all controls of the screen are drawn."""
    if lesson.walk:
        step = at(lesson)
        address.note(STEP, step, None if step or address.says_nothing(besides=STEP) else 0)


def way_back(lesson: Lesson) -> None:
    """On the free screen: one press to the step that was left, or to the first."""
    at = memory().get(LEFT_AT, 1)
    words = _("Walk: step {step} of {count}", step=at, count=len(lesson.walk))
    if lesson.walk:
        course.link(lesson.screen, words, at)


def _number(lesson: Lesson, raw: list[str]) -> int:
    """The step that an address names by its number or its id."""
    ids = [step.id for step in lesson.walk]
    return ids.index(raw[-1]) + 1 if raw[-1] in ids else int(raw[-1])
