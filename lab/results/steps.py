"""The numbers of measured curves followed: from what was counted to the point that is drawn."""

from collections.abc import Sequence
from dataclasses import replace
from statistics import fmean

import pandas as pd

from lab.results.uncertainty import share
from lab.training.steps import per_cent
from posenc.quantity.step import Step, no_value, number, number_sum, words


def recall_steps(right: int, asked: int) -> tuple[Step, ...]:
    """Right answers at one distance, the standard error of their share, the per cent."""
    if not asked:
        return (no_value("y", "nothing, because this distance was not asked"),)
    error = float(share(right, asked)[1])
    return (
        Step("r", words("right answers"), "", right),
        Step("a", words("questions asked"), "", asked),
        Step(
            "p",
            r"(r + 1)/(a + 2)",
            f"({number(right)} + 1)/({number(asked)} + 2)",
            (right + 1) / (asked + 2),
        ),
        Step(r"\sigma", r"100\sqrt{p(1 - p)/(a + 2)}", "", error),
        per_cent("r", right, "a", asked),
    )


def metric_steps(metric: str, rows: pd.DataFrame) -> tuple[Step, ...]:
    """The sums behind the value of a metric, which is the last.

    Args:
        metric: "near" or "far" (recall, per cent right), "bits" (of text, per byte), "wrong"
            (counting, per cent).
        rows: What the metric counts: of one method and length, at least one.
    """
    if metric == "bits":
        bits = rows.bits.tolist()
        return (
            Step("K", words("chunks of held-out text"), "", len(bits)),
            Step("y", r"\frac{1}{K}\sum_k b_k", _mean_of(bits), fmean(bits)),
        )
    if metric == "wrong":
        wrong, asked = int(rows.wrong.sum()), int(rows.asked.sum())
        return (
            Step("w", words("wrong answers"), "", wrong),
            Step("a", words("questions asked"), "", asked),
            per_cent("w", wrong, "a", asked),
        )
    over = r"\sum_{D > L}" if metric == "far" else r"\sum_{D \le L}"
    right, asked = int(rows.right.sum()), int(rows.asked.sum())
    return (
        Step("R", f"{over} r_D", number_sum(rows.right.tolist()), right),
        Step("A", f"{over} a_D", number_sum(rows.asked.tolist()), asked),
        per_cent("R", right, "A", asked),
    )


def steps_over_seeds(seeds: Sequence[tuple[int, tuple[Step, ...]]]) -> tuple[Step, ...]:
    """The number of each seed in a line, and their mean; of one seed all of its steps.

    Args:
        seeds: Each seed with the steps to its number.
    """
    if len(seeds) == 1:
        return seeds[0][1]
    lines = [
        replace(steps[-1], symbol=f"y_{{{seed}}}", formula=words("seed {0}", seed))
        for seed, steps in seeds
    ]
    values = [step.value for step in lines]
    many = number(len(values))
    bar = Step(r"\bar y", rf"\frac{{1}}{{{many}}}\sum_s y_s", _mean_of(values), fmean(values))
    return *lines, bar


def _mean_of(values: Sequence[float]) -> str:
    """(a + b + …)/3, with numbers."""
    return f"({number_sum(values)})/{number(len(values))}"
