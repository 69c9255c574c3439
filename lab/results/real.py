"""Measurements of the real model as numbers that decide: differences paired by text.

The mean over texts decides, by its 95% interval (Student's t). It holds of texts like these: all
were chosen, and are of a few kinds.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import pandas as pd

from lab.results.comparisons import FEWEST_SEEDS, Comparison, NotMeasuredError, SeedValues, Side
from lab.results.uncertainty import share
from models.results.keys import keys
from models.results.losses import Bits, Difference, bits
from models.results.tables import (
    PLAIN,
    SLIDE,
    Measured,
    Way,
    factors,
    has_factor,
    lengths,
    usual_length,
)
from posenc.words import Sentence, say

FACTOR = 4.0
"""Factor of the methods, where nothing else is said: what a server sets once for all texts."""
STUDENT = (12.71, 4.30, 3.18, 2.78, 2.57, 2.45, 2.36, 2.31, 2.26, 2.23, 2.20)
"""Standard errors that decide with 2, 3, … texts: the 97.5% quantile of Student's t."""
MANY = 2.0
"""With more texts, and for shares of many questions."""


def needed(texts: int) -> float:
    """Standard errors of one mean over texts that decide."""
    return STUDENT[texts - 2] if 2 <= texts < len(STUDENT) + 2 else MANY


@dataclass(frozen=True, eq=False)
class RealModel:
    """Measurements of one real model.

    Args:
        measured: The rows.
    """

    measured: Measured

    @property
    def trained(self) -> int:
        """L."""
        return self.measured.about.trained

    @property
    def length(self) -> int:
        """n, tokens of the long passes."""
        return usual_length(self.measured.losses)

    def beyond(
        self,
        name: Sentence,
        one: str,
        other: str,
        side: Side,
        factor: float = FACTOR,
        last: float = 1.0,
    ) -> Comparison:
        """Bits per token beyond the trained length, one way less another.

        Args:
            name: Of the comparison.
            one: Id of a method.
            other: Another.
            side: Where the difference must lie.
            factor: Of methods that have one.
            last: Only this part of the positions beyond the trained length, the last ones.
        """
        low = round(self.length - last * (self.length - self.trained))
        ways = _way(one, factor), _way(other, factor)
        gain = self._bits(self.length, ways).gain(*ways, low, self.length)
        return _compared(name, gain, side)

    def inside(self, name: Sentence, one: str, other: str, side: Side) -> Comparison:
        """Bits per token up to the trained length, in the same passes."""
        ways = _way(one, FACTOR), _way(other, FACTOR)
        return _compared(name, self._bits(self.length, ways).gain(*ways, 0, self.trained), side)

    def rise(self, name: Sentence, one: str, other: str, bound: float) -> Comparison:
        """How much more one way costs than another beyond the trained length than up to it."""
        mine, its = _way(one, FACTOR), _way(other, FACTOR)
        found = self._bits(self.length, (mine, its))
        behind = found.gain(mine, its, self.trained, self.length).values
        inside = found.gain(mine, its, 0, self.trained).values
        return _compared(name, Difference(behind - inside), "below", bound)

    def short(self, name: Sentence, method: str, factor: float) -> Comparison:
        """Cost of a factor in short texts: bits per token more than as trained."""
        length = lengths(self.measured.losses)[0]
        if length >= self.trained or factor not in factors(self.measured.losses, length):
            raise NotMeasuredError(say("short texts under factor {factor:g}", factor=factor))
        ways = Way(method, factor), PLAIN
        return _compared(name, self._bits(length, ways).gain(*ways, 0, length), "above")

    def found(self, name: Sentence, one: str, other: str) -> list[Comparison]:
        """Per cent of the keys found, one way less another, at each length beyond training."""
        ways = _way(one, FACTOR), _way(other, FACTOR)
        there = keys(self.measured, ways)
        if len(there) < len(set(ways)):
            raise NotMeasuredError(say("keys beyond the trained length"))
        compared = []
        for at, length in enumerate(there[ways[0]].lengths):
            if length <= self.trained:
                continue
            counts = [
                (int(there[its].right[:, at].sum()), int(there[its].asked[:, at].sum()))
                for its in ways
            ]
            shares = [_share(*each) for each in counts]
            (mine, asked), (others, _) = counts
            which = say(
                "{what}, {length:,} tokens ({mine} and {others} of {asked})",
                what=name,
                length=length,
                mine=mine,
                others=others,
                asked=asked,
            )
            compared.append(Comparison(which, shares[0].less(shares[1]), "above", needed=MANY))
        if not compared:
            raise NotMeasuredError(say("keys beyond the trained length"))
        return compared

    def _bits(self, length: int, ways: Sequence[Way]) -> Bits:
        try:
            found = bits(self.measured, length, ways)
        except ValueError as error:
            raise NotMeasuredError(str(error)) from None
        if len(found.texts) < FEWEST_SEEDS:
            raise NotMeasuredError(say("more than one text"))
        return found


def _compared(name: Sentence, difference: Difference, side: Side, bound: float = 0.0) -> Comparison:
    """The mean over texts, with the range of the texts in its name."""
    texts = len(difference.values)
    value, error = (pd.Series([float(each)]) for each in (difference.mean, difference.error))
    name = say(
        "{what} ({texts} texts, {low:+.3f} to {high:+.3f})",
        what=name,
        texts=texts,
        low=float(difference.low),
        high=float(difference.high),
    )
    return Comparison(name, SeedValues(value, error, "token_bits"), side, bound, needed(texts))


def _share(right: int, asked: int) -> SeedValues:
    value, error = share(right, asked)
    return SeedValues(pd.Series([value]), pd.Series([error]), "percent")


def _way(method: str, factor: float) -> Way:
    if method == SLIDE.method:
        return SLIDE
    return Way(method, factor if has_factor(method) else 1.0)
