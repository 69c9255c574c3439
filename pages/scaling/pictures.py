"""The pictures of the Scaling screen."""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import streamlit as st
from torch import Tensor

from pages.scaling.summary import show_summary
from plots.lines import Mark, lines
from plots.style import shade_outside_training
from posenc import Step, rope_wavelengths
from posenc.quantity.sampling import log_positions
from posenc.reading.outcome import Outcome
from posenc.reading.outcome_steps import coverage_steps, divisor_step, wavelength_steps
from posenc.reading.task import Task
from posenc.rope.picture import RoPEScore
from posenc.rope.score import rope_score_at_distance
from ui import notebooks, screen
from ui.charts.curve import curve_chart, followed_chart
from ui.charts.methods import curve, finite, per_pair, shade_beyond, table, title
from ui.controls.rope import QueryKey
from ui.words import _

POINTS = 2048
CIRCLE = 2 * math.pi


@dataclass(frozen=True)
class Stretched:
    """What the controls say, worked out."""

    task: Task
    outcomes: Sequence[Outcome]
    refused: dict[str, str]
    """Why a method does not fit, by its id."""
    vectors: QueryKey

    @property
    def pairs(self) -> range:
        """Numbers of the pairs."""
        return range(self.task.layer.rotary_dim // 2)

    @property
    def names(self) -> list[str]:
        """What the methods are called."""
        return [title(one.method.id) for one in self.outcomes]

    def offer_notebooks(self, *keys: str, **more: Any) -> None:
        """What computes pictures of these methods."""
        layer = self.task.layer
        task = self.task
        methods = [one.method.id for one in self.outcomes]
        settings: dict[str, Any] = {"rotary_dim": layer.rotary_dim, "base": layer.base}
        settings |= {
            "k": task.factor,
            "trained": task.trained,
            "alpha": task.alpha,
            "methods": methods,
        } | more
        for key in keys:
            notebooks.computed(key, [f"methods/{name}" for name in methods], **settings)


def wavelengths(s: Stretched) -> screen.ScreenView:
    """Wavelength of each pair, its frequency, and how much it is slowed."""
    turns = {one.method.id: finite(rope_wavelengths(one.reading.inv_freq)) for one in s.outcomes}
    frequencies = {one.method.id: one.reading.inv_freq for one in s.outcomes}
    slowed = {one.method.id: finite(one.slowed) for one in s.outcomes}
    length = s.task.target
    mark = Mark("y", length, _("target length {length:,}", length=length), left=True)
    words = _("Wavelength of each pair (analytic)")
    figure = per_pair(turns, words, _("positions for a full turn λᵢ"), [mark])
    figure = shade_beyond(figure, s.task.trained, length, turns)
    s.offer_notebooks("wavelengths", "frequencies", "slowed")
    point = curve_chart(
        figure,
        lambda method, pair: wavelength_steps(s.outcomes[method], pair),
        key="wavelengths",
        alt=_("Curves of the wavelength per pair, one for each method"),
        names=s.names,
        places=(0, s.pairs[-1]),
        x_name=_("pair"),
        default=(len(turns) - 1, len(s.pairs) // 2),
        shared=["frequencies", "slowed"],
    )
    show_summary(s.task, s.outcomes, s.refused)
    chosen = s.outcomes[point.curve]
    left, right = st.columns(2, gap="large")
    with left:
        words = _("Frequency of each pair (analytic)")
        figure = per_pair(frequencies, words, _("θᵢ (radians per position)"))
        alt = _("Curves of the frequency per pair")
        steps = wavelength_steps(chosen, point.place)[-2:-1]
        followed_chart(figure, steps, point, key="frequencies", alt=alt, height=360)
    with right:
        words = _("How much each pair is slowed (analytic)")
        figure = per_pair(slowed, words, _("plain θᵢ / scaled θᵢ"))
        alt = _("Curves of plain over scaled frequency")
        steps = (divisor_step(chosen, point.place),)
        followed_chart(figure, steps, point, key="slowed", alt=alt, height=360)
    tables = {
        _("wavelengths"): turns,
        _("frequencies"): frequencies,
        _("slowed"): slowed,
    }
    return screen.ScreenView(
        lambda: {name: table(_("pair"), s.pairs, curves) for name, curves in tables.items()}
    )


def angles(s: Stretched) -> screen.ScreenView:
    """Angles that the target length reaches and training never showed."""
    seen = _("seen in training")
    unseen = {one.method.id: 100 * (one.coverage.unseen / CIRCLE) for one in s.outcomes}
    reached = {one.method.id: one.coverage.reached / CIRCLE for one in s.outcomes}
    reached[seen] = s.outcomes[0].coverage.seen / CIRCLE
    target = s.task.target
    words = _(
        "Part of the circle that {target:,} tokens reach and training never showed (analytic)",
        target=target,
    )
    figure = per_pair(unseen, words, _("per cent of a turn"), log_y=False)
    methods = len(s.outcomes)

    def unseen_steps(method: int, pair: int) -> tuple[Step, ...]:
        return coverage_steps(s.outcomes[method], pair).unseen_percent() if method < methods else ()

    s.offer_notebooks("unseen", "reached")
    point = curve_chart(
        figure,
        unseen_steps,
        key="unseen",
        alt=_("Curves of the unseen part of the circle per pair, one for each method"),
        names=[*s.names, seen],
        places=(0, s.pairs[-1]),
        x_name=_("pair"),
        default=(methods - 1, len(s.pairs) * 3 // 4),
        shared=["reached"],
    )
    show_summary(s.task, s.outcomes, s.refused)
    turn = Mark("y", 1, _("one turn: every angle was seen"), left=True)
    words = _(
        "How far each pair turns within {target:,} tokens, and within training (analytic)",
        target=target,
    )
    figure = per_pair(reached, words, _("turns"), [turn])
    alt = _("Curves of the furthest angle per pair, one for each method, and what training showed")
    if point.curve < methods:
        steps = coverage_steps(s.outcomes[point.curve], point.place).reached_turns()
    else:
        steps = coverage_steps(s.outcomes[0], point.place).seen_turns()
    followed_chart(figure, steps, point, key="reached", alt=alt)
    return screen.ScreenView(
        lambda: {
            _("unseen"): table(_("pair"), s.pairs, unseen),
            _("turns"): table(_("pair"), s.pairs, reached),
        }
    )


def score(s: Stretched) -> screen.ScreenView:
    """Score of one query and one key against their distance."""
    layer, target = s.task.layer, s.task.target
    query, key = s.vectors.make_vectors(layer.rotary_dim)
    distances = log_positions(target, POINTS)
    readings = {one.method.id: one.reading for one in s.outcomes}
    scores: dict[str, Tensor] = {
        name: rope_score_at_distance(
            query, key, r.inv_freq, distances, attention_factor=r.attention_factor
        )
        for name, r in readings.items()
    }
    figure = lines(
        distances.numpy(),
        [curve(name, y, marker="") for name, y in scores.items()],
        title=_("Score of one query and key against their distance (analytic)"),
        x_title=_("distance m − n (tokens)"),
        y_title=_("(Rₘq)·(Rₙk), rotated channels"),
        log_x=True,
    )
    figure = shade_outside_training(figure, s.task.trained, target)
    followed = [
        RoPEScore(query, key, r.inv_freq, target + 1, attention_factor=r.attention_factor)
        for r in readings.values()
    ]
    s.offer_notebooks("score", points=POINTS, vectors=s.vectors.vectors_program(layer.rotary_dim))
    curve_chart(
        figure,
        lambda method, distance: followed[method].steps(distance, 0),
        key="score",
        alt=_("Curves of the score against the distance, for each method"),
        names=s.names,
        places=(int(distances[0]), int(distances[-1])),
        x_name=_("distance"),
        default=(0, int(distances[(distances - s.task.trained).abs().argmin()])),
    )
    st.caption(
        _(
            "Evaluated at {count:,} distances, evenly spread on the logarithmic axis.",
            count=len(distances),
        )
    )
    show_summary(s.task, s.outcomes, s.refused)
    return screen.ScreenView(lambda: {_("score"): table(_("distance"), distances.tolist(), scores)})
