"""The studio's pictures over distance: resolution and scores."""

from dataclasses import replace

import torch
from torch import Tensor

from pages.config.comparison import DRAWS, POINTS, Chart, Studio, StudioPicture
from plots.figure import Figure
from plots.lines import lines
from plots.style import shade_outside_training
from posenc import Step
from posenc.quantity.sampling import log_positions
from posenc.reading.formula import decay_bound, logit_draws, mean_cosine, neighbour_change
from posenc.reading.steps import (
    decay_bound_steps,
    mean_cosine_steps,
    mean_logit_steps,
    neighbour_change_steps,
)
from ui.charts.methods import Curves, curve, table
from ui.words import _

PEAK = 48  # distances around a token where resolution shows


def deviations() -> str:
    """The unit of differences of logits."""
    return _("standard deviations of a logit")


def over_distance(distances: Tensor, curves: Curves, title: str, y_title: str) -> Figure:
    """Curves over a logarithmic axis of distances."""
    return lines(
        distances.numpy(),
        [curve(name, y, marker="") for name, y in curves.items()],
        title=title,
        x_title=_("distance m − n (tokens)"),
        y_title=y_title,
        log_x=True,
    )


def near_the_end_of_training(s: Studio, distances: Tensor) -> int:
    """The drawn distance that is nearest to the trained length."""
    return int(distances[(distances - s.task.shown).abs().argmin()])


def resolution(s: Studio) -> StudioPicture:
    """How well neighbouring positions are told apart."""
    target = s.task.target
    near = torch.arange(min(target, PEAK + 1))
    peak = s.each(lambda r: mean_cosine(r, near, target))
    trained = s.task.trained_reading(s.task.shown)
    shown = s.task.shown
    in_training = _("in training")
    peak[in_training] = mean_cosine(trained, near, shown)
    figure = lines(
        near.numpy(),
        [curve(name, y, marker="") for name, y in peak.items()],
        title=_("How alike a token is to those just before it (analytic)"),
        x_title=_("distance m − n (tokens)"),
        y_title=_("mean over the pairs of cos δθᵢ"),
    )
    distances = log_positions(target - 1, POINTS)
    steps = s.each(lambda r: neighbour_change(r, distances, target, width=s.task.width))
    title = _("How far a logit moves from one distance to the next (analytic)")
    second = over_distance(distances, steps, title, deviations())
    second = shade_outside_training(second, s.task.shown, target)
    methods = s.outcomes
    width = s.task.width

    def peak_steps(method: int, distance: int) -> tuple[Step, ...]:
        if distance >= len(near):
            return ()
        reading, length = trained, shown
        if method < len(methods):
            reading = methods[method].reading
            length = target
        return mean_cosine_steps(reading, distance, length)

    def change_steps(method: int, distance: int) -> tuple[Step, ...]:
        if method == len(methods) or not 1 <= distance <= int(distances[-1]):
            return ()
        return neighbour_change_steps(methods[method].reading, distance, target, width=width)

    alts = (
        _("Curves of the mean cosine at small distances"),
        _("Curves of the change of a logit from neighbour to neighbour"),
    )
    return StudioPicture(
        charts=[
            Chart("peak", figure, alts[0], peak_steps),
            Chart("steps", second, alts[1], change_steps),
        ],
        points=s.points(_("distance"), (0, target - 1), min(6, len(near) - 2), [in_training]),
        frames={
            _("peak"): table(_("distance"), near.tolist(), peak),
            _("steps"): table(_("distance"), distances.tolist(), steps),
        },
        body=(
            f"near = torch.arange({len(near)})\n"
            f"values = [mean_cosine(reading, near, {target}) for reading in readings]\n"
            f"values = torch.stack([*values, mean_cosine(trained, near, {s.task.shown})])\n"
        ),
        caption=_("A wider peak tells neighbours apart less well."),
        with_trained=True,
    )


def scores(s: Studio) -> StudioPicture:
    """Logits against distance up to the target length, and the paper's bound."""
    task = s.task
    target = s.task.target
    distances = log_positions(target, POINTS)
    query, key = s.vectors.make(task.layer.rotary_dim)
    layout = task.layer.pairing
    width = task.width
    drawn = s.each(
        lambda r: logit_draws(r, query, key, distances, target, width=width, layout=layout)
    )
    mean = {name: logits.mean(dim=0) for name, logits in drawn.items()}
    series = []
    for name, logits in drawn.items():
        one = curve(name, mean[name], marker="")
        if len(logits) > 1:
            spread = logits.std(dim=0)
            low = (mean[name] - spread).numpy()
            high = (mean[name] + spread).numpy()
            one = replace(one, low=low, high=high)
        series.append(one)
    figure = lines(
        distances.numpy(),
        series,
        title=_(
            "Logit of a key against its distance from token {last:,} (analytic)", last=target - 1
        ),
        x_title=_("distance m − n (tokens)"),
        y_title=_("A²m (Rₘq)·(Rₙk) / √d, rotated channels"),
        log_x=True,
    )
    figure = shade_outside_training(figure, task.shown, target)
    bounds = s.each(lambda r: decay_bound(r, distances, target))
    title = _("Bound of the RoPE paper, mean |Sⱼ|: an upper bound's factor and not a score")
    second = over_distance(distances, bounds, title, _("mean |Sⱼ| over the pairs"))
    second = shade_outside_training(second, task.shown, target)
    captions = {
        "alike": _(
            "k = q, mean of {draws} draws, with a band of one standard deviation.", draws=DRAWS
        ),
        "independent": _(
            "q and k independent, mean of {draws} draws, with a band of one standard deviation.",
            draws=DRAWS,
        ),
        "typed": _("The typed query and key."),
    }

    def score_steps(method: int, distance: int) -> tuple[Step, ...]:
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

    def bound_steps(method: int, distance: int) -> tuple[Step, ...]:
        return decay_bound_steps(s.outcomes[method].reading, distance, target)

    alts = (
        _("Curves of the logit against the distance, for each method"),
        _("Curves of the paper's bound against the distance"),
    )
    return StudioPicture(
        charts=[
            Chart("scores", figure, alts[0], score_steps),
            Chart(
                "bounds",
                second,
                alts[1],
                bound_steps,
                360,
            ),
        ],
        points=s.points(_("distance"), (1, target - 1), near_the_end_of_training(s, distances)),
        frames={
            _("logits"): table(_("distance"), distances.tolist(), mean),
            _("bound"): table(_("distance"), distances.tolist(), bounds),
        },
        body=(
            f"{s.vectors.code(task.layer.rotary_dim)}"
            f"distances = log_positions({target}, {POINTS})\n"
            "values = torch.stack([\n"
            f"    logit_draws(reading, query, key, distances, {target}, width={width}, "
            "layout=layer.pairing).mean(dim=0)\n"
            "    for reading in readings\n"
            "])\n"
        ),
        caption=captions[s.vectors.kind],
    )
