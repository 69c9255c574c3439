"""A made-up language: English with accents on every letter, a third longer.

It has no spaces between words, as Chinese, but a letter as wide as it is high, and three forms of a
word beside a number, as Russian: one for 1, one for 2 to 4, one for 5.

Whoever reads a screen in it sees at once which words nobody has wrapped (they have no accents) and
which labels have no room for a longer language. It is made from the English texts as they are
asked for; nothing of it is stored.
"""

import re
from gettext import NullTranslations
from typing import Any

from babel import Locale

NAME = "en-XA"
COUNTED = "ru"
"""Language whose rules choose its forms."""
BETWEEN = "的"
"""Stands where English has a space between two words."""

VOWELS = str.maketrans("aeiouyAEIOUY", "áéíóúýÁÉÍÓÚÝ")
LETTERS = str.maketrans(
    "bcdfghjklmnpqrstvwxzBCDFGHJKLMNPQRSTVWXZ", "ƀçďƒğĥĵķľɱñþɋřšťṽŵẋžƁÇĎƑĞĤĴĶĽṀÑÞɊŘŠŤṼŴẊŽ"
)
DOUBLED = re.compile("[aeiouAEIOU]")
# What a translator leaves as it is. The words inside \text{…} are words, wherever they stand.
KEPT = re.compile(
    r"""
    (?P<kept>
      ```.*?```  |  `[^`\n]*`               # code
    | \[\[\w+\]\]                           # numbers that a picture tells
    | \[\[ (?P<number>\w+) \? (?P<forms>[^\]]*) \]\]   # and words that they ask for
    | \{\{ | \}\}  |  %?\{[^{}]*\}          # places for values, of Python and of plotly
    | %\{\{[^{}]*\}\}
    | (?<=\]) \( [^()\s]* \)                # where a link leads
    | https?://[^\s)]+
    | :[a-z_]+/[a-z_]+:  |  :[a-z-]+(?=\[)  # the app's marks for icons and colours
    | (?<![\w])\d[\d.,]*e[-+−]?\d+           # a number with an exponent
    | </?[A-Za-z][^<>]*>  |  &\#?\w+;       # HTML
    | (?<![\w'’}])[B-HJ-Zb-z](?![\w'’])      # a symbol; "a", "A" and "I" are words
    | (?<!\w)[A-Za-z]{1,2}[ᵀₖᵢⱼₘₙ₀-₉]+       # the same with what stands above or below it
    )
  | (?P<maths> \$\$.*?\$\$ | \$[^$\n]+\$ )
    """,
    re.VERBOSE | re.DOTALL,
)
SPACE = re.compile(r"(?<=[^\W\d_]) (?=[^\W\d_])")
TEXT = re.compile(r"(\\text\{)([^{}]*)(\})")


def pseudo(text: str, times: int = 1) -> str:
    """The text in the made-up language: values, code, formulas, links and HTML as they are.

    Args:
        text: English.
        times: How often a vowel is written once more.
    """
    made = []
    start = 0
    for found in KEPT.finditer(text):
        made.append(_accented(text[start : found.start()], times))
        if found["maths"]:
            made.append(TEXT.sub(_inside, found["maths"]))
        elif found["forms"]:
            made.append(f"[[{found['number']}?{'|'.join(forms(*found['forms'].split('|')))}]]")
        else:
            made.append(found["kept"])
        start = found.end()
    return "".join([*made, _accented(text[start:], times)])


def pseudo_lesson(content: str) -> str:
    """The Markdown of a lesson; `## ` lines name its sections and are no words."""
    parts = re.split(r"(?m)^(## .*\n)", content)
    return "".join(part if part.startswith("## ") else pseudo(part) for part in parts)


class Pseudo(NullTranslations):
    """The catalogue of the made-up language."""

    def gettext(self, message: str) -> str:
        """The message, made up."""
        return pseudo(message)

    def ngettext(self, msgid1: str, msgid2: str, n: int) -> str:
        """The form that a number asks for."""
        one, few, many, _ = forms(msgid1, msgid2)
        rule = Locale.parse(COUNTED).plural_form
        return {"one": one, "few": few, "many": many}[rule(n)]


def forms(singular: str, plural: str) -> tuple[str, str, str, str]:
    """Forms for 1, for 2 to 4, for 5, and for fractions; the second has its vowels threefold."""
    few = pseudo(plural, 2)
    return pseudo(singular), few, pseudo(plural), few


def _inside(found: re.Match[str]) -> Any:
    return found[1] + _accented(found[2]) + found[3]


def _accented(text: str, times: int = 1) -> str:
    longer = DOUBLED.sub(lambda vowel: vowel[0] + times * vowel[0].lower(), text)
    return SPACE.sub(BETWEEN, longer).translate(VOWELS | LETTERS)
