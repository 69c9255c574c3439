"""The studio's pictures over the pairs: wavelengths, and angles that training never showed."""

import math
from functools import partial

from pages.config.comparison import Studio, program
from pages.config.summary import summary
from plots.lines import Mark
from posenc import Step, rope_wavelengths
from posenc.reading.coverage_steps import CoverageSteps
from posenc.reading.outcome_steps import coverage_steps, divisor_step, wavelength_steps
from posenc.words import say
from ui import screen
from ui.charts.methods import finite, over_pairs, shade_beyond
from ui.charts.points import CurvePoint
from ui.words import _

CIRCLE = 2 * math.pi


def wavelengths(s: Studio) -> screen.Picture:
    """Wavelength, frequency and divisor of each pair."""
    waves = s.each(lambda r: finite(rope_wavelengths(r.inv_freq)))
    target, trained = s.task.target, s.task.shown
    label = _("beyond the trained length {length:,}", length=trained)
    first = over_pairs(
        waves,
        title=_("Wavelength of each pair (analytic)"),
        y_title=_("positions for a full turn λᵢ"),
        marks=[Mark("y", target, _("target length {length:,}", length=target), left=True)],
        finish=lambda drawn: shade_beyond(drawn, trained, target, waves, label),
        key="wavelengths",
        alt=_("Curves of the wavelength over the pairs, one for each method"),
        steps=lambda method, pair: wavelength_steps(s.outcomes[method], pair),
        point=(s.last, len(s.pairs) // 2),
        shared=["divisors", "frequencies"],
        table=say("wavelengths"),
        settings=None,
    )
    body = (
        "values = torch.stack([rope_wavelengths(reading.inv_freq) for reading in readings])\n"
        "values[values.isinf()] = torch.nan  # pairs that never turn\n"
    )
    return summary(s, program(s, body), first, partial(frequencies, s))


def frequencies(s: Studio, point: CurvePoint) -> screen.RowFigure:
    """How much each pair is slowed, and its frequency."""
    slowed = over_pairs(
        {one.method.id: finite(one.slowed) for one in s.outcomes},
        title=_("How much each pair is slowed (analytic)"),
        y_title=_("unscaled θᵢ / scaled θᵢ"),
        key="divisors",
        alt=_("Curves over the pairs, one for each method: how much it slows each"),
        steps=lambda method, pair: (divisor_step(s.outcomes[method], pair),),
        point=point,
        table=say("divisors"),
        settings=None,
        height=360,
    )
    fast = over_pairs(
        s.each(lambda r: finite(r.inv_freq)),
        title=_("Frequency of each pair (analytic)"),
        y_title=_("θᵢ (radians per position)"),
        key="frequencies",
        alt=_("Curves of the frequency over the pairs, one for each method"),
        steps=lambda method, pair: wavelength_steps(s.outcomes[method], pair)[-2:-1],
        point=point,
        table=say("frequencies"),
        settings=None,
        height=360,
    )
    return screen.RowFigure(figures=[slowed, fast])


def angles(s: Studio) -> screen.Picture:
    """Angles that the target length reaches and training never showed; turns of each pair."""
    shown, target = s.task.shown, s.task.target
    unseen = {one.method.id: 100 * (one.coverage.unseen / CIRCLE) for one in s.outcomes}
    top = max(5.0, *(1.05 * float(curve.max()) for curve in unseen.values()))

    def steps(method: int, pair: int) -> tuple[Step, ...]:
        if method > s.last:  # seen in training, which the second figure draws
            return ()
        return coverage_steps(s.outcomes[method], pair).unseen_percent()

    first = over_pairs(
        unseen,
        title=_(
            "Part of the circle that {target:,} tokens reach and training never showed (analytic)",
            target=target,
        ),
        y_title=_("per cent of a turn"),
        log_y=False,
        y_range=(-0.02 * top, top),
        key="unseen",
        alt=_("Curves over the pairs, one for each method: the unseen part of the circle"),
        steps=steps,
        point=(s.last, len(s.pairs) * 3 // 4),
        shared=["turns", "past"],
        elsewhere=[_("seen in training")],
        table=say("unseen"),
        settings=None,
    )
    body = (
        f"lengths = {shown}, {target}\n"
        "unseen = [r.coverage(trained.inv_freq, *lengths).unseen for r in readings]\n"
        "values = 100 * (torch.stack(unseen) / (2 * torch.pi))\n"
    )
    return summary(s, program(s, body, with_trained=True), first, partial(turns_and_past, s))


def turns_and_past(s: Studio, point: CurvePoint) -> screen.RowFigure:
    """Turns of each pair, and how far past training they are."""
    turns = {one.method.id: finite(one.coverage.reached / CIRCLE) for one in s.outcomes}
    turns[_("seen in training")] = finite(s.outcomes[0].coverage.seen / CIRCLE)
    covered = {one.method.id: one.coverage for one in s.outcomes}
    past = {name: finite(one.excess.where(one.is_new, 1.0)) for name, one in covered.items()}

    def coverage(method: int, pair: int) -> CoverageSteps:
        return coverage_steps(s.outcomes[method], pair)

    def turns_steps(method: int, pair: int) -> tuple[Step, ...]:
        if method > s.last:
            return coverage(0, pair).seen_turns()
        return coverage(method, pair).reached_turns()[-1:]

    def past_steps(method: int, pair: int) -> tuple[Step, ...]:
        return () if method > s.last else coverage(method, pair).past()[-1:]

    left = over_pairs(
        turns,
        title=_(
            "Turns of each pair within {target:,} tokens, and within the {shown:,} of training "
            "(analytic)",
            target=s.task.target,
            shown=s.task.shown,
        ),
        y_title=_("turns"),
        marks=[Mark("y", 1, _("one turn"), left=True)],
        key="turns",
        alt=_("Curves over the pairs, one for each method: turns made, and those of training"),
        steps=turns_steps,
        point=point,
        table=say("turns"),
        settings=None,
    )
    right = over_pairs(
        past,
        title=_("How far past training, where a pair meets unseen angles (analytic)"),
        y_title=_("times the furthest trained angle"),
        key="past",
        alt=_("Curves over the pairs, one for each method: how far past the trained angle"),
        steps=past_steps,
        point=point,
        table=say("past"),
        settings=None,
        height=360,
    )
    return screen.RowFigure(figures=[left, right])
