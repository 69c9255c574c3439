"""The studio's pictures over distance: resolution, scores, what short prompts pay, the ledger."""

import math
from dataclasses import replace

import pandas as pd
import plotly.graph_objects as go
import torch
from torch import Tensor

from plots.lines import Mark, bars, lines
from plots.style import shade_outside_training
from posenc import (
    Step,
    decay_bound,
    log_positions,
    logit_change,
    logit_draws,
    mean_cosine,
    neighbour_change,
)
from posenc.reading_steps import (
    decay_bound_steps,
    gain_steps,
    logit_change_steps,
    mean_cosine_steps,
    mean_logit_steps,
    neighbour_change_steps,
    rms_change_steps,
)
from ui.scaling_methods import Curves, table
from ui.studio import DRAWS, POINTS, STYLES, Chart, Drawn, Points, Studio, curve
from ui.studio_methods import cost, cost_distances
from ui.studio_task import SHORTEST, reading_of

PEAK = 48  # distances around a token where resolution shows
LENGTHS = 40
IN_TRAINING = "in training"
UNRELATED = math.sqrt(2)
DEVIATIONS = "standard deviations of a logit"


def over_distance(distances: Tensor, curves: Curves, title: str, y_title: str) -> go.Figure:
    """Curves over a logarithmic axis of distances."""
    return lines(
        distances.numpy(),
        [curve(name, y, marker="") for name, y in curves.items()],
        title=title,
        x_title="distance m − n (tokens)",
        y_title=y_title,
        log_x=True,
    )


def near_the_end_of_training(s: Studio, distances: Tensor) -> int:
    """The drawn distance that is nearest to the trained length."""
    return int(distances[(distances - s.task.shown).abs().argmin()])


def resolution(s: Studio) -> Drawn:
    """How well neighbouring positions are told apart."""
    target = s.task.target
    near = torch.arange(min(target, PEAK + 1))
    peak = s.each(lambda r: mean_cosine(r, near, target))
    trained, shown = s.task.trained_reading(s.task.shown), s.task.shown
    peak[IN_TRAINING] = mean_cosine(trained, near, shown)
    figure = lines(
        near.numpy(),
        [curve(name, y, marker="") for name, y in peak.items()],
        title="How alike a token is to those just before it (analytic)",
        x_title="distance m − n (tokens)",
        y_title="mean over the pairs of cos δθᵢ",
    )
    distances = log_positions(target - 1, POINTS)
    steps = s.each(lambda r: neighbour_change(r, distances, target, width=s.task.width))
    title = "How far a logit moves from one distance to the next (analytic)"
    second = over_distance(distances, steps, title, DEVIATIONS)
    shade_outside_training(second, s.task.shown, target)
    methods, width = s.methods, s.task.width

    def peak_steps(method: int, distance: int) -> tuple[Step, ...]:
        if distance >= len(near):
            return ()
        reading, length = trained, shown
        if method < len(methods):
            reading, length = methods[method].reading, target
        return mean_cosine_steps(reading, distance, length)

    def change_steps(method: int, distance: int) -> tuple[Step, ...]:
        if method == len(methods) or not 1 <= distance <= int(distances[-1]):
            return ()
        return neighbour_change_steps(methods[method].reading, distance, target, width=width)

    alt = "Curves of the change of a logit from neighbour to neighbour"
    return Drawn(
        charts=[
            Chart("peak", figure, "Curves of the mean cosine at small distances", peak_steps),
            Chart("steps", second, alt, change_steps),
        ],
        points=s.points("distance", (0, target - 1), min(6, len(near) - 2), [IN_TRAINING]),
        frames={
            "peak": table("distance", near.tolist(), peak),
            "steps": table("distance", distances.tolist(), steps),
        },
        names="mean_cosine",
        body=(
            f"near = torch.arange({len(near)})\n"
            f"values = [mean_cosine(reading, near, {target}) for reading in readings]\n"
            f"values = torch.stack([*values, mean_cosine(trained, near, {s.task.shown})])\n"
        ),
        caption="A wider peak tells neighbours apart less well.",
        with_trained=True,
    )


