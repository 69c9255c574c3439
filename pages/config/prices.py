"""The studio's pictures of the price: what short prompts pay, and the factors on the logits."""

import math
from dataclasses import replace

import pandas as pd
import torch

from advisor.comparing.outcome import cost, cost_distances
from advisor.comparing.task import SHORTEST
from pages.config.comparison import POINTS, Studio, program
from pages.config.scores import near_the_end_of_training
from pages.config.summary import summary
from plots.lines import Mark
from plots.looks import look
from plots.style import shade_outside_training
from posenc.quantity.sampling import log_positions
from posenc.quantity.step import Step
from posenc.reading.formula import logit_change
from posenc.reading.steps import gain_steps, logit_change_steps, rms_change_steps
from posenc.words import say
from ui import screen
from ui.charts.methods import curve, over_distance, title
from ui.words import _, number

LENGTHS = 40
UNRELATED = math.sqrt(2)


def short_prompts(s: Studio) -> screen.Picture:
    """How far each method moves the logits of a prompt that needs no method."""
    task = s.task
    prompt = task.prompt
    width = task.width
    distances = log_positions(prompt, POINTS)
    trained = task.trained_reading(prompt)
    moved = {
        one.method.id: logit_change(
            trained, task.reading(one.rule, prompt), distances, prompt, width=width
        )
        for one in s.outcomes
    }

    def steps(method: int, distance: int) -> tuple[Step, ...]:
        after = task.reading(s.outcomes[method].rule, prompt)
        return logit_change_steps(trained, after, distance, prompt, width=width)

    first = over_distance(
        distances,
        moved,
        title=_(
            "How far the logits of a prompt of {length:,} tokens move (analytic)", length=prompt
        ),
        y_title=_("standard deviations of a logit"),
        key="moved",
        alt=_("Curves of the change of a logit against the distance"),
        steps=steps,
        point=(s.last, int(distances[len(distances) // 2])),
        table=say("distance"),
        caption=_(
            "Root mean square over independent standard normal q and k, against what training "
            "has shown. Two unrelated logits differ by {root}.",
            root=number(UNRELATED, ".2f"),
        ),
    )
    body = (
        f"distances = log_positions({prompt}, {POINTS})\n"
        "values = torch.stack([\n"
        f"    logit_change(trained, reading, distances, {prompt}, width={width})\n"
        "    for reading in readings\n"
        "])\n"
    )
    code = program(s, body, with_trained=True, length=prompt)
    return summary(s, code, first, lambda _followed: by_length(s))


def by_length(s: Studio) -> screen.LinesFigure:
    """The same over all distances of a text, by the length of the text."""
    task = s.task
    lengths = log_positions(task.target + 1, LENGTHS)
    lengths = lengths[lengths >= SHORTEST]
    changes = {
        one.method.id: torch.tensor(
            [cost(one.rule, task, n) for n in lengths.tolist()], dtype=torch.float64
        )
        for one in s.outcomes
    }

    def steps(method: int, length: int) -> tuple[Step, ...]:
        after = task.reading(s.outcomes[method].rule, length)
        before = task.trained_reading(length)
        return rms_change_steps(before, after, cost_distances(length), length, width=task.width)

    return over_distance(
        lengths,
        changes,
        series=[curve(name, y) for name, y in changes.items()],
        title=_("The same over all distances of a text, by the length of the text (analytic)"),
        x_title=_("tokens in the text"),
        x_name=_("length"),
        y_title=_("standard deviations of a logit (RMS)"),
        y_range=(-0.05, max(1.9, *(1.05 * float(y.max()) for y in changes.values()))),
        marks=[Mark("y", UNRELATED, _("two unrelated logits"), left=True)],
        finish=lambda drawn: shade_outside_training(drawn, task.shown, task.target),
        key="by_length",
        alt=_("Curves of the change of the logits against the length"),
        steps=steps,
        point=(s.last, near_the_end_of_training(s, lengths)),
        ends=(SHORTEST, task.target),
        table=say("length"),
    )


def ledger(s: Studio) -> screen.Picture:
    """Every factor on the logits, and where it enters."""
    names = [title(one.method.id) for one in s.outcomes]
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

    def steps(_curve: int, method: int) -> tuple[Step, ...]:
        one = s.outcomes[method]
        return gain_steps(one.reading, one.rule.scaling)

    figure = screen.BarsFigure(
        values=factors["A²·m"],
        name=_("factor"),
        title=_("What multiplies the logits of the rotated channels, A²·m (analytic)"),
        x_title=_("method"),
        y_title=_("factor on the logits"),
        ticks=names,
        labels=names,
        color=[look(one.method.id).color for one in s.outcomes],
        marks=[Mark("y", 1, _("as trained without scaling"), left=True)],
        key="ledger",
        alt=_("Bars of the factor on the logits, one per method"),
        steps=steps,
        x_name=_("method"),
        point=(0, s.last),
        height=360,
        caption=_(
            "A enters twice, through the query and through the key. m multiplies the softmax "
            "scale; DeepSeek's attention has it, and engines that drop it attend less sharply."
        ),
    )
    body = "values = torch.tensor([reading.gain for reading in readings], dtype=torch.float64)\n"
    picture = summary(s, program(s, body), figure)
    return replace(picture, tables=lambda: {say("ledger"): factors})
