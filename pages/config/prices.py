"""The studio's pictures of the price: what short prompts pay, and the factors on the logits."""

import math

import pandas as pd
import torch

from pages.config.comparison import POINTS, Chart, Points, Studio, StudioPicture
from pages.config.scores import deviations, near_the_end_of_training, over_distance
from plots.lines import Mark, bars, lines
from plots.looks import look
from plots.style import shade_outside_training
from posenc import Step
from posenc.quantity.sampling import log_positions
from posenc.reading.formula import logit_change
from posenc.reading.outcome import cost, cost_distances
from posenc.reading.steps import gain_steps, logit_change_steps, rms_change_steps
from posenc.reading.task import SHORTEST
from ui.charts.methods import curve, table, title
from ui.words import _, number

LENGTHS = 40
UNRELATED = math.sqrt(2)


def short_prompts(s: Studio) -> StudioPicture:
    """How far each method moves the logits of a prompt that needs no method."""
    task = s.task
    prompt = s.task.prompt
    width = s.task.width
    distances = log_positions(prompt, POINTS)
    trained = task.trained_reading(prompt)
    moved = {
        one.method.id: logit_change(
            trained, task.reading(one.rule, prompt), distances, prompt, width=width
        )
        for one in s.outcomes
    }
    words = _("How far the logits of a prompt of {length:,} tokens move (analytic)", length=prompt)
    figure = over_distance(distances, moved, words, deviations())
    lengths = [n for n in log_positions(task.target + 1, LENGTHS).tolist() if n >= SHORTEST]
    by_length = {
        one.method.id: torch.tensor([cost(one.rule, task, n) for n in lengths], dtype=torch.float64)
        for one in s.outcomes
    }
    second = lines(
        lengths,
        [curve(name, y) for name, y in by_length.items()],
        title=_("The same over all distances of a text, by the length of the text (analytic)"),
        x_title=_("tokens in the text"),
        y_title=_("standard deviations of a logit (RMS)"),
        log_x=True,
        y_range=(-0.05, max(1.9, *(1.05 * float(y.max()) for y in by_length.values()))),
        marks=[Mark("y", UNRELATED, _("two unrelated logits"), left=True)],
    )
    second = shade_outside_training(second, task.shown, task.target)

    def moved_steps(method: int, distance: int) -> tuple[Step, ...]:
        after = task.reading(s.outcomes[method].rule, prompt)
        return logit_change_steps(trained, after, distance, prompt, width=width)

    def length_steps(method: int, length: int) -> tuple[Step, ...]:
        after = task.reading(s.outcomes[method].rule, length)
        before = task.trained_reading(length)
        over = cost_distances(length)
        return rms_change_steps(before, after, over, length, width=width)

    last = near_the_end_of_training(s, torch.tensor(lengths))
    alts = (
        _("Curves of the change of a logit against the distance"),
        _("Curves of the change of the logits against the length"),
    )
    return StudioPicture(
        charts=[
            Chart("moved", figure, alts[0], moved_steps),
            Chart(
                "by_length",
                second,
                alts[1],
                length_steps,
                points=s.points(_("length"), (SHORTEST, task.target), last),
            ),
        ],
        points=s.points(_("distance"), (1, prompt - 1), int(distances[len(distances) // 2])),
        frames={
            _("distance"): table(_("distance"), distances.tolist(), moved),
            _("length"): table(_("length"), lengths, by_length),
        },
        body=(
            f"distances = log_positions({prompt}, {POINTS})\n"
            "values = torch.stack([\n"
            f"    logit_change(trained, reading, distances, {prompt}, width={width})\n"
            "    for reading in readings\n"
            "])\n"
        ),
        caption=_(
            "Root mean square over independent standard normal q and k, against what training "
            "has shown. Two unrelated logits differ by {root}.",
            root=number(UNRELATED, ".2f"),
        ),
        with_trained=True,
        length=prompt,
    )


def ledger(s: Studio) -> StudioPicture:
    """Every factor on the logits, and where it enters."""
    gains = torch.tensor([one.reading.gain for one in s.outcomes], dtype=torch.float64)
    names = [title(one.method.id) for one in s.outcomes]
    figure = bars(
        gains.numpy(),
        title=_("What multiplies the logits of the rotated channels, A²·m (analytic)"),
        x_title=_("method"),
        y_title=_("factor on the logits"),
        labels=names,
        color=[look(one.method.id).color for one in s.outcomes],
        marks=[Mark("y", 1, _("as trained without scaling"), left=True)],
    )
    rows = [
        {
            _("A, on cos and sin"): one.reading.attention_factor,
            _("A², on rotated logits"): one.reading.attention_factor**2,
            _("m, on all logits"): one.reading.softmax_multiplier,
            "A²·m": one.reading.gain,
        }
        for one in s.outcomes
    ]
    factors = pd.DataFrame(rows, pd.Index(names, name=_("method")))

    def factor_steps(_: int, method: int) -> tuple[Step, ...]:
        one = s.outcomes[method]
        return gain_steps(one.reading, one.rule.scaling)

    alt = _("Bars of the factor on the logits, one per method")
    last = len(names) - 1
    return StudioPicture(
        charts=[Chart("ledger", figure, alt, factor_steps, 360)],
        points=Points([_("factor")], (0, last), _("method"), (0, last), names),
        frames={_("ledger"): factors},
        body="values = torch.tensor([reading.gain for reading in readings], dtype=torch.float64)\n",
        caption=_(
            "A enters twice, through the query and through the key. m multiplies the softmax "
            "scale; DeepSeek's attention has it, and engines that drop it attend less sharply."
        ),
    )
