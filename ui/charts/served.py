"""The browser's half: where its scripts are found.

Addresses are new whenever one of them is, so the browser may keep what it has for ever.
"""

import hashlib
from functools import cache
from pathlib import Path

import streamlit as st

STATIC = Path(__file__).parent.parent.parent / "static"


@cache
def version() -> str:
    """A hash of all scripts."""
    scripts = sorted(STATIC.rglob("*.js"))
    return hashlib.sha256(b"".join(path.read_bytes() for path in scripts)).hexdigest()[:12]


def folder() -> str:
    """Where `static/` is found, from the top of the server."""
    base = str(st.get_option("server.baseUrlPath")).strip("/")
    return f"{'/' + base if base else ''}/app/static"  # not words


def address(name: str) -> str:
    """Where a script of `static/` is found."""
    return f"{folder()}/{name}?v={version()}"


def loader(name: str) -> str:
    """The script of a component whose own is a file."""
    return (
        f"const url = location.origin + {address(name)!r};\n"
        "export default async (component) => (await import(url)).default(component);\n"
    )
