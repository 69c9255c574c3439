"""The glossary: every term in two sentences, the one that a link asks for first."""

import streamlit as st

from posenc.words import say
from ui import controls
from ui.course.glossary import glossary
from ui.screen.bones import READING_WIDTH
from ui.screen.lesson import Lesson
from ui.words import _, translate

ALL = "all"
ALL_TERMS = say("All terms")


def show(_lesson: Lesson) -> None:
    """Every term, in the order in which the course uses them."""
    terms = glossary()
    with st.container(width=READING_WIDTH, key="glossary"):
        names = {ALL: translate(ALL_TERMS)} | {name: one.term for name, one in terms.items()}
        chosen = controls.choice(
            "term", _("Term"), names, ALL, help=_("The term that stands above the others.")
        )
        if chosen != ALL:
            st.info(f"**{terms[chosen].term}**: {terms[chosen].text}")
        st.caption(_("In the order in which the course uses them:"))
        for term in terms.values():
            st.markdown(f"**{term.term}**  \n{term.text}")
