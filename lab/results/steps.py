"""One point of a curve of the lab: its number from what was counted, and the steps to it."""

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from statistics import fmean
from typing import Any

import numpy as np

from lab.results.curves import mean_and_error
from lab.training.steps import per_cent
from posenc.quantity.step import Step, nothing, number, number_sum, words

Row = Mapping[str, Any]
MOST_TEXTS = 6
"""Texts whose bits have a line each; of more only their count is told."""


# ---- right answers against distance ----------------------------------------------------------


def wilson(right: int, asked: int) -> tuple[float, float]:
    """Interval of one standard error for a share, in per cent.

    Source: Wilson 1927, Journal of the American Statistical Association 22; it keeps a width at
    0 and 100 %.
    """
    if not asked:
        return 0.0, 100.0
    share = right / asked
    centre = (share + 0.5 / asked) / (1 + 1 / asked)
    half = (share * (1 - share) / asked + 0.25 / asked**2) ** 0.5 / (1 + 1 / asked)
    return 100 * (centre - half), 100 * (centre + half)


def recall_steps(right: int, asked: int) -> tuple[Step, ...]:
    """Right answers at one distance, the ends of Wilson's interval, the per cent."""
    if not asked:
        return (nothing("y", "nothing, because this distance was not asked"),)
    low, high = wilson(right, asked)
    given = (
        Step("r", words("right answers"), "", right),
        Step("a", words("questions asked"), "", asked),
    )
    band = [
        Step(words(name), rf"100\,\frac{{r + 1/2 {sign} \sqrt{{r(a - r)/a + 1/4}}}}{{a + 1}}",
             "", end)
        for name, sign, end in (("low", "-", low), ("high", "+", high))
    ]  # fmt: skip
    return *given, *band, per_cent("r", right, "a", asked)


# ---- one method at one length ----------------------------------------------------------------


def counted(rows: Iterable[Row], measure: str, trained: int) -> list[Row]:
    """The rows that a measure counts: near or far distances, or the last 64 bytes of a text."""
    match measure:
        case "near" | "far":
            return [row for row in rows if (row["distance"] > trained) == (measure == "far")]
        case "wrong":
            return list(rows)
        case _:
            return [row for row in rows if row["measure"] == "tail"]


def value(rows: Iterable[Row], measure: str, trained: int) -> float | None:
    """The number of these rows, which are of one method and length; None where there is none.

    Args:
        rows: Of a job: counts by distance, bits by chunk, or counts.
        measure: "near" or "far" (recall, per cent right), "bits" (of text, per byte), "wrong"
            (counting, per cent).
        trained: L, tokens.
    """
    here = counted(rows, measure, trained)
    if measure == "bits":
        return fmean([row["bits"] for row in here]) if here else None
    part = "wrong" if measure == "wrong" else "right"
    asked = sum(row["asked"] for row in here)
    return 100 * sum(row[part] for row in here) / asked if asked else None


def value_steps(rows: Iterable[Row], measure: str, trained: int) -> tuple[Step, ...]:
    """The sums behind `value`, which is the last; arguments as there.

    Raises:
        ValueError: If these rows hold nothing that counts.
    """
    here = counted(rows, measure, trained)
    if not here:
        raise ValueError(f"Nothing was measured for {measure}.")
    if measure == "bits":
        bits = [row["bits"] for row in here]
        return (
            Step("K", words("chunks of held-out text"), "", len(bits)),
            Step("y", r"\frac{1}{K}\sum_k b_k", _mean_of(bits), fmean(bits)),
        )
    if measure == "wrong":
        wrong, asked = (sum(row[name] for row in here) for name in ("wrong", "asked"))
        return (
            Step("w", words("wrong answers"), "", wrong),
            Step("a", words("questions asked"), "", asked),
            per_cent("w", wrong, "a", asked),
        )
    over = r"\sum_{D > L}" if measure == "far" else r"\sum_{D \le L}"
    right, asked = (
        Step(name.upper(), f"{over} {name}_D", number_sum([row[column] for row in here]),
             sum(row[column] for row in here))
        for name, column in (("r", "right"), ("a", "asked"))
    )  # fmt: skip
    return right, asked, per_cent("R", int(right.value), "A", int(asked.value))


def steps_over_seeds(seeds: Sequence[tuple[int, tuple[Step, ...]]]) -> tuple[Step, ...]:
    """The number of each seed in a line, and their mean; of one seed all of its steps.

    Args:
        seeds: Each seed with the steps to its number.
    """
    if len(seeds) == 1:
        return seeds[0][1]
    lines = [replace(steps[-1], symbol=f"y_{{{seed}}}", formula=words("seed {0}", seed))
             for seed, steps in seeds]  # fmt: skip
    values = [step.value for step in lines]
    many = number(len(values))
    bar = Step(r"\bar y", rf"\frac{{1}}{{{many}}}\sum_s y_s", _mean_of(values), fmean(values))
    return *lines, bar


# ---- the last tokens of some texts -----------------------------------------------------------


def mean_of_texts(bits: Sequence[float]) -> tuple[float, float]:
    """Mean over texts and its standard error; NaN for that of a single text."""
    if len(bits) == 1:
        return float(bits[0]), math.nan
    return mean_and_error(np.asarray(bits, dtype=np.float64))


def text_steps(bits: Sequence[float]) -> tuple[Step, ...]:
    """Bits of each text, or how many texts there are, the standard error, the mean."""
    value, error = mean_of_texts(bits)
    count = Step("K", words("texts"), "", len(bits))
    each = [Step(f"b_{k}", words("text {0}", k), "", float(one)) for k, one in enumerate(bits, 1)]
    doubt = Step(
        r"\sigma", r"\sqrt{\frac{1}{K(K - 1)}\sum_k (b_k - \bar b)^2}", "", error
    )  # fmt: skip
    return (
        *(each if len(bits) <= MOST_TEXTS else ()),
        count,
        *([] if math.isnan(error) else [doubt]),
        Step(r"\bar b", r"\frac{1}{K}\sum_k b_k", _mean_of(bits), value),
    )


def _mean_of(values: Sequence[float]) -> str:
    """(a + b + …)/3, with numbers."""
    return f"({number_sum(values)})/{number(len(values))}"
