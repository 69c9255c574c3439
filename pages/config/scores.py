"""The studio's pictures over distance: resolution and scores."""

from dataclasses import replace
from functools import partial

import torch
from torch import Tensor

from pages.config.comparison import DRAWS, POINTS, Studio, program
from pages.config.summary import summary
from plots.lines import Series
from plots.style import shade_outside_training
from posenc.quantity.sampling import log_positions
from posenc.quantity.step import Step
from posenc.reading.formula import decay_bound, logit_draws, mean_cosine, neighbour_change
from posenc.reading.steps import (
    decay_bound_steps,
    mean_cosine_steps,
    mean_logit_steps,
    neighbour_change_steps,
)
from posenc.words import say
from ui import screen
from ui.charts.methods import curve, over_distance
from ui.charts.points import CurvePoint
from ui.words import _, translate

PEAK = 48  # distances around a token where resolution shows
CAPTIONS = {
    "alike": say(
        "k = q, mean of {draws} draws, with a band of one standard deviation.", draws=DRAWS
    ),
    "independent": say(
        "q and k independent, mean of {draws} draws, with a band of one standard deviation.",
        draws=DRAWS,
    ),
    "typed": say("The typed query and key."),
}


def near_the_end_of_training(s: Studio, distances: Tensor) -> int:
    """The drawn distance that is nearest to the trained length."""
    return int(distances[(distances - s.task.shown).abs().argmin()])


def resolution(s: Studio) -> screen.Picture:
    """How well neighbouring positions are told apart."""
    target = s.task.target
    shown = s.task.shown
    near = torch.arange(min(target, PEAK + 1))
    trained = s.task.trained_reading(shown)
    peak = s.each(lambda r: mean_cosine(r, near, target))
    peak[_("in training")] = mean_cosine(trained, near, shown)

    def steps(method: int, distance: int) -> tuple[Step, ...]:
        if distance >= len(near):
            return ()
        if method > s.last:
            return mean_cosine_steps(trained, distance, shown)
        return mean_cosine_steps(s.outcomes[method].reading, distance, target)

    first = over_distance(
        near,
        peak,
        title=_("How alike a token is to those just before it (analytic)"),
        y_title=_("mean over the pairs of cos δθᵢ"),
        log_x=False,
        key="peak",
        alt=_("Curves of the mean cosine at small distances"),
        steps=steps,
        point=(s.last, min(6, len(near) - 2)),
        ends=(0, target - 1),
        shared=["steps"],
        table=say("peak"),
        caption=_("A wider peak tells neighbours apart less well."),
    )
    body = (
        f"near = torch.arange({len(near)})\n"
        f"values = [mean_cosine(reading, near, {target}) for reading in readings]\n"
        f"values = torch.stack([*values, mean_cosine(trained, near, {shown})])\n"
    )
    return summary(s, program(s, body, with_trained=True), first, partial(changes, s))


def changes(s: Studio, point: CurvePoint) -> screen.LinesFigure:
    """Change of a logit from one distance to the next."""
    target = s.task.target
    width = s.task.width
    distances = log_positions(target - 1, POINTS)

    def steps(method: int, distance: int) -> tuple[Step, ...]:
        if method > s.last or not 1 <= distance <= int(distances[-1]):
            return ()
        return neighbour_change_steps(s.outcomes[method].reading, distance, target, width=width)

    return over_distance(
        distances,
        s.each(lambda r: neighbour_change(r, distances, target, width=width)),
        title=_("How far a logit moves from one distance to the next (analytic)"),
        y_title=_("standard deviations of a logit"),
        finish=lambda drawn: shade_outside_training(drawn, s.task.shown, target),
        key="steps",
        alt=_("Curves of the change of a logit from neighbour to neighbour"),
        steps=steps,
        point=point,
        table=say("steps"),
    )


def scores(s: Studio) -> screen.Picture:
    """Logits against distance up to the target length, and the paper's bound."""
    task = s.task
    target = task.target
    width = task.width
    layout = task.layer.pairing
    distances = log_positions(target, POINTS)
    query, key = s.vectors.make(task.layer.rotary_dim)
    drawn = s.each(
        lambda r: logit_draws(r, query, key, distances, target, width=width, layout=layout)
    )
    mean = {name: logits.mean(dim=0) for name, logits in drawn.items()}

    def steps(method: int, distance: int) -> tuple[Step, ...]:
        m = s.outcomes[method]
        at = torch.tensor([distance])
        logits = logit_draws(m.reading, query, key, at, target, width=width, layout=layout)[:, 0]
        value = logits.mean(dim=0)
        # A product of matrices has other last bits for one distance than for all of a curve.
        if (drawn_at := (distances == distance).nonzero()).numel():
            logits = drawn[m.method.id][:, drawn_at[0, 0]]
            value = mean[m.method.id][drawn_at[0, 0]]
        return mean_logit_steps(
            m.reading,
            query,
            key,
            distance,
            target,
            width=width,
            layout=layout,
            logits=logits,
            value=value.item(),
        )

    first = over_distance(
        distances,
        mean,
        series=[band(name, logits) for name, logits in drawn.items()],
        title=_(
            "Logit of a key against its distance from token {last:,} (analytic)", last=target - 1
        ),
        y_title=_("A²m (Rₘq)·(Rₙk) / √d, rotated channels"),
        finish=lambda drawn: shade_outside_training(drawn, task.shown, target),
        key="scores",
        alt=_("Curves of the logit against the distance, for each method"),
        steps=steps,
        point=(s.last, near_the_end_of_training(s, distances)),
        shared=["bounds"],
        table=say("logits"),
        caption=translate(CAPTIONS[s.vectors.kind]),
    )
    body = (
        f"{s.vectors.code(task.layer.rotary_dim)}"
        f"distances = log_positions({target}, {POINTS})\n"
        "values = torch.stack([\n"
        f"    logit_draws(reading, query, key, distances, {target}, width={width}, "
        "layout=layer.pairing).mean(dim=0)\n"
        "    for reading in readings\n"
        "])\n"
    )
    return summary(s, program(s, body), first, partial(bounds, s))


def band(name: str, logits: Tensor) -> Series:
    """A method's mean over the draws, and one standard deviation around it where there are many."""
    mean = logits.mean(dim=0)
    series = curve(name, mean, marker="")
    if len(logits) == 1:
        return series
    spread = logits.std(dim=0)
    return replace(series, low=(mean - spread).numpy(), high=(mean + spread).numpy())


def bounds(s: Studio, point: CurvePoint) -> screen.LinesFigure:
    """The bound of the RoPE paper."""
    target = s.task.target
    distances = log_positions(target, POINTS)
    return over_distance(
        distances,
        s.each(lambda r: decay_bound(r, distances, target)),
        title=_(
            "Bound of the RoPE paper, mean |Sⱼ| (analytic): an upper bound's factor and not a score"
        ),
        y_title=_("mean |Sⱼ| over the pairs"),
        finish=lambda drawn: shade_outside_training(drawn, s.task.shown, target),
        key="bounds",
        alt=_("Curves of the paper's bound against the distance"),
        steps=lambda method, distance: decay_bound_steps(
            s.outcomes[method].reading, distance, target
        ),
        point=point,
        table=say("bound"),
        height=360,
    )
