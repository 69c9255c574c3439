"""The studio's pictures over the pairs: wavelengths, and angles that training never showed."""

import math

from pages.config.comparison import Chart, Studio, StudioPicture, finite, per_pair
from plots.lines import Mark
from plots.style import shade_outside_training
from posenc import Step, rope_wavelengths
from posenc.reading.coverage_steps import CoverageSteps
from posenc.scaling.steps import scaled_wavelength_steps, slowed_step
from ui.controls.methods import table

CIRCLE = 2 * math.pi
SEEN = "seen in training"


def wavelengths(s: Studio) -> StudioPicture:
    """Wavelength, frequency and divisor of each pair."""
    plain = s.task.frequencies(s.task.unscaled, None)[0]
    waves = s.each(lambda r: finite(rope_wavelengths(r.inv_freq)))
    frequencies = s.each(lambda r: finite(r.inv_freq))
    divisors = s.each(lambda r: finite(plain / r.inv_freq))
    target, trained = s.task.target, s.task.shown
    mark = Mark("y", target, f"target length {target:,}", left=True)
    figure = per_pair(s, waves, "Wavelength of each pair", "positions for a full turn λᵢ", [mark])
    highest = max(target, *(float(w.nan_to_num().max()) for w in waves.values()))
    label = f"beyond the trained length {trained:,}"
    shade_outside_training(figure, trained, 2 * highest, axis="y", label=label)
    slow = per_pair(s, divisors, "How much each pair is slowed", "unscaled θᵢ / scaled θᵢ")
    fast = per_pair(s, frequencies, "Frequency of each pair", "θᵢ (radians per position)")
    alt = "Curves over the pairs, one for each method: "

    def wavelength(method: int, pair: int) -> tuple[Step, ...]:
        rule, layer = s.methods[method].rule, s.task.layer
        length = rule.told(target)
        return scaled_wavelength_steps(rule.scaling, layer.rotary_dim, layer.base, length, pair)

    def frequency(method: int, pair: int) -> tuple[Step, ...]:
        return (wavelength(method, pair)[-2],)

    def divisor(method: int, pair: int) -> tuple[Step, ...]:
        scaled, values = s.methods[method].reading.inv_freq, list(divisors.values())
        ends = plain[pair].item(), scaled[pair].item()
        return (slowed_step(pair, *ends, values[method][pair].item()),)

    return StudioPicture(
        charts=[
            Chart("wavelengths", figure, f"{alt}wavelength", wavelength),
            Chart("divisors", slow, f"{alt}divisor", divisor, 360),
            Chart("frequencies", fast, f"{alt}frequency", frequency, 360),
        ],
        points=s.points("pair", (0, s.pairs[-1]), len(s.pairs) // 2),
        frames={
            "wavelengths": table("pair", s.pairs, waves),
            "divisors": table("pair", s.pairs, divisors),
            "frequencies": table("pair", s.pairs, frequencies),
        },
        names="rope_wavelengths",
        body=(
            "values = torch.stack([rope_wavelengths(reading.inv_freq) for reading in readings])\n"
            "values[values.isinf()] = torch.nan  # pairs that never turn\n"
        ),
    )


def angles(s: Studio) -> StudioPicture:
    """Angles that the target length reaches and training never showed; turns of each pair."""
    shown, target = s.task.shown, s.task.target
    unseen = {m.name: 100 * (m.coverage.unseen / CIRCLE) for m in s.methods}
    turns = {m.name: finite(m.coverage.reached / CIRCLE) for m in s.methods}
    turns[SEEN] = finite(s.methods[0].coverage.seen / CIRCLE)
    past = {m.name: finite(m.coverage.excess.where(m.coverage.is_new, 1.0)) for m in s.methods}
    title = f"Part of the circle that {target:,} tokens reach and training never showed"
    top = max(5.0, *(1.05 * float(curve.max()) for curve in unseen.values()))
    unit = "per cent of a turn"
    first = per_pair(s, unseen, title, unit, log_y=False, y_range=(-0.02 * top, top))
    one = Mark("y", 1, "one turn", left=True)
    title = f"Turns of each pair within {target:,} tokens, and within the {shown:,} of training"
    second = per_pair(s, turns, title, "turns", [one])
    title = "How far past training, where a pair meets unseen angles"
    third = per_pair(s, past, title, "times the furthest trained angle")
    alt = "Curves over the pairs, one for each method: "
    methods = len(s.methods)

    def coverage(method: int, pair: int) -> CoverageSteps:
        m, trained = s.methods[method], s.task.trained_reading(shown).inv_freq
        lengths = shown, m.reading.told(target)
        return CoverageSteps(m.coverage, trained, m.reading.inv_freq, lengths, pair)

    def unseen_steps(method: int, pair: int) -> tuple[Step, ...]:
        return coverage(method, pair).unseen_percent() if method < methods else ()

    def turns_steps(method: int, pair: int) -> tuple[Step, ...]:
        if method < methods:
            return coverage(method, pair).reached_turns()[-1:]
        return coverage(0, pair).seen_turns()

    def past_steps(method: int, pair: int) -> tuple[Step, ...]:
        return coverage(method, pair).past()[-1:] if method < methods else ()

    return StudioPicture(
        charts=[
            Chart("unseen", first, f"{alt}unseen part of the circle", unseen_steps),
            Chart("turns", second, f"{alt}turns made, and those of training", turns_steps),
            Chart("past", third, f"{alt}how far past the trained angle", past_steps, 360),
        ],
        points=s.points("pair", (0, s.pairs[-1]), len(s.pairs) * 3 // 4, [SEEN]),
        frames={
            "unseen": table("pair", s.pairs, unseen),
            "turns": table("pair", s.pairs, turns),
            "past": table("pair", s.pairs, past),
        },
        names="",
        body=(
            f"lengths = {shown}, {target}\n"
            "unseen = [r.coverage(trained.inv_freq, *lengths).unseen for r in readings]\n"
            "values = 100 * (torch.stack(unseen) / (2 * torch.pi))\n"
        ),
        with_trained=True,
    )
