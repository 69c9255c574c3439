"""A command to copy and to paste into a terminal."""

from ui.charts.served import component
from ui.words import _


def show_command(text: str, key: str) -> None:
    """Draw it with a button that copies it."""
    _command(key=f"command_{key}", data={"text": text, "copy": _("Copy"), "copied": _("Copied")})


_command = component("command", "screen/command.js")
