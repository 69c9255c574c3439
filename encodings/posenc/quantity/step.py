"""Follow a number: the formula of one cell with that cell's numbers, step by step."""

import math
import re
from collections.abc import Sequence
from dataclasses import dataclass
from unicodedata import east_asian_width

DIGITS = 6
DECIMALS = 4
"""Form of a number in a formula: 6 digits, 4 decimals above 100. `Step.value` stays exact."""
BREAK = r"\;\allowbreak "
"""Stands between words of a formula, which may break there where the screen ends."""
SHOWN_TERMS = 3
"""Terms of a long sum that are written out before the dots."""


@dataclass(frozen=True)
class Step:
    """One line of a calculation: symbol = formula = formula with numbers = value."""

    symbol: str
    """LaTeX."""
    formula: str
    """LaTeX, in symbols; empty where the value is simply given."""
    substituted: str
    """LaTeX, the formula with this cell's numbers rounded to 6 digits; may be empty."""
    value: float
    """Exact. NaN where there is none; the formula then says why."""

    @property
    def latex(self) -> str:
        """The whole line. The last sign is ≈ where the value written is rounded."""
        if math.isnan(self.value):
            return f"{self.symbol} = {self.formula}"
        parts = [self.symbol, self.formula, self.substituted]
        sign = "=" if _is_exact(self.value) else r"\approx"
        return " = ".join(part for part in parts if part) + f" {sign} {number(self.value)}"


def number(value: float) -> str:
    r"""A number for a formula: `30`, `-0.25`, `16{,}384.5`, `5.06326 \cdot 10^{-7}`, `-\infty`."""
    if math.isinf(value):
        return r"-\infty" if value < 0 else r"\infty"
    comma = "," if abs(value) >= 1e4 else ""  # thousands as in the words: 4096, but 16,384
    if float(value).is_integer() and abs(value) < 1e12:
        return f"{int(value):{comma}}".replace(",", "{,}")
    if 100 <= abs(value) < 1e12:
        decimals = f"{value:{comma}.{DECIMALS}f}".rstrip("0").rstrip(".")
        return decimals.replace(",", "{,}")
    mantissa, _, exponent = f"{value:.{DIGITS}g}".partition("e")
    if not exponent:
        return mantissa
    sign = {"1": "", "-1": "-"}.get(mantissa, rf"{mantissa} \cdot ")
    return f"{sign}10^{{{int(exponent)}}}"


def factor(value: float) -> str:
    """A number that follows another sign: in parentheses where it is negative."""
    return f"({number(value)})" if value < 0 else number(value)


def fraction(above: str, below: float) -> str:
    """A written number over another one, in parentheses where that is a power of ten."""
    return f"{above}/({number(below)})" if "^" in number(below) else f"{above}/{number(below)}"


def words(text: str, *values: float | str) -> str:
    """Words in a formula, which may break between them where the screen ends.

    Args:
        text: The words, written out at the call; {0}, {1}, … where values stand.
        values: Numbers, or LaTeX.
    """
    latex = [value if isinstance(value, str) else number(value) for value in values]
    return breaking(text, [rf"\mathord{{{value}}}" for value in latex])


def breaking(text: str, values: Sequence[str] = ()) -> str:
    """Words with LaTeX in the places {0}, {1}, …; a line may break between two words.

    Where a language has no spaces, it may break between any two of its letters.
    """
    parts = []
    for word in text.split():
        pieces = re.split(r"\{(\d)\}", word)  # words, and between them numbers of values
        made = [values[int(one)] if at % 2 else _text(one) for at, one in enumerate(pieces)]
        parts.append("".join(made))
    return BREAK.join(parts)


def _text(word: str) -> str:
    r"""Letters that no space divides, in `\text`."""
    ends = [at for at in range(1, len(word)) if word[at].isalpha() and _is_wide(word, at)]
    parts = zip([0, *ends], [*ends, len(word)], strict=True)
    return r"\allowbreak ".join(rf"\text{{{word[a:b]}}}" for a, b in parts if word)


def _is_wide(word: str, at: int) -> bool:
    """Whether the letter here or the one before it is of Chinese, Japanese or Korean."""
    return "W" in {east_asian_width(letter) for letter in word[at - 1 : at + 1]}


def total(terms: Sequence[str], count: int | None = None) -> str:
    """A sum, its first terms written out: `a + b + c + … (64 terms)`.

    Args:
        terms: LaTeX of the terms, or of the first ones.
        count: How many there are; default as many as given.
    """
    count = len(terms) if count is None else count
    shown = " + ".join(terms[:SHOWN_TERMS]).replace("+ -", "- ")
    return shown if count <= SHOWN_TERMS else rf"{shown} + \dots\;({number(count)}\text{{ terms}})"


def number_sum(values: Sequence[float]) -> str:
    """A sum of plain numbers, written as by `total`."""
    return total([number(value) for value in values[:SHOWN_TERMS]], len(values))


def no_value(symbol: str, reason: str) -> Step:
    """The last step of a point that a curve leaves out.

    Args:
        symbol: LaTeX.
        reason: In words, written out at the call: "nothing, because the pair does not rotate".
    """
    return Step(symbol, words(reason), "", math.nan)


def _is_exact(value: float) -> bool:
    if math.isinf(value) or (float(value).is_integer() and abs(value) < 1e12):
        return True
    rounded = f"{value:.{DECIMALS}f}" if 100 <= abs(value) < 1e12 else f"{value:.{DIGITS}g}"
    return float(rounded) == value
