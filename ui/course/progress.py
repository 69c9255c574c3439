"""How far this browser has come in the course; the server knows nothing of it until it goes on."""

from collections.abc import Mapping
from typing import Any, Literal

import streamlit as st

from posenc.words import say
from ui.charts.served import STATIC, component, nothing
from ui.course.chapter import with_places
from ui.screen import course
from ui.screen.lesson import Lesson

WORDS = {
    "start": say("Start the course →"),
    "on": say("Go on: {title}, step {step}"),
    "again": say("From the beginning"),
    "of": say("{seen} of {count} steps seen in this browser"),
    "seen": say("seen: {seen} of {count}"),
    "answered": say("{right} of {answered} guesses right"),
    "forget": say("Forget"),
}
"""Interface words of the browser side, by its names for them; it fills the places itself."""


def progress(mode: Literal["start", "contents"]) -> None:
    """Draw the way on: large to start, or a line with what was seen above the contents."""
    chapters = course.chapters()
    asked = _progress(
        key=f"progress_{mode}",
        data={
            "mode": mode,
            "chapters": list(map(_told, chapters)),
            "words": {name: with_places(words) for name, words in WORDS.items()},
        },
        on_on_change=nothing,
    )
    lengths = {lesson.screen: len(lesson.walk) for lesson in chapters}
    if (place := wanted(asked, lengths)) is not None:
        name, step = place
        st.switch_page(course.script_of(name), query_params={"step": str(step)})


def _told(lesson: Lesson) -> dict[str, Any]:
    return {
        "screen": lesson.screen,
        "title": lesson.title,
        "steps": len(lesson.walk),
        "right": {step.id: step.guess.right for step in lesson.walk if step.guess},
    }


def wanted(asked: Any, lengths: Mapping[str, int]) -> tuple[str, int] | None:
    """The chapter and the step that a browser asks for; None where there are none such."""
    place = asked.get("on") if isinstance(asked, Mapping) else None
    if not isinstance(place, Mapping):
        return None
    name = place.get("screen")
    step = place.get("at")
    if not isinstance(name, str) or name not in lengths or not isinstance(step, int):
        return None
    return (name, step) if 1 <= step <= lengths[name] else None


_css = (STATIC / "course" / "progress.css").read_text("utf-8")
_progress = component("progress", "course/progress.js", _css)