def scores(s: Studio) -> Drawn:
    """Logits against distance up to the target length, and the paper's bound."""
    task, target = s.task, s.task.target
    distances = log_positions(target, POINTS)
    query, key = s.vectors.make(task.layer.rotary_dim)
    layout, width = task.layer.layout, task.width
    drawn = s.each(
        lambda r: logit_draws(r, query, key, distances, target, width=width, layout=layout)
    )
    mean = {name: logits.mean(dim=0) for name, logits in drawn.items()}
    series = []
    for name, logits in drawn.items():
        one = curve(name, mean[name], marker="")
        if len(logits) > 1:
            spread = logits.std(dim=0)
            low, high = (mean[name] - spread).numpy(), (mean[name] + spread).numpy()
            one = replace(one, low=low, high=high)
        series.append(one)
    figure = lines(
        distances.numpy(),
        series,
        title=f"Logit of a key against its distance from token {target - 1:,} (analytic)",
        x_title="distance m − n (tokens)",
        y_title="A²m (Rₘq)·(Rₙk) / √d, rotated channels",
        log_x=True,
    )
    shade_outside_training(figure, task.shown, target)
    bounds = s.each(lambda r: decay_bound(r, distances, target))
    title = "Bound of the RoPE paper, mean |Sⱼ|: an upper bound's factor and not a score"
    second = over_distance(distances, bounds, title, "mean |Sⱼ| over the pairs")
    shade_outside_training(second, task.shown, target)
    many = f"mean of {DRAWS} draws, with a band of one standard deviation"
    kinds = {"alike": f"k = q, {many}.", "independent": f"q and k independent, {many}."}

    def score_steps(method: int, distance: int) -> tuple[Step, ...]:
        m = s.methods[method]
        at = torch.tensor([distance])
        logits = logit_draws(m.reading, query, key, at, target, width=width, layout=layout)[:, 0]
        value = logits.mean(dim=0)
        # A product of matrices has other last bits for one distance than for all of a curve.
        if (drawn_at := (distances == distance).nonzero()).numel():
            logits, value = drawn[m.name][:, drawn_at[0, 0]], mean[m.name][drawn_at[0, 0]]
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
        return decay_bound_steps(s.methods[method].reading, distance, target)

    alt = "Curves of the logit against the distance, for each method"
    return Drawn(
        charts=[
            Chart("scores", figure, alt, score_steps),
            Chart(
                "bounds",
                second,
                "Curves of the paper's bound against the distance",
                bound_steps,
                360,
            ),
        ],
        points=s.points("distance", (1, target - 1), near_the_end_of_training(s, distances)),
        frames={
            "logits": table("distance", distances.tolist(), mean),
            "bound": table("distance", distances.tolist(), bounds),
        },
        names="log_positions, logit_draws",
        body=(
            f"{s.vectors.code(task.layer.rotary_dim)}"
            f"distances = log_positions({target}, {POINTS})\n"
            "values = torch.stack([\n"
            f"    logit_draws(reading, query, key, distances, {target}, width={width}, "
            "layout=layer.layout).mean(dim=0)\n"
            "    for reading in readings\n"
            "])\n"
        ),
        caption=kinds.get(s.vectors.kind, "The typed query and key."),
    )


