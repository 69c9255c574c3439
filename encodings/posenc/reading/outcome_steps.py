"""Outcomes followed: one pair of channels under a method, with its numbers."""

from posenc.quantity.step import Step
from posenc.reading.coverage_steps import CoverageSteps
from posenc.reading.outcome import Outcome
from posenc.scaling.steps import scaled_wavelength_steps, slowed_step


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
