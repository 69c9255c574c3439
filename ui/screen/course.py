"""The order in which a newcomer reads the screens that have a walk."""

import streamlit as st

from ui.screen.lesson import PAGES, Lesson, load
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
    "cope",
    "kv_cache",
)
"""Ids of screens: a chapter each."""


def chapter(screen: str) -> Lesson:
    """The words of a chapter in the reader's language."""
    return load(screen, language())


def chapters() -> list[Lesson]:
    """The words of all chapters that have a walk, in order."""
    return [lesson for lesson in map(chapter, COURSE) if lesson.walk]


def after(screen: str) -> str | None:
    """The next chapter that has a walk; None behind the last."""
    rest = COURSE[COURSE.index(screen) + 1 :] if screen in COURSE else ()
    return next((name for name in rest if chapter(name).walk), None)


def link(screen: str, label: str) -> None:
    """A link to the beginning of a chapter, wherever the reader had left its screen."""
    st.page_link(script_of(screen), label=label, query_params={"step": "1"})


def script_of(screen: str) -> str:
    """The file of a screen, as links between screens name it."""
    return f"{PAGES.name}/{screen}/screen.py"
