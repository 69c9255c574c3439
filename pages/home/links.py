"""Which screen explains which encoding."""

import streamlit as st

from posenc.catalogue import Entry

SCREENS = {
    "nope": "why_position",
    "learned": "absolute",
    "sinusoidal": "absolute",
    "shaw": "relative",
    "transformer_xl": "relative",
    "t5": "relative",
    "alibi": "alibi",
    "kerple": "alibi",
    "sandwich": "alibi",
    "fire": "alibi",
    "rope": "rope",
    "xpos": "rope",
    "cope": "cope",
}
"""Screens by the id of the encoding."""
VIEWS = {
    "learned": "?view=learned",
    "shaw": "?view=shaw",
    "t5": "?view=t5",
    "kerple": "?view=family",
    "sandwich": "?view=family",
    "fire": "?view=family",
}
"""Pictures of their screens that show them, where that is not the first."""


def screen_link(entry: Entry, label: str) -> None:
    """A link to the encoding's screen; the plain label where it has none."""
    if entry.id in SCREENS:
        st.page_link(f"pages/{SCREENS[entry.id]}/screen.py", label=label)
    else:
        st.markdown(label)
