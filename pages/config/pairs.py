"""The studio's pictures over the pairs: wavelengths, and angles that training never showed."""

import math

from pages.config.comparison import Chart, Studio, StudioPicture
from plots.lines import Mark
from posenc import Step, rope_wavelengths
from posenc.reading.coverage_steps import CoverageSteps
from posenc.reading.outcome_steps import coverage_steps, divisor_step, wavelength_steps
from ui.charts.methods import finite, per_pair, shade_beyond, table
from ui.words import _

CIRCLE = 2 * math.pi


def wavelengths(s: Studio) -> StudioPicture:
    """Wavelength, frequency and divisor of each pair."""
    waves = s.each(lambda r: finite(rope_wavelengths(r.inv_freq)))
    frequencies = s.each(lambda r: finite(r.inv_freq))
    divisors = {one.method.id: finite(one.slowed) for one in s.outcomes}
    target, trained = s.task.target, s.task.shown
    mark = Mark("y", target, _("target length {length:,}", length=target), left=True)
    title = _("Wavelength of each pair (analytic)")
    figure = per_pair(waves, title, _("positions for a full turn λᵢ"), [mark])
    label = _("beyond the trained length {length:,}", length=trained)
    figure = shade_beyond(figure, trained, target, waves, label)
    title = _("How much each pair is slowed (analytic)")
    slow = per_pair(divisors, title, _("unscaled θᵢ / scaled θᵢ"))
    title = _("Frequency of each pair (analytic)")
    fast = per_pair(frequencies, title, _("θᵢ (radians per position)"))

    def wavelength(method: int, pair: int) -> tuple[Step, ...]:
        return wavelength_steps(s.outcomes[method], pair)

    def frequency(method: int, pair: int) -> tuple[Step, ...]:
        return (wavelength(method, pair)[-2],)

    def divisor(method: int, pair: int) -> tuple[Step, ...]:
        return (divisor_step(s.outcomes[method], pair),)

    alts = (
        _("Curves of the wavelength over the pairs, one for each method"),
        _("Curves over the pairs, one for each method: how much it slows each"),
        _("Curves of the frequency over the pairs, one for each method"),
    )
    return StudioPicture(
        charts=[
            Chart("wavelengths", figure, alts[0], wavelength),
            Chart("divisors", slow, alts[1], divisor, 360),
            Chart("frequencies", fast, alts[2], frequency, 360),
        ],
        points=s.points(_("pair"), (0, s.pairs[-1]), len(s.pairs) // 2),
        frames={
            _("wavelengths"): table(_("pair"), s.pairs, waves),
            _("divisors"): table(_("pair"), s.pairs, divisors),
            _("frequencies"): table(_("pair"), s.pairs, frequencies),
        },
        body=(
            "values = torch.stack([rope_wavelengths(reading.inv_freq) for reading in readings])\n"
            "values[values.isinf()] = torch.nan  # pairs that never turn\n"
        ),
    )


def angles(s: Studio) -> StudioPicture:
    """Angles that the target length reaches and training never showed; turns of each pair."""
    shown, target = s.task.shown, s.task.target
    seen = _("seen in training")
    covered = {one.method.id: one.coverage for one in s.outcomes}
    unseen = {name: 100 * (one.unseen / CIRCLE) for name, one in covered.items()}
    turns = {name: finite(one.reached / CIRCLE) for name, one in covered.items()}
    turns[seen] = finite(s.outcomes[0].coverage.seen / CIRCLE)
    past = {name: finite(one.excess.where(one.is_new, 1.0)) for name, one in covered.items()}
    title = _(
        "Part of the circle that {target:,} tokens reach and training never showed (analytic)",
        target=target,
    )
    top = max(5.0, *(1.05 * float(curve.max()) for curve in unseen.values()))
    unit = _("per cent of a turn")
    first = per_pair(unseen, title, unit, log_y=False, y_range=(-0.02 * top, top))
    one = Mark("y", 1, _("one turn"), left=True)
    title = _(
        "Turns of each pair within {target:,} tokens, and within the {shown:,} of training "
        "(analytic)",
        target=target,
        shown=shown,
    )
    second = per_pair(turns, title, _("turns"), [one])
    title = _("How far past training, where a pair meets unseen angles (analytic)")
    third = per_pair(past, title, _("times the furthest trained angle"))
    methods = len(s.outcomes)

    def coverage(method: int, pair: int) -> CoverageSteps:
        return coverage_steps(s.outcomes[method], pair)

    def unseen_steps(method: int, pair: int) -> tuple[Step, ...]:
        return coverage(method, pair).unseen_percent() if method < methods else ()

    def turns_steps(method: int, pair: int) -> tuple[Step, ...]:
        if method < methods:
            return coverage(method, pair).reached_turns()[-1:]
        return coverage(0, pair).seen_turns()

    def past_steps(method: int, pair: int) -> tuple[Step, ...]:
        return coverage(method, pair).past()[-1:] if method < methods else ()

    alts = (
        _("Curves over the pairs, one for each method: the unseen part of the circle"),
        _("Curves over the pairs, one for each method: turns made, and those of training"),
        _("Curves over the pairs, one for each method: how far past the trained angle"),
    )
    return StudioPicture(
        charts=[
            Chart("unseen", first, alts[0], unseen_steps),
            Chart("turns", second, alts[1], turns_steps),
            Chart("past", third, alts[2], past_steps, 360),
        ],
        points=s.points(_("pair"), (0, s.pairs[-1]), len(s.pairs) * 3 // 4, [seen]),
        frames={
            _("unseen"): table(_("pair"), s.pairs, unseen),
            _("turns"): table(_("pair"), s.pairs, turns),
            _("past"): table(_("pair"), s.pairs, past),
        },
        body=(
            f"lengths = {shown}, {target}\n"
            "unseen = [r.coverage(trained.inv_freq, *lengths).unseen for r in readings]\n"
            "values = 100 * (torch.stack(unseen) / (2 * torch.pi))\n"
        ),
        with_trained=True,
    )
