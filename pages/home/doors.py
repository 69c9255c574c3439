"""The ways in: the course, its contents, a model's file, a model and a text."""

import streamlit as st

from course.page.words import chapters
from pages.home import start
from posenc.words import say
from ui.screen import course
from ui.words import _, plural, translate

OTHERS = {
    "config": (
        say("I have a config.json"),
        say("How far it reads, and how to make it read further."),
    ),
    "live_attention": (
        say("I have a sentence"),
        say("The attention of a real model on it."),
    ),
}
"""Screen to the name of its door and what is behind it."""


def doors() -> None:
    """Draw the start, and three links, each with a line on what is behind it."""
    lessons = chapters()
    steps = sum(len(lesson.steps) for lesson in lessons)
    behind = _(
        "{chapters} chapters in {steps}.",
        chapters=len(lessons),
        steps=plural("{count} short step", "{count} short steps", steps),
    )
    with st.container(key="doors"):
        start_place, course_place, *places = st.columns([1.6, 1, 1, 1], gap="medium")
    with start_place:
        start.show()
    with course_place:
        course.link("/course/", _("All chapters\u00a0→"))
        st.caption(behind)
    for place, (screen, (title, words)) in zip(places, OTHERS.items(), strict=True):
        with place:
            label = f"**{translate(title)}\u00a0→**"
            st.page_link(course.script_of(screen), label=label)
            st.caption(translate(words))
