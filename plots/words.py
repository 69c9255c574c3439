"""Words that figures say by themselves, in English until an app sets its own way to tell them."""

from collections.abc import Callable
from typing import Any


def plain(template: str, /, **values: Any) -> str:
    """The English text."""
    return template.format(**values) if values else template


tell: Callable[..., str] = plain
"""Translator, set by the app: from template and values to the text in the reader's language."""


def _(template: str, /, **values: Any) -> str:
    """A text of a figure, for the reader of now."""
    return tell(template, **values)
