"""A made-up language: English with accents on every letter, a third longer.

Whoever reads a screen in it sees at once which words nobody has wrapped (they have no accents) and
which labels have no room for a longer language. It is made from the English texts as they are
asked for; nothing of it is stored.
"""

import re
from gettext import NullTranslations
from typing import Any

NAME = "en-XA"

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
TEXT = re.compile(r"(\\text\{)([^{}]*)(\})")


def pseudo(text: str) -> str:
    """The text in the made-up language: values, code, formulas, links and HTML as they are."""
    made = []
    start = 0
    for found in KEPT.finditer(text):
        made.append(_accented(text[start : found.start()]))
        maths = found["maths"]
        made.append(TEXT.sub(_inside, maths) if maths else found["kept"])
        start = found.end()
    return "".join([*made, _accented(text[start:])])


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
        """Singular or plural as in English, made up."""
        return pseudo(super().ngettext(msgid1, msgid2, n))


def _inside(found: re.Match[str]) -> Any:
    return found[1] + _accented(found[2]) + found[3]


def _accented(text: str) -> str:
    return DOUBLED.sub(lambda vowel: vowel[0] + vowel[0].lower(), text).translate(VOWELS | LETTERS)