def short_prompts(s: Studio) -> Drawn:
    """How far each method moves the logits of a prompt that needs no method."""
    task, prompt, width = s.task, s.task.prompt, s.task.width
    distances = log_positions(prompt, POINTS)
    trained = task.trained_reading(prompt)
    moved = {
        m.name: logit_change(
            trained, reading_of(m.rule, task, prompt), distances, prompt, width=width
        )
        for m in s.methods
    }
    title = f"How far the logits of a prompt of {prompt:,} tokens move (analytic)"
    figure = over_distance(distances, moved, title, DEVIATIONS)
    lengths = [n for n in log_positions(task.target + 1, LENGTHS).tolist() if n >= SHORTEST]
    by_length = {
        m.name: torch.tensor([cost(m.rule, task, n) for n in lengths], dtype=torch.float64)
        for m in s.methods
    }
    second = lines(
        lengths,
        [curve(name, y) for name, y in by_length.items()],
        title="The same over all distances of a text, by the length of the text (analytic)",
        x_title="tokens in the text",
        y_title=f"{DEVIATIONS} (RMS)",
        log_x=True,
        y_range=(-0.05, max(1.9, *(1.05 * float(y.max()) for y in by_length.values()))),
        marks=[Mark("y", UNRELATED, "two unrelated logits")],
    )
    shade_outside_training(second, task.shown, task.target)

    def moved_steps(method: int, distance: int) -> tuple[Step, ...]:
        after = reading_of(s.methods[method].rule, task, prompt)
        return logit_change_steps(trained, after, distance, prompt, width=width)

    def length_steps(method: int, length: int) -> tuple[Step, ...]:
        after = reading_of(s.methods[method].rule, task, length)
        before, over = task.trained_reading(length), cost_distances(length)
        return rms_change_steps(before, after, over, length, width=width)

    return Drawn(
        charts=[
            Chart(
                "moved", figure, "Curves of the change of a logit against the distance", moved_steps
            ),
            Chart(
                "by_length",
                second,
                "Curves of the change of the logits against the length",
                length_steps,
                points=s.points(
                    "length",
                    (SHORTEST, task.target),
                    near_the_end_of_training(s, torch.tensor(lengths)),
                ),
            ),
        ],
        points=s.points("distance", (1, prompt - 1), int(distances[len(distances) // 2])),
        frames={
            "distance": table("distance", distances.tolist(), moved),
            "length": table("length", lengths, by_length),
        },
        names="log_positions, logit_change",
        body=(
            f"distances = log_positions({prompt}, {POINTS})\n"
            "values = torch.stack([\n"
            f"    logit_change(trained, reading, distances, {prompt}, width={width})\n"
            "    for reading in readings\n"
            "])\n"
        ),
        caption=(
            "Root mean square over independent standard normal q and k, against what training "
            "has shown. Two unrelated logits differ by 1.41."
        ),
        with_trained=True,
        length=prompt,
    )


def ledger(s: Studio) -> Drawn:
    """Every factor on the logits, and where it enters."""
    gains = torch.tensor([m.reading.gain for m in s.methods], dtype=torch.float64)
    names = [m.name for m in s.methods]
    figure = bars(
        gains.numpy(),
        title="What multiplies the logits of the rotated channels, A²·m (analytic)",
        x_title="method",
        y_title="factor on the logits",
        labels=names,
        color=[STYLES[name][0] for name in names],
        marks=[Mark("y", 1, "as trained without scaling")],
    )
    rows = [
        {
            "A, on cos and sin": m.reading.attention_factor,
            "A², on rotated logits": m.reading.attention_factor**2,
            "m, on all logits": m.reading.softmax_multiplier,
            "A²·m": m.reading.gain,
        }
        for m in s.methods
    ]
    factors = pd.DataFrame(rows, pd.Index(names, name="method"))

    def factor_steps(_: int, method: int) -> tuple[Step, ...]:
        m = s.methods[method]
        return gain_steps(m.reading, m.rule.scaling)

    return Drawn(
        charts=[
            Chart(
                "ledger",
                figure,
                "Bars of the factor on the logits, one per method",
                factor_steps,
                360,
            )
        ],
        points=Points(["factor"], (0, len(names) - 1), "method", (0, len(names) - 1), names),
        frames={"ledger": factors},
        names="",
        body="values = torch.tensor([reading.gain for reading in readings], dtype=torch.float64)\n",
        caption=(
            "A enters twice, through the query and through the key. m multiplies the softmax "
            "scale; DeepSeek's attention has it, and engines that drop it attend less sharply."
        ),
    )
