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


def address(name: str) -> str:
    """Where a file of `static/` is found, from the top of the server.

    The hash stands in the path, so a module that a script imports by its own place has it too.
    """
    base = str(st.get_option("server.baseUrlPath")).strip("/")
    return f"{'/' + base if base else ''}/app/static/release-{version()}/{name}"


def loader(name: str) -> str:
    """The script of a component whose own is a file.

    Args:
        name: The file; `${data.…}` in it stands for what the component is given.
    """
    place = f"`${{location.origin}}{address(name)}`"
    return (
        "export default async (component) => {\n"
        "  const { data } = component;\n"
        f"  return (await import({place})).default(component);\n"
        "};\n"
    )
