"""Addresses that an operator says: of the site, for links and previews elsewhere; of its code."""

import os
from urllib.parse import urlsplit

from ui.words import _

VARIABLE = "POSENC_ADDRESS"
SOURCE = "POSENC_SOURCE"
CODE = "code.zip"
"""The project's folder as one file, from the first page."""


def address() -> str:
    """The address of the first page with a slash at its end; "" where none is set.

    Raises:
        ValueError: If it is no address of a web site.
    """
    given = os.environ.get(VARIABLE, "").strip()
    if not given:
        return ""
    if not _is_page(given):
        raise ValueError(
            f"{VARIABLE} must be the address of the first page, as https://example.org/positions/, "
            f"got {given!r}."
        )
    return given.rstrip("/") + "/"


def source() -> str:
    """The address where readers get the project's code; "" where none is set.

    Raises:
        ValueError: If it is no address of a web page.
    """
    given = os.environ.get(SOURCE, "").strip()
    if given and not _is_page(given):
        raise ValueError(
            f"{SOURCE} must be the address where readers get the project's code, as "
            f"https://example.org/code, got {given!r}."
        )
    return given


def folder(up: str = "") -> str:
    """The project's folder in Markdown, and where it comes from: this server hands it out.

    Args:
        up: The way to the first page from the one where it is said.
    """
    return _("[the project's folder]({place})", place=source() or up + CODE)


def _is_page(given: str) -> bool:
    try:
        parts = urlsplit(given)
        is_site = parts.scheme in ("http", "https") and bool(parts.hostname) and parts.port != 0
    except ValueError:
        return False
    has_more = parts.query or parts.fragment or parts.username
    return is_site and not has_more and given.isprintable()
