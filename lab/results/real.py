"""What was measured of the real model, as numbers that decide: differences paired by text.

In long texts each text is what a seed is for the small models: its difference has the standard
error over its blocks of 1,024 tokens. A short text has two of them, too few for an error of its
own: there the mean over all texts decides.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import pandas as pd

from lab.results.comparisons import (
    FEWEST_SEEDS,
    Comparison,
    NotMeasuredError,
    SeedValues,
    Side,
)
from lab.results.uncertainty import share
from models.results.keys import keys
from models.results.losses import Bits, bits
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
"""Of the methods, where nothing else is said: what a server sets once for all texts."""
STUDENT = (12.71, 4.30, 3.18, 2.78, 2.57, 2.45, 2.36, 2.31, 2.26, 2.23, 2.20)
"""Standard errors that decide with 2, 3, … texts: the 97.5 % quantile of Student's t."""
MANY = 2.0
"""With more texts, and for shares of many questions."""


def needed(texts: int) -> float:
    """Standard errors of one mean over texts that decide."""
    return STUDENT[texts - 2] if 2 <= texts < len(STUDENT) + 2 else MANY


@dataclass(frozen=True, eq=False)
class RealModel:
    """What was measured of one real model.

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
        bound: float = 0.0,
        factor: float = FACTOR,
        last: float = 1.0,
    ) -> Comparison:
        """Bits per token behind the trained length, one way less another.

        Args:
            name: Of the comparison.
            one: Id of a method.
            other: Another.
            side: Where the difference must lie.
            bound: Of what.
            factor: Of methods that have one.
            last: Only this part of the positions behind the trained length, the last ones.
        """
        low = round(self.length - last * (self.length - self.trained))
        ways = _way(one, factor), _way(other, factor)
        return self._compared(name, ways, self.length, (low, self.length), side, bound)

    def inside(self, name: Sentence, one: str, other: str, side: Side) -> Comparison:
        """Bits per token up to the trained length, in the same passes."""
        ways = _way(one, FACTOR), _way(other, FACTOR)
        return self._compared(name, ways, self.length, (0, self.trained), side, 0.0)

    def rise(self, name: Sentence, one: str, other: str, bound: float) -> Comparison:
        """How much more one way costs than another behind the trained length than up to it."""
        behind = self.beyond(name, one, other, "below").measured
        inside = self.inside(name, one, other, "below").measured
        return Comparison(name, behind.less(inside), "below", bound)

    def short(self, name: Sentence, method: str, factor: float) -> Comparison:
        """What a factor costs in short texts: bits per token more than as trained."""
        length = lengths(self.measured.losses)[0]
        if length >= self.trained or factor not in factors(self.measured.losses, length):
            raise NotMeasuredError(say("short texts under factor {factor:g}", factor=factor))
        found = self._bits(length, (Way(method, factor), PLAIN))
        paired = found.gain(Way(method, factor), PLAIN, 0, length)
        value, error = pd.Series([float(paired.mean)]), pd.Series([float(paired.error)])
        texts = len(found.texts)
        name = say("{what} ({texts} texts)", what=name, texts=texts)
        return Comparison(name, SeedValues(value, error, "token_bits"), "above", 0.0, needed(texts))

    def found(self, name: Sentence, one: str, other: str) -> Comparison:
        """Per cent of the keys found in texts longer than in training, one way less another."""
        ways = _way(one, FACTOR), _way(other, FACTOR)
        there = keys(self.measured, ways)
        if len(there) < len(set(ways)):
            raise NotMeasuredError(say("keys beyond the trained length"))
        shares = []
        for its in ways:
            far = [n > self.trained for n in there[its].lengths]
            right, asked = (
                int(counts[:, far].sum()) for counts in (there[its].right, there[its].asked)
            )
            if not asked:
                raise NotMeasuredError(say("keys beyond the trained length"))
            shares.append(_share(right, asked))
        return Comparison(name, shares[0].less(shares[1]), "above", needed=MANY)

    def _compared(
        self,
        name: Sentence,
        ways: tuple[Way, Way],
        length: int,
        stretch: tuple[int, int],
        side: Side,
        bound: float,
    ) -> Comparison:
        found = self._bits(length, ways)
        inside = (found.first >= stretch[0]) & (found.first < stretch[1])
        values = found.gain(*ways, *stretch).values
        blocks = found.less(*ways).values[:, inside]
        errors = blocks.std(1, ddof=1) / np.sqrt(blocks.shape[1])
        value, error = (pd.Series(each, found.texts) for each in (values, errors))
        return Comparison(name, SeedValues(value, error, "token_bits"), side, bound)

    def _bits(self, length: int, ways: Sequence[Way]) -> Bits:
        try:
            found = bits(self.measured, length, ways)
        except ValueError as error:
            raise NotMeasuredError(str(error)) from None
        if len(found.texts) < FEWEST_SEEDS:
            raise NotMeasuredError(say("more than one text"))
        return found


def _share(right: int, asked: int) -> SeedValues:

    value, error = share(right, asked)
    return SeedValues(pd.Series([value]), pd.Series([error]), "percent")


def _way(method: str, factor: float) -> Way:
    if method == SLIDE.method:
        return SLIDE
    return Way(method, factor if has_factor(method) else 1.0)
