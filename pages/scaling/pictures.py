"""The pictures of the Scaling screen."""

from collections.abc import Sequence

from pages.scaling.settings import ScoreSettings, Settings, TwoFactors
from pages.scaling.summary import summary
from plots.lines import with_means
from plots.style import shade_outside_training
from posenc.quantity.sampling import log_positions
from posenc.rope.picture import RoPEScore
from posenc.rope.score import rope_score_at_distance
from posenc.words import say
from ui import screen
from ui.charts.methods import over_distance
from ui.words import _

POINTS = 2048
NEAR = 1.25
"""Distances whose ratio is less count as near."""


def pairs(s: TwoFactors) -> screen.Picture:
    """How much each pair is slowed, its wavelength and its frequency, at one factor or two."""
    return summary(
        s,
        s.pairs.slowed(
            "slowed",
            say("slowed"),
            shared=["wavelengths", "frequencies"],
            caption=ramp(s.methods),
        ),
        lambda point: screen.RowFigure(
            figures=[
                s.pairs.wavelengths(point=point, height=360),
                s.pairs.frequencies(point),
            ]
        ),
    )


def ramp(methods: Sequence[str]) -> str:
    """The signs of YaRN's calculation, in words, where YaRN is drawn."""
    if not {"yarn", "yarn_no_temperature"} & set(methods):
        return ""
    return _(
        "YaRN, in the calculation above: i(β) is the pair that makes β full turns within the "
        "trained length. β is 32 for fast and 1 for slow: pairs up to i(32) stay as they are "
        "(γ = 1), pairs from i(1) on are slowed by k (γ = 0), and between them γ falls evenly."
    )


def angles(s: Settings) -> screen.Picture:
    """Angles that the target length reaches and training never showed."""
    return summary(s, s.pairs.unseen(["reached"]), lambda point: s.pairs.turns(point, "reached"))


def score(s: ScoreSettings) -> screen.Picture:
    """Score of one query and one key against their distance."""
    width = s.layer.rotary_dim
    query, key = s.make_vectors(width)
    distances = log_positions(s.target, POINTS)
    readings = [one.reading for one in s.outcomes]
    scores = {
        one.method.id: rope_score_at_distance(
            query,
            key,
            one.reading.inv_freq,
            distances,
            attention_factor=one.reading.attention_factor,
        )
        for one in s.outcomes
    }
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
        finish=lambda drawn: shade_outside_training(
            with_means(drawn, NEAR), s.train_length, s.target
        ),
        steps=lambda method, distance: followed[method].steps(distance, 0),
        point=(0, int(distances[(distances - s.train_length).abs().argmin()])),
        table=say("score"),
        settings=s.program | {"points": POINTS, "vectors": s.vectors_program(width)},
        parts=s.parts,
        caption=_(
            "Faint: the score at {count:,} distances, evenly spread on the logarithmic axis. "
            "Bold: its mean over distances from {low:.0%} to {high:.0%} of each.",
            count=len(distances),
            low=1 / NEAR,
            high=NEAR,
        ),
    )
    return summary(s, figure)
