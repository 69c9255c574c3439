"""The memory of a session beside its controls: one entry of Streamlit's session state.

Streamlit copies all entries for each control that it draws, so every further one would cost.

A name that begins with one underscore is something a screen remembers and is put away with it; one
with two is of a single run. A name that begins with `_app` belongs to the session, whatever the
screen.
"""

from contextvars import ContextVar
from typing import Any

import streamlit as st

from ui.streamlit import run

NAME = "_app"
LAST: ContextVar[tuple[str, dict[str, Any]]] = ContextVar("last", default=("", {}))
"""The session that this thread has asked for last, and its memory: a screen asks often."""


def memory() -> dict[str, Any]:
    """The memory of the session that runs; it is read and changed in place."""
    session = run.session()
    known, kept = LAST.get()
    if not session or known != session:
        kept = st.session_state.setdefault(NAME, {})
        LAST.set((session, kept))
    return kept
