"""The pictures of the Scaling screen."""

import math
from collections.abc import Callable
from functools import partial

from torch import Tensor

from pages.scaling.settings import ScoreSettings, Settings
from pages.scaling.summary import summary
from plots.lines import Mark
from plots.style import shade_outside_training
from posenc import Step, rope_wavelengths
from posenc.quantity.sampling import log_positions
from posenc.reading.outcome import Outcome
from posenc.reading.outcome_steps import coverage_steps, divisor_step, wavelength_steps
from posenc.rope.picture import RoPEScore
from posenc.rope.score import rope_score_at_distance
from posenc.words import say
from ui import screen
from ui.charts.methods import finite, over_distance, over_pairs, shade_beyond
from ui.charts.points import CurvePoint
from ui.words import _

POINTS = 2048
CIRCLE = 2 * math.pi


def of_each(s: Settings, make: Callable[[Outcome], Tensor]) -> dict[str, Tensor]:
    """A curve for each method, by its id."""
    return {one.method.id: make(one) for one in s.outcomes}


def wavelengths(s: Settings) -> screen.Picture:
    """Wavelength of each pair, its frequency, and how much it is slowed."""
    turns = of_each(s, lambda one: finite(rope_wavelengths(one.reading.inv_freq)))
    first = over_pairs(
        turns,
        title=_("Wavelength of each pair (analytic)"),
        y_title=_("positions for a full turn λᵢ"),
        marks=[Mark("y", s.target, _("target length {length:,}", length=s.target), left=True)],
        finish=lambda drawn: shade_beyond(drawn, s.train_length, s.target, turns),
        key="wavelengths",
        alt=_("Curves of the wavelength per pair, one for each method"),
        steps=lambda method, pair: wavelength_steps(s.outcomes[method], pair),
        point=(len(turns) - 1, (s.last_pair + 1) // 2),
        shared=["frequencies", "slowed"],
        table=say("wavelengths"),
        **s.programs,
    )
    return summary(s, first, partial(frequencies, s))


def frequencies(s: Settings, point: CurvePoint) -> screen.RowFigure:
    """Frequency of each pair, and how much it is slowed."""
    left = over_pairs(
        of_each(s, lambda one: one.reading.inv_freq),
        title=_("Frequency of each pair (analytic)"),
        y_title=_("θᵢ (radians per position)"),
        key="frequencies",
        alt=_("Curves of the frequency per pair"),
        steps=lambda method, pair: wavelength_steps(s.outcomes[method], pair)[-2:-1],
        point=point,
        table=say("frequencies"),
        height=360,
        **s.programs,
    )
    right = over_pairs(
        of_each(s, lambda one: finite(one.slowed)),
        title=_("How much each pair is slowed (analytic)"),
        y_title=_("plain θᵢ / scaled θᵢ"),
        key="slowed",
        alt=_("Curves of plain over scaled frequency"),
        steps=lambda method, pair: (divisor_step(s.outcomes[method], pair),),
        point=point,
        table=say("slowed"),
        height=360,
        **s.programs,
    )
    return screen.RowFigure(figures=[left, right])


def angles(s: Settings) -> screen.Picture:
    """Angles that the target length reaches and training never showed."""
    unseen = of_each(s, lambda one: 100 * (one.coverage.unseen / CIRCLE))

    def steps(method: int, pair: int) -> tuple[Step, ...]:
        if method == len(s.outcomes):  # seen in training, which the other figure draws
            return ()
        return coverage_steps(s.outcomes[method], pair).unseen_percent()

    first = over_pairs(
        unseen,
        title=_(
            "Part of the circle that {target:,} tokens reach and training never showed (analytic)",
            target=s.target,
        ),
        y_title=_("per cent of a turn"),
        log_y=False,
        key="unseen",
        alt=_("Curves of the unseen part of the circle per pair, one for each method"),
        steps=steps,
        point=(len(unseen) - 1, (s.last_pair + 1) * 3 // 4),
        shared=["reached"],
        elsewhere=[_("seen in training")],
        table=say("unseen"),
        **s.programs,
    )
    return summary(s, first, partial(reached, s))


def reached(s: Settings, point: CurvePoint) -> screen.LinesFigure:
    """How far each pair turns, and how far in training."""
    turns = of_each(s, lambda one: one.coverage.reached / CIRCLE)
    turns[_("seen in training")] = s.outcomes[0].coverage.seen / CIRCLE

    def steps(method: int, pair: int) -> tuple[Step, ...]:
        if method == len(s.outcomes):
            return coverage_steps(s.outcomes[0], pair).seen_turns()
        return coverage_steps(s.outcomes[method], pair).reached_turns()

    return over_pairs(
        turns,
        title=_(
            "How far each pair turns within {target:,} tokens, and within training (analytic)",
            target=s.target,
        ),
        y_title=_("turns"),
        marks=[Mark("y", 1, _("one turn: every angle was seen"), left=True)],
        key="reached",
        alt=_(
            "Curves of the furthest angle per pair, one for each method, and what training showed"
        ),
        steps=steps,
        point=point,
        table=say("turns"),
        **s.programs,
    )


def score(s: ScoreSettings) -> screen.Picture:
    """Score of one query and one key against their distance."""
    width = s.layer.rotary_dim
    query, key = s.make_vectors(width)
    distances = log_positions(s.target, POINTS)
    readings = [one.reading for one in s.outcomes]
    scores = of_each(
        s,
        lambda one: rope_score_at_distance(
            query,
            key,
            one.reading.inv_freq,
            distances,
            attention_factor=one.reading.attention_factor,
        ),
    )
    followed = [
        RoPEScore(query, key, r.inv_freq, s.target + 1, attention_factor=r.attention_factor)
        for r in readings
    ]
    figure = over_distance(
        distances,
        scores,
        key="score",
        alt=_("Curves of the score against the distance, for each method"),
        title=_("Score of one query and key against their distance (analytic)"),
        y_title=_("(Rₘq)·(Rₙk), rotated channels"),
        finish=lambda drawn: shade_outside_training(drawn, s.train_length, s.target),
        steps=lambda method, distance: followed[method].steps(distance, 0),
        point=(0, int(distances[(distances - s.train_length).abs().argmin()])),
        table=say("score"),
        settings=s.program | {"points": POINTS, "vectors": s.vectors_program(width)},
        parts=s.parts,
        caption=_(
            "Evaluated at {count:,} distances, evenly spread on the logarithmic axis.",
            count=len(distances),
        ),
    )
    return summary(s, figure)
