"""Judging a claim by numbers, by one rule for all claims.

A claim is a list of comparisons. It is reproduced if in every one every seed is on the claimed
side of the bound by more than two standard errors; it is not reproduced if in one of them every
seed is as far on the other side; anything between is not resolved.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal, NamedTuple

import numpy as np
import pandas as pd

from lab.results.curves import Curve
from posenc.words import Sentence, say

Verdict = Literal["reproduced", "not_reproduced", "not_resolved"]
REPRODUCED: Verdict = "reproduced"
NOT_REPRODUCED: Verdict = "not_reproduced"
NOT_RESOLVED: Verdict = "not_resolved"
VERDICTS: dict[Verdict, Sentence] = {
    REPRODUCED: say("reproduced"),
    NOT_REPRODUCED: say("not reproduced at this scale"),
    NOT_RESOLVED: say("not resolved"),
}
Unit = Literal["percent", "points", "bits", "token_bits", "lengths"]


class Words(NamedTuple):
    """How numbers of a unit are written."""

    number: Sentence
    shift: Sentence
    named: Sentence
    """The last of them, with the unit."""


UNITS: dict[Unit, Words] = {
    "percent": Words(say("{value:.1f} ± {error:.1f}"), say("{value:.1f}"), say("{number}%")),
    "points": Words(say("{value:+.1f} ± {error:.1f}"), say("{value:.1f}"), say("{number} points")),
    "bits": Words(
        say("{value:+.3f} ± {error:.3f}"), say("{value:.3f}"), say("{number} bits per byte")
    ),
    "token_bits": Words(
        say("{value:+.3f} ± {error:.3f}"), say("{value:.3f}"), say("{number} bits per token")
    ),
    "lengths": Words(say("{value:.0f}"), say("{value:.1f}"), say("{number} lengths")),
}
Side = Literal["above", "below"]
ERRORS = 2.0
FEWEST_SEEDS = 2


class NotMeasuredError(LookupError):
    """A measurement that a claim needs is missing; the sentence names it."""


class SeedValues(NamedTuple):
    """One quantity, seed by seed."""

    values: "pd.Series[float]"
    """By seed."""
    errors: "pd.Series[float]"
    """By seed: standard errors."""
    unit: Unit

    def less(self, other: "SeedValues") -> "SeedValues":
        """Difference in the seeds that both have; the errors are taken as independent.

        Both are asked the same questions, so the true error of the difference is rather smaller.
        """
        values = (self.values - other.values).dropna()
        errors = np.hypot(self.errors, other.errors.reindex(self.errors.index))
        unit: Unit = "points" if self.unit == "percent" else self.unit
        return SeedValues(values, errors[values.index], unit)


def at(curve: Curve | None, x: float, unit: Unit) -> SeedValues:
    """A curve's values at one place, of the seeds that were measured there.

    Raises:
        NotMeasuredError: If there are none.
    """
    if curve is None or x not in curve.x:
        raise NotMeasuredError(say("nothing at {x:g} tokens", x=x))
    values, errors = (
        pd.Series(each[:, curve.x == x].ravel(), curve.seeds).dropna()
        for each in (curve.values, curve.errors)
    )
    return SeedValues(values, errors, unit)


@dataclass(frozen=True, eq=False)
class Comparison:
    """A quantity that must lie above (or below) a bound."""

    name: Sentence
    measured: SeedValues
    side: Side
    bound: float = 0.0
    needed: float = ERRORS
    """Standard errors from the bound that decide."""

    @property
    def margins(self) -> "pd.Series[float]":
        """By seed: distance from the bound in standard errors, positive on the claimed side."""
        sign = 1.0 if self.side == "above" else -1.0
        return sign * (self.measured.values - self.bound) / self.measured.errors

    @property
    def words(self) -> Sentence:
        """The numbers that decide, one for each seed."""
        pairs = zip(self.measured.values, self.measured.errors, strict=True)
        number = UNITS[self.measured.unit].number
        each = [number.filled(value=value, error=error) for value, error in pairs]
        return say("{name}: {numbers}", name=self.name, numbers=_listed(each, self.measured.unit))

    @property
    def holds(self) -> bool:
        """Whether every seed is clearly on the claimed side."""
        return bool((self.margins > self.needed).all())

    @property
    def is_reversed(self) -> bool:
        """Whether every seed is clearly on the other side."""
        return bool((self.margins < -self.needed).all())

    def would_change(self, sign: float) -> Sentence:
        """The seed that is nearest to leaving its side, and what would make it do so.

        Args:
            sign: 1 for the claimed side, -1 for the other.
        """
        unit = self.measured.unit
        seed = (sign * self.margins).idxmin()
        margin = float(sign * self.margins[seed])
        shift = (margin - self.needed) * float(self.measured.errors[seed])
        return say(
            "Closest to changing: {name}, {margin:.1f} standard errors from the bound, where "
            "{needed:.1f} decide; a shift by {shift} would leave this open.",
            name=self.name,
            margin=margin,
            needed=self.needed,
            shift=_listed([UNITS[unit].shift.filled(value=shift)], unit),
        )


def decide(comparisons: Sequence[Comparison], fewest: int = FEWEST_SEEDS) -> Verdict:
    """Reproduced, not reproduced at this scale, or not resolved; with fewer seeds never more."""
    if min(len(one.measured.values) for one in comparisons) < fewest:
        return NOT_RESOLVED
    if all(one.holds for one in comparisons):
        return REPRODUCED
    if any(one.is_reversed for one in comparisons):
        return NOT_REPRODUCED
    return NOT_RESOLVED


def changes(comparisons: Sequence[Comparison]) -> Sentence:
    """Changes of the numbers that would change the verdict, in words."""
    exact = [one for one in comparisons if (one.measured.errors > 0).all()]
    reversed_ = [one for one in exact if one.is_reversed]
    if reversed_:
        return max(reversed_, key=lambda one: float((-one.margins).min())).would_change(-1.0)
    weakest = min(exact, key=lambda one: float(one.margins.min()))
    if weakest.holds:
        return weakest.would_change(1.0)
    return say(
        "Open because of: {name}, {margin:+.1f} standard errors from the bound on the claimed "
        "side, where {needed:.1f} decide.",
        name=weakest.name,
        margin=round(float(weakest.margins.min()), 1) + 0.0,
        needed=weakest.needed,
    )


def _listed(numbers: Sequence[Sentence], unit: Unit) -> Sentence:
    """Numbers one after the other, the unit after the last."""
    first, *rest = numbers
    if rest:
        return say("{first}, {rest}", first=first, rest=_listed(rest, unit))
    return UNITS[unit].named.filled(number=first)
