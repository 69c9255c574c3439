"""One pair of channels under a method followed: its wavelength, and how far it turns."""

import math
from dataclasses import dataclass

from torch import Tensor

from advisor.comparing.outcome import Outcome
from advisor.comparing.scalings import scaled_wavelength_steps, slowed_step
from posenc.quantity.step import Step, fraction, number, words
from posenc.scaling.coverage import AngleCoverage

CIRCLE = 2 * math.pi


@dataclass(frozen=True)
class CoverageSteps:
    """One pair of an `AngleCoverage`, explained.

    Args:
        coverage: What `angle_coverage` returned.
        trained: θ of the trained model, (pairs,).
        scaled: θ' used at the target length, (pairs,).
        lengths: L₀, and the L that the coverage was told.
        pair: i.
    """

    coverage: AngleCoverage
    trained: Tensor
    scaled: Tensor
    lengths: tuple[int, int]
    pair: int

    def seen_turns(self) -> tuple[Step, ...]:
        """Turns of the pair within the trained length."""
        return self._seen(), _turns(self._seen())

    def reached_turns(self) -> tuple[Step, ...]:
        """Turns of the pair within the target length."""
        return self._reached(), _turns(self._reached())

    def unseen_percent(self) -> tuple[Step, ...]:
        """The part of the circle that is reached and was never shown, in per cent."""
        seen = self._seen()
        reached = self._reached()
        value = self.coverage.unseen[self.pair].item()
        ends = [rf"\min({number(angle.value)}, 2\pi)" for angle in (reached, seen)]
        return (
            seen,
            reached,
            Step(
                "u",
                r"\max(\min(\varphi, 2\pi) - \min(\varphi_0, 2\pi), 0)",
                rf"\max({ends[0]} - {ends[1]}, 0)",
                value,
            ),
            Step(r"100\,u/2\pi", "", rf"100 \cdot {number(value)}/(2\pi)", 100 * (value / CIRCLE)),
        )

    def past(self) -> tuple[Step, ...]:
        """How far the pair turns over how far it did in training; 1 where no angle is new."""
        seen = self._seen()
        reached = self._reached()
        symbol = r"\varphi/\varphi_0"
        if not self.coverage.is_new[self.pair]:
            return seen, reached, Step(symbol, words("1, as no angle is new to it"), "", 1.0)
        numbers = fraction(number(reached.value), seen.value) if seen.value else ""
        return seen, reached, Step(symbol, "", numbers, self.coverage.excess[self.pair].item())

    def _seen(self) -> Step:
        theta = self.trained[self.pair].item()
        length = number(self.lengths[0])
        numbers = rf"({length} - 1) \cdot {number(theta)}"
        value = self.coverage.seen[self.pair].item()
        return Step(r"\varphi_0", rf"(L_0 - 1)\,\theta_{{{self.pair}}}", numbers, value)

    def _reached(self) -> Step:
        theta = self.scaled[self.pair].item()
        length = number(self.lengths[1])
        numbers = rf"({length} - 1) \cdot {number(theta)}"
        value = self.coverage.reached[self.pair].item()
        return Step(r"\varphi", rf"(L - 1)\,\theta'_{{{self.pair}}}", numbers, value)


def _turns(angle: Step) -> Step:
    value = angle.value / CIRCLE
    return Step(f"{angle.symbol}/2\\pi", "", rf"{number(angle.value)}/(2\pi)", value)


def wavelength_steps(one: Outcome, pair: int) -> tuple[Step, ...]:
    """The frequency of a pair at the target length, then its wavelength."""
    layer = one.task.layer
    length = one.rule.scaling_length(one.task.target)
    return scaled_wavelength_steps(one.rule.scaling, layer.rotary_dim, layer.base, length, pair)


def divisor_step(one: Outcome, pair: int) -> Step:
    """How much a pair is slowed."""
    plain = one.task.frequencies(one.task.unscaled, None)[0][pair].item()
    return slowed_step(pair, plain, one.reading.inv_freq[pair].item(), one.slowed[pair].item())


def coverage_steps(one: Outcome, pair: int) -> CoverageSteps:
    """The angles of a pair, in training and at the target length."""
    task = one.task
    trained = task.trained_reading(task.shown).inv_freq
    lengths = task.shown, one.reading.scaling_length(task.target)
    return CoverageSteps(
        coverage=one.coverage,
        trained=trained,
        scaled=one.reading.inv_freq,
        lengths=lengths,
        pair=pair,
    )
