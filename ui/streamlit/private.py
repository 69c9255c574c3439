"""Looks up a name that Streamlit's documentation does not promise."""

import importlib
import logging
from typing import Any

import streamlit as st

NAMES: dict[str, bool] = {}
"""Every name that was looked up, and whether this Streamlit has it."""
LOG = logging.getLogger("posenc.streamlit")


def private(module: str, name: str, instead: Any, lost: str) -> Any:
    """Object that Streamlit has under a private name, or `instead` where it is gone.

    Args:
        module: Where it stands, below `streamlit`.
        name: The name; with a dot, that of an attribute.
        instead: What stands in its place where this Streamlit has it no longer.
        lost: What then does not work, for the log.
    """
    whole = f"streamlit.{module}.{name}"
    try:
        found = importlib.import_module(f"streamlit.{module}")
        for part in name.split("."):
            found = getattr(found, part)
    except (ImportError, AttributeError):
        NAMES[whole] = False
        miss(whole, lost)
        return instead
    NAMES[whole] = True
    return found


def miss(what: str, lost: str) -> None:
    """Say in the log what this Streamlit does not have, and what does not work without it."""
    LOG.warning("Streamlit %s has no %s: %s", st.__version__, what, lost)
