"""The course's own page: what it contains, the terms it uses, and ten questions at its end."""

import streamlit as st

from pages.course import contents, questions, terms
from posenc.words import say
from ui import controls
from ui.screen import course
from ui.words import _

PARTS = {
    "contents": say("Contents"),
    "glossary": say("Glossary"),
    "questions": say("Ten questions"),
}
DRAW = {"contents": contents.show, "glossary": terms.show, "questions": questions.show}


def main() -> None:
    """Draw the part that is asked for."""
    lesson = course.chapter(course.PAGE)
    st.title(lesson.title, anchor=False)
    st.markdown(lesson.question)
    controls.sentences_here()
    part = controls.choice(
        "part",
        _("Part"),
        PARTS,
        wide=True,
        help=_("What the course contains, its terms, or the questions at its end."),
    )
    DRAW[part](lesson)


main()
