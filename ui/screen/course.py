"""The course: the order in which a newcomer reads the screens that have a walk."""

import math
import re
from collections.abc import Mapping, Sequence

import streamlit as st

from ui.controls import address
from ui.screen.lesson import PAGES, Lesson, WalkStep, load
from ui.words import language

COURSE = (
    "why_position",
    "absolute",
    "relative",
    "alibi",
    "rope",
    "scaling",
    "measured",
    "live_attention",
    "kv_cache",
    "cope",
    "which",
)
"""Ids of screens: a chapter each."""
PAGE = "course"
"""The contents, the glossary and the questions."""
WITHOUT_SCREEN = (PAGE, "playlist", "homework", "which")
"""Pages that have no controls and pictures of their own."""
WORDS_A_MINUTE = 150
STEP_MINUTES = 0.5  # for the picture


def chapter(screen: str) -> Lesson:
    """The words of a chapter in the reader's language."""
    return load(screen, language())


def chapters() -> list[Lesson]:
    """The words of all chapters that have a walk, in order."""
    return [lesson for lesson in map(chapter, COURSE) if lesson.walk]


def minutes(lesson: Lesson) -> int:
    """How long a chapter takes: its words read slowly, and a while for each picture."""
    words = len(re.findall(r"\w+", " ".join(" ".join(_said(step)) for step in lesson.walk)))
    return math.ceil(words / WORDS_A_MINUTE + STEP_MINUTES * len(lesson.walk))


def _said(step: WalkStep) -> tuple[str, ...]:
    """All that a step says, one thing after the other."""
    guess = (step.guess.question, *step.guess.options, step.guess.reveal) if step.guess else ()
    return step.title, step.text, *guess, step.task, step.reached


def before(screen: str) -> str | None:
    """The chapter before this one that has a walk; None before the first."""
    earlier = COURSE[: COURSE.index(screen)] if screen in COURSE else ()
    return next((name for name in reversed(earlier) if chapter(name).walk), None)


def after(screen: str) -> str | None:
    """The next chapter that has a walk; None after the last."""
    rest = COURSE[COURSE.index(screen) + 1 :] if screen in COURSE else ()
    return next((name for name in rest if chapter(name).walk), None)


def link(screen: str, label: str, step: int = 1) -> None:
    """A link to a step of a chapter, wherever the reader had left its screen."""
    page_link(screen, label, {"step": str(step)})


def link_to_page(part: str, label: str) -> None:
    """A link to a part of the course's own page."""
    page_link(PAGE, label, {"part": part})


def page_link(screen: str, label: str, query: Mapping[str, str | Sequence[str]]) -> None:
    """A link to a screen that asks for something there, also where it stands on that screen."""
    st.page_link(script_of(screen), label=label, query_params=address.linked(screen, query))


def script_of(screen: str) -> str:
    """The file of a screen, as links between screens name it."""
    return f"{PAGES.name}/{screen}/{'page' if screen in WITHOUT_SCREEN else 'screen'}.py"
