"""The glossary: every term in two sentences."""

import streamlit as st

from ui.screen.bones import READING_WIDTH
from ui.screen.glossary import glossary
from ui.screen.lesson import Lesson
from ui.words import _


def show(_lesson: Lesson) -> None:
    """Every term, in the order in which the course uses them; a link leads to each."""
    with st.container(width=READING_WIDTH, key="glossary"):
        st.caption(_("In the order in which the course uses them."))
        for term in glossary().values():
            st.subheader(term.term, anchor=term.id)
            st.markdown(term.text)
