"""The studio's pictures of the price: what short prompts pay, and the factors on the logits."""

import math

import pandas as pd
import torch

from pages.config.comparison import POINTS, STYLES, Chart, Points, Studio, StudioPicture, curve
from pages.config.methods import cost, cost_distances
from pages.config.scores import DEVIATIONS, near_the_end_of_training, over_distance
from plots.lines import Mark, bars, lines
from plots.style import shade_outside_training
from posenc import Step
from posenc.quantity.sampling import log_positions
from posenc.reading.formula import logit_change
from posenc.reading.steps import gain_steps, logit_change_steps, rms_change_steps
from ui.controls.methods import table
from ui.controls.task import SHORTEST, reading_of

LENGTHS = 40
UNRELATED = math.sqrt(2)


def short_prompts(s: Studio) -> StudioPicture:
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
        marks=[Mark("y", UNRELATED, "two unrelated logits", left=True)],
    )
    shade_outside_training(second, task.shown, task.target)

    def moved_steps(method: int, distance: int) -> tuple[Step, ...]:
        after = reading_of(s.methods[method].rule, task, prompt)
        return logit_change_steps(trained, after, distance, prompt, width=width)

    def length_steps(method: int, length: int) -> tuple[Step, ...]:
        after = reading_of(s.methods[method].rule, task, length)
        before, over = task.trained_reading(length), cost_distances(length)
        return rms_change_steps(before, after, over, length, width=width)

    return StudioPicture(
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


def ledger(s: Studio) -> StudioPicture:
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
        marks=[Mark("y", 1, "as trained without scaling", left=True)],
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

    return StudioPicture(
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
