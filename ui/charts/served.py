"""The browser's half: where its scripts and styles are found.

Addresses are new whenever one of them is, so the browser may keep what it has for ever.
"""

from typing import Any

import streamlit as st

from course.page.files import STATIC as STATIC
from course.page.files import script


def address(name: str) -> str:
    """Where a file of `static/` or of the course is found, from the top of the server."""
    base = str(st.get_option("server.baseUrlPath")).strip("/")
    return f"{'/' + base if base else ''}{script(name)}"


def component(name: str, module: str, css: str | None = None) -> Any:
    """A part of the page that is drawn by a script in the browser.

    Args:
        name: Of the component; `posenc_` stands before it.
        module: Its script: its file as `address` has it.
        css: Styles that come with it.
    """
    return st.components.v2.component(
        f"posenc_{name}", css=css, js=loader(module), isolate_styles=False
    )


def no_callback() -> None:
    """For callbacks whose name alone makes a value part of the state, from the first run on."""


def loader(name: str) -> str:
    """The script of a component whose own is a file."""
    place = f"`${{location.origin}}{address(name)}`"
    return (
        "export default async (component) => {\n"
        "  const { data } = component;\n"
        f"  return (await import({place})).default(component);\n"
        "};\n"
    )
