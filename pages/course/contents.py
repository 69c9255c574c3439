"""Every chapter with its question and how long it takes; how far the reader has come."""

import streamlit as st

from pages.course.sketches import sketch
from ui.course.progress import progress
from ui.screen import course, homework
from ui.screen.bones import READING_WIDTH
from ui.screen.lesson import Lesson
from ui.words import _, plural


def show(_lesson: Lesson) -> None:
    """Draw the chapters, and the way on from where this browser has been."""
    chapters = course.chapters()
    steps = sum(len(lesson.walk) for lesson in chapters)
    with st.container(width=READING_WIDTH):
        st.markdown(
            _(
                "{chapters} chapters in {steps} short steps, each with a picture that moves "
                "along. You need to know what attention is, and nothing else. Together they take "
                "about {minutes} minutes. Go on with the buttons, the arrow keys or a presenter's "
                "remote.",
                chapters=len(chapters),
                steps=steps,
                minutes=sum(map(course.minutes, chapters)),
            )
        )
        progress("contents")
        for number, lesson in enumerate(chapters, 1):
            with st.container(key=f"chapter_{lesson.screen}"):
                shown, words = st.columns([1, 3], gap="medium", vertical_alignment="center")
            shown.html(sketch(lesson.screen))
            with words, st.container(gap=None):
                chapter(number, lesson)
        course.link_to_page("questions", _("Ten questions at the end →"))
        course.link_to_page("glossary", _("Every term in two sentences →"))


def chapter(number: int, lesson: Lesson) -> None:
    """Its title, its question and how long it takes; the browser adds what was seen of it."""
    course.link(lesson.screen, _("{number}. {title}", number=number, title=lesson.title))
    st.markdown(lesson.question)
    st.caption(
        _(
            "{steps}, about {minutes}",
            steps=plural("{count} step", "{count} steps", len(lesson.walk)),
            minutes=plural("{count} minute", "{count} minutes", course.minutes(lesson)),
        )
    )
    homework.link(lesson.screen, _("Homework: {title}", title=lesson.title))
