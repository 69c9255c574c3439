"""Streamlit's own page: what it loads, what it runs inline, and what runs before it."""

import re
from functools import cache
from pathlib import Path

import streamlit as st

from ui.streamlit.private import miss

PARTS = ("BidiComponent", "Html", "Button", "TextInput", "ButtonGroup", "Metric", "rehype-katex")
"""Parts of Streamlit that nearly every screen shows, and that a browser else loads only then."""
BEGIN = Path(__file__).with_name("begin.js").read_text("utf-8")
"""Script that runs in the page before Streamlit's own scripts."""
STATIC = Path(st.__file__).parent / "static"


def is_page(html: bytes) -> bool:
    """Whether that is Streamlit's page, and not one of ours."""
    return b'<div id="root">' in html


@cache
def inline_scripts() -> list[str]:
    """The scripts that stand in the page itself."""
    return re.findall(r"<script>(.*?)</script>", page(), re.DOTALL)


@cache
def parts() -> list[str]:
    """Addresses of Streamlit's `PARTS` and of what they import, as its own page writes them."""
    html = page()
    folder = STATIC / "static" / "js"
    found: list[str] = []
    waiting: list[str] = []
    for part in PARTS:
        files = [file.name for file in folder.glob(f"{part}.*.js")]
        waiting += files
        if not files:
            miss(f"{part}.*.js", "the first picture comes later")
    while waiting:
        name = waiting.pop()
        if name not in found and name not in html:  # which loads the rest itself
            found.append(name)
            text = (folder / name).read_text("utf-8")
            waiting += re.findall(r'(?:from|import)"\./([\w.-]+\.js)"', text)
    return [f"./static/js/{name}" for name in found]


@cache
def page() -> str:
    """Streamlit's page as it comes with it."""
    try:
        return (STATIC / "index.html").read_text("utf-8")
    except OSError:
        miss("static/index.html", "its inline scripts are refused")
        return ""
