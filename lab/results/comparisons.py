"""What numbers say about a claim, by one rule for all claims.

A claim is a list of comparisons. It is reproduced if in every one every seed is on the claimed
side of the bound by more than two standard errors; it is not reproduced if in one of them every
seed is as far on the other side; anything between is not resolved.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal, NamedTuple

import numpy as np

from lab.results.curves import Curve, Numbers

Verdict = Literal["reproduced", "not reproduced at this scale", "not resolved"]
REPRODUCED: Verdict = "reproduced"
NOT_REPRODUCED: Verdict = "not reproduced at this scale"
NOT_RESOLVED: Verdict = "not resolved"
ERRORS = 2.0
FEWEST_SEEDS = 2
FORMATS = {
    "%": "{value:.1f} ± {error:.1f}",
    "points": "{value:+.1f} ± {error:.1f}",
    "bits per byte": "{value:+.3f} ± {error:.3f}",
    "lengths": "{value:.0f}",
}


class NotMeasuredError(LookupError):
    """What a claim needs was not measured; the message says what is missing."""


class Measured(NamedTuple):
    """One quantity, seed by seed."""

    seeds: tuple[int, ...]
    values: Numbers
    """(seeds,)."""
    errors: Numbers
    """(seeds,): standard errors."""
    unit: str

    def less(self, other: "Measured") -> "Measured":
        """Difference in the seeds that both have; the errors are taken as independent.

        Both are asked the same questions, so the true error of the difference is rather smaller.
        """
        mine, theirs = self._by_seed(), other._by_seed()
        seeds = tuple(seed for seed in self.seeds if seed in theirs)
        values = [mine[seed][0] - theirs[seed][0] for seed in seeds]
        errors = [math.hypot(mine[seed][1], theirs[seed][1]) for seed in seeds]
        unit = "points" if self.unit == "%" else self.unit
        return Measured(seeds, np.array(values), np.array(errors), unit)

    def _by_seed(self) -> dict[int, tuple[float, float]]:
        pairs = zip(self.values.tolist(), self.errors.tolist(), strict=True)
        return dict(zip(self.seeds, pairs, strict=True))


def at(curve: Curve | None, x: float, unit: str) -> Measured:
    """A curve's values at one place, of the seeds that were measured there.

    Raises:
        NotMeasuredError: If there are none.
    """
    if curve is None or x not in curve.x:
        raise NotMeasuredError(f"nothing at {x:g} tokens")
    place = int(np.flatnonzero(curve.x == x)[0])
    values, errors = curve.values[:, place], curve.errors[:, place]
    there = ~np.isnan(values)
    seeds = tuple(seed for seed, known in zip(curve.seeds, there, strict=True) if known)
    return Measured(seeds, values[there], errors[there], unit)


@dataclass(frozen=True, eq=False)
class Comparison:
    """A quantity that must lie above (or below) a bound."""

    name: str
    measured: Measured
    side: Literal["above", "below"]
    bound: float = 0.0

    @property
    def margins(self) -> Numbers:
        """(seeds,): distance from the bound in standard errors, positive on the claimed side."""
        sign = 1.0 if self.side == "above" else -1.0
        with np.errstate(divide="ignore"):
            return sign * (self.measured.values - self.bound) / self.measured.errors

    @property
    def words(self) -> str:
        """The numbers that decide, one for each seed."""
        each = [
            FORMATS[self.measured.unit].format(value=value, error=error).replace("-", "−")
            for value, error in zip(self.measured.values, self.measured.errors, strict=True)
        ]
        return f"{self.name}: {', '.join(each)} {self.measured.unit}"


def decide(comparisons: Sequence[Comparison], fewest: int = FEWEST_SEEDS) -> Verdict:
    """Reproduced, not reproduced at this scale, or not resolved; with fewer seeds never more."""
    if min(len(one.measured.seeds) for one in comparisons) < fewest:
        return NOT_RESOLVED
    if all((one.margins > ERRORS).all() for one in comparisons):
        return REPRODUCED
    if any((one.margins < -ERRORS).all() for one in comparisons):
        return NOT_REPRODUCED
    return NOT_RESOLVED
