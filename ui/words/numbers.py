"""Numbers as texts: the one place where they are written for the reader."""

import re
from functools import cache

from posenc.words import say
from ui.words.languages import catalogue, language

SAMPLE = say("1,234.5")
"""Translated like a text: how a language writes it says what its separators are."""


def number(value: float, form: str = ",") -> str:
    """A number that stands by itself, as the reader's language writes it, with a minus sign.

    Args:
        value: Any number.
        form: As for `format`: ",", ".3g".
    """
    return minus(written(format(value, form), language()))


def exact(value: float) -> str:
    """A number that stands by itself with all of its digits: 4096, but 16,384; 0.1."""
    whole = int(value) if abs(value) < 1e15 and value % 1 == 0 else value
    text = f"{whole:,}" if abs(whole) >= 1e4 else repr(whole)
    return minus(written(text, language()))


def rounded(value: float, digits: int = 4) -> str:
    """A number with few digits: 4, 1.5, 0.0123; 12,346 has all of its digits before the point."""
    whole = float(value).is_integer() or value >= 10 ** (digits - 1)
    return number(value, ",.0f" if whole and value < 1e15 else f".{digits}g")


def minus(text: str) -> str:
    """The text with minus signs before its numbers, as formulas and axes have them."""
    return re.sub(r"(?<![\w.)])-(?=[\d.]|inf)", "−", text)


def written(text: str, spoken: str) -> str:
    """A number that is written the English way, with the separators of a language."""
    thousands, decimal = separators(spoken)
    return text.translate({ord(","): thousands, ord("."): decimal})


@cache
def separators(spoken: str) -> tuple[str, str]:
    """A language's separators: between thousands, and before decimals."""
    sample = catalogue(spoken).gettext(SAMPLE.template)
    return sample[1:-5], sample[-2]
