"""Badge and notebook of a screen for pages elsewhere, where the site has a public address."""

import streamlit as st

from course.page.files import STATIC
from ui.site import public
from ui.words import _

NOTEBOOKS = {path.stem: path for path in (STATIC / "site" / "notebooks").glob("*.ipynb")}
"""Notebooks of the screens as they open, by their ids."""


def badge_line(screen: str, title: str, site: str) -> str:
    """Markdown of a badge that leads to a screen."""
    return f"[![{title}]({site}badges/{screen}.svg)]({site}{screen})"


def show(screen: str, title: str) -> None:
    """Draw the badge's line, and the address of the notebook with how it is opened."""
    site = public.address()
    if not site:
        return
    st.markdown(_("A badge for a README, which leads to this screen:"))
    st.code(badge_line(screen, title, site), language=None, wrap_lines=True)
    if screen not in NOTEBOOKS:
        return
    st.markdown(
        _(
            "The notebook of this screen as it opens has an address of its own. JupyterLab opens "
            "it with *File*, *Open from URL*; other programs take the file once it is saved."
        )
    )
    st.code(f"{site}notebooks/{screen}.ipynb", language=None, wrap_lines=True)
