"""Links between screens, and from them to the plain pages of the course."""

from collections.abc import Mapping, Sequence
from html import escape

import streamlit as st

from course.page.words import chapter
from ui.controls import address
from ui.screen.lesson import PAGES, load
from ui.words import language

WITHOUT_SCREEN = ("playlist", "homework")
"""Pages that have no controls and pictures of their own."""


def title(name: str) -> str:
    """Title of a screen, or of a chapter that has none, in the reader's language."""
    has_screen = (PAGES / name / "screen.py").is_file()
    return load(name, language()).title if has_screen else chapter(name).title


def link(path: str, label: str) -> None:
    """A link to a plain page, which the browser opens anew.

    Args:
        path: "/course/rope/lock/", from the root of the site.
        label: Plain text.
    """
    st.html(f'<a class="posenc-link" href="{escape(path.lstrip("/"))}">{escape(label)}</a>')


def page_link(screen: str, label: str, query: Mapping[str, str | Sequence[str]]) -> None:
    """A link to a screen that asks for something there, also where it stands on that screen."""
    st.page_link(script_of(screen), label=label, query_params=address.linked(screen, query))


def script_of(screen: str) -> str:
    """The file of a screen, as links between screens name it."""
    return f"{PAGES.name}/{screen}/{'page' if screen in WITHOUT_SCREEN else 'screen'}.py"
