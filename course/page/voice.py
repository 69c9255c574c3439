"""The language of a page: how it tells texts of the code, and words of its files.

The course knows no catalogues; who serves a page hands over its voice.
"""

from collections.abc import Callable
from dataclasses import dataclass


@dataclass(frozen=True)
class Voice:
    """A language in which pages are made."""

    language: str
    """"ru", as addresses and files name it."""
    files: str
    """Language of the files that its words are made from."""
    counted: str
    """Language whose forms its words have beside a number."""
    told: Callable[[str], str]
    """Tells a sentence of `say`; other texts stay as they are."""
    filled: Callable[[str], str]
    """Tells words of a file, with numbers for the names in braces."""
    separators: tuple[str, str]
    """Signs between thousands and before decimals."""
