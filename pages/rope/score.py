"""The score of a query and a key against their distance, and the paper's bound."""

from dataclasses import dataclass
from functools import partial

import numpy as np
from torch import Tensor

from pages.rope import settings
from plots.lines import Series
from plots.style import MAX_POINTS
from posenc.quantity.sampling import even_positions
from posenc.reading.formula import Reading
from posenc.reading.steps import decay_bound_steps
from posenc.rope.pairs import Layout
from posenc.rope.picture import RoPEScore
from posenc.rope.score import rope_decay_bound, rope_score_at_distance
from posenc.words import say
from ui import screen
from ui.charts.points import CurvePoint
from ui.controls import choice, entry
from ui.words import _, number


@dataclass(frozen=True, kw_only=True)
class Settings(settings.Vectors):
    layout: Layout = entry(choice, say("Layout"), settings.LAYOUTS, help=settings.CHANNELS)


def picture(s: Settings) -> screen.Picture:
    """The score, its bound, and the scores of all positions."""
    distances = even_positions(s.length, MAX_POINTS)
    scores = RoPEScore(*s.query_and_key, s.inv_freq, s.length, s.layout)
    score = rope_score_at_distance(*s.query_and_key, s.inv_freq, distances, s.layout).numpy()
    later = 1 + int(score[1:].argmax())
    matrix = screen.MatrixFigure(
        key="scores",
        quantity=scores,
        title=_("The same score for every query and key position"),
        alt=_("Heatmap of the score: constant along every diagonal"),
        cell=(min(8, s.length - 1), min(2, s.length - 1)),
        table=say("scores"),
        settings={**s.score_program, "layout": s.layout},
    )
    return screen.Picture(
        figures=[curve(s, scores, distances, score), partial(bound, s, distances), matrix],
        readouts={
            _("score at distance 0"): number(score[0], ".4f"),
            _("largest later score"): number(score[later], ".4f"),
            _("at distance"): number(int(distances[later])),
        },
    )


def curve(
    s: Settings, scores: RoPEScore, distances: Tensor, score: np.ndarray
) -> screen.LinesFigure:
    """The score of this query and key."""
    return screen.LinesFigure(
        key="score",
        alt=_("Curve of the score against the distance"),
        x=distances,
        series=[Series(_("score"), score, marker="")],
        title=_("Score of this query and key"),
        x_title=_("distance m − n (tokens)"),
        y_title="(Rₘq)·(Rₙk)",
        steps=lambda _curve, distance: scores.steps(distance, 0),
        x_name=_("distance"),
        point=(0, min(6, s.length - 1)),
        table=say("distance"),
        settings={
            **s.score_program,
            "layout": s.layout,
            "length": s.length,
            "points": MAX_POINTS,
        },
        shared=["bound"],
        caption=_(
            "Evaluated at {count:,} distances, evenly spread. Not divided by √d.",
            count=len(distances),
        ),
    )


def bound(s: Settings, distances: Tensor, point: CurvePoint) -> screen.LinesFigure:
    """The paper's decay curve at the same distance."""
    return screen.LinesFigure(
        key="bound",
        alt=_("Curve of the mean of |S_j| against the distance"),
        x=distances,
        series=[Series(_("mean of |Sⱼ|"), rope_decay_bound(s.inv_freq, distances), marker="")],
        title=_("The paper's decay curve, a factor of a bound that the score need not follow"),
        x_title=_("distance m − n (tokens)"),
        y_title=_("mean of |Sⱼ|"),
        steps=lambda _curve, distance: decay_bound_steps(Reading(s.inv_freq), distance, s.length),
        point=point,
        x_name=_("distance"),
        table=say("bound"),
        settings={**s.program, "length": s.length, "points": MAX_POINTS},
        height=320,
    )
