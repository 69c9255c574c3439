"""The server around the app: its address, its screens, the files that it holds."""

from typing import Any

import streamlit as st

from ui.streamlit.private import miss, private

_address = private(
    "web.server.server_util", "get_url", None, "the terminal does not say where the app is"
)
_display = private("web.server.server_util", "get_display_address", str, "0.0.0.0 is told as such")
_hash = private("util", "calc_hash", str, "figures do not tell screens apart")
_runtime = private("runtime", "Runtime", None, "uploads are not counted")
_pages: Any = private(
    "runtime.pages_manager", "PagesManager", None, "a first visitor may miss the navigation"
)

SignInError: type[Exception] = private(
    "errors", "Error", Exception, "any error of signing in is told as one of its settings"
)
"""Error that `st.login` raises where signing in is not set up."""


def show_app_first() -> None:
    """Begin with navigation.py whatever is asked for first.

    Streamlit takes a folder named pages for its older kind of app until that has run once; a
    first visitor who came by a link to a screen would find that screen without its navigation.
    """
    if hasattr(_pages, "uses_pages_directory"):
        _pages.uses_pages_directory = False
    elif _pages is not None:
        miss("PagesManager.uses_pages_directory", "a first visitor may miss the navigation")


def address() -> str:
    """Where a browser on this machine finds the app; "" where that is not known."""
    host = _display(st.get_option("server.address") or "localhost")
    return str(_address(host)) if _address else ""


def page_hash(name: str) -> str:
    """How a browser calls a screen; Home's name is ""."""
    return str(_hash(name))


def held_bytes(session: str = "") -> tuple[int, int]:
    """Bytes of the uploaded files that are held in memory: of a session, and of all."""
    if _runtime is None or not _runtime.exists():
        return 0, 0
    files: Any = getattr(_runtime.instance(), "uploaded_file_mgr", None)
    if not hasattr(files, "file_storage"):
        miss("uploaded_file_mgr.file_storage", "uploads are not counted")
        return 0, 0
    sizes = {
        name: sum(len(file.data) for file in list(held.values()))
        for name, held in dict(files.file_storage).items()
    }
    return sizes.get(session, 0), sum(sizes.values())
