"""The measured curves, seed by seed, with what is uncertain about them.

Two kinds of doubt are kept apart: the standard error of a measurement within a seed, and the
spread over seeds.
"""

from collections.abc import Callable
from dataclasses import dataclass
from functools import lru_cache
from typing import Any, TypeVar, cast

import numpy as np
import pandas as pd

from lab.checked import one_of
from lab.model.methods import SLIDE
from lab.results.tables import Results
from lab.results.uncertainty import Numbers, share
from lab.tasks.recall import is_near
from lab.training.finetuning import UPDATES
from posenc.quantity.step import Step, number, number_sum, words
from posenc.words import say

PARTS = ("near", "far")
KEPT = 1024  # curves of each kind, a few kB each

F = TypeVar("F", bound=Callable[..., Any])


def cached(function: F) -> F:
    """Makes each curve once: results are never changed, and a screen asks at every move."""
    return cast(F, lru_cache(KEPT)(function))


@dataclass(frozen=True, eq=False)
class Curve:
    """One quantity of one model, seed by seed."""

    x: Numbers
    """(points,): distances, context lengths or positions, rising."""
    seeds: tuple[int, ...]
    values: Numbers
    """(seeds, points); NaN where a seed was not measured."""
    errors: Numbers
    """(seeds, points): standard error of each value within its seed."""

    @property
    def mean(self) -> Numbers:
        """(points,): mean over seeds."""
        return self.values.mean(0)

    @property
    def low(self) -> Numbers:
        """(points,): the lowest of all seeds, each less its standard error."""
        return (self.values - self.errors).min(0)

    @property
    def high(self) -> Numbers:
        """(points,): the highest of all seeds, each with its standard error added."""
        return (self.values + self.errors).max(0)

    def at(self, x: float) -> tuple[Numbers, Numbers]:
        """Values and errors of all seeds at one place, (seeds,) each.

        Raises:
            ValueError: If nothing was measured there.
        """
        places = np.flatnonzero(self.x == x)
        if not len(places) or np.isnan(self.values[:, places[0]]).any():
            raise ValueError(say("Not every seed was measured at {x:g}.", x=x))
        return self.values[:, places[0]], self.errors[:, places[0]]

    def steps(self, x: float) -> tuple[Step, ...]:
        """Every seed's measurement at one place, the ends of the band, and the mean that is drawn.

        Raises:
            ValueError: If nothing was measured there.
        """
        values, errors = (each.tolist() for each in self.at(x))
        place = int(np.flatnonzero(self.x == x)[0])
        many = number(len(values))
        measured = [
            Step(
                f"y_{seed}",
                words("seed {0}", seed) + rf"\;(\sigma_{seed} = {error:.3g})",
                "",
                value,
            )
            for seed, value, error in zip(self.seeds, values, errors, strict=True)
        ]
        low, high, mean = (float(end[place]) for end in (self.low, self.high, self.mean))
        return (
            *measured,
            Step(words("low"), r"\min_s (y_s - \sigma_s)", "", low),
            Step(words("high"), r"\max_s (y_s + \sigma_s)", "", high),
            Step(
                r"\bar y",
                rf"\frac{{1}}{{{many}}}\sum_s y_s",
                f"({number_sum(values)})/{many}",
                mean,
            ),
        )


@cached
def recall_by_distance(
    results: Results, model: str, method: str, length: int, tuned: int = 0
) -> Curve | None:
    """Recall (per cent) against distance in contexts of `length` tokens; None if not measured."""
    rows = results.rows("recall", model, method=method, length=length, tuned=tuned)
    return _curve(rows.seed, rows.distance, *share(rows.right, rows.asked))


@cached
def recall_by_length(
    results: Results, model: str, method: str, part: str, tuned: int = 0
) -> Curve | None:
    """Recall (per cent) of the near or the far keys against context length.

    Args:
        results: Where to look.
        model: Name without the seed.
        method: How it was read, or "slide".
        part: "near" or "far", see `lab.tasks.recall.is_near`.
        tuned: Fine-tuned at this many training lengths; 0 for as trained.
    """
    if part not in PARTS:
        raise ValueError(one_of("part", part, PARTS))
    rows = results.rows("recall", model, tuned=tuned)
    near = is_near(rows.distance, _trained(results, model))
    return _recall(results, model, rows[near if part == "near" else ~near], method, tuned)


@cached
def recall_between(
    results: Results, model: str, method: str, low: float, high: float
) -> Curve | None:
    """Recall (per cent) of keys with low < distance <= high against context length, as trained."""
    rows = results.rows("recall", model, tuned=0)
    return _recall(results, model, rows[rows.distance.between(low, high, "right")], method, 0)


def _recall(
    results: Results, model: str, rows: pd.DataFrame, method: str, tuned: int
) -> Curve | None:
    """Per cent of all keys of these rows that were recalled, at each length."""
    rows = _read_by(rows, method, _trained(results, model), tuned)
    counts = rows.groupby(["seed", "length"])[["right", "asked"]].sum().reset_index()
    return _curve(counts.seed, counts.length, *share(counts.right, counts.asked))


@cached
def text_by_length(
    results: Results, model: str, method: str, *, against_window: bool, tuned: int = 0
) -> Curve | None:
    """Bits per byte of the last 64 bytes of every chunk against context length.

    The same bytes are predicted at every length. With `against_window` it is the difference to
    the run's own sliding window, chunk by chunk, so that hard and easy chunks cancel. Errors are
    those of the mean over chunks.
    """
    trained = _trained(results, model)
    window = results.rows("text", model, measure="tail", method=SLIDE, length=trained, tuned=0)
    rows = results.rows("text", model, measure="tail", tuned=tuned)
    rows = _read_by(rows, method, trained, tuned).merge(
        window[["seed", "chunk", "bits"]], on=["seed", "chunk"], suffixes=("", "_window")
    )
    return _mean_over_chunks(rows, rows.bits - rows.bits_window if against_window else rows.bits)


@cached
def text_window(results: Results, model: str) -> Curve | None:
    """Bits per byte of the same 64 bytes read by a sliding window; one point, at L."""
    trained = _trained(results, model)
    rows = results.rows("text", model, measure="tail", method=SLIDE, length=trained, tuned=0)
    return _mean_over_chunks(rows, rows.bits)


@cached
def text_over_all(results: Results, model: str) -> Curve | None:
    """Bits per byte over all bytes, read in windows side by side, against their length.

    It falls with the length even where nothing is gained: fewer bytes stand near the start of a
    window, where there is little to read.
    """
    rows = results.rows("text", model, measure="mean", method="none", tuned=0)
    return _mean_over_chunks(rows, rows.bits)


@cached
def text_by_position(results: Results, model: str, method: str) -> Curve | None:
    """Bits per byte against position in the longest context measured; errors over chunks."""
    rows = results.rows("positions", model, method=method)
    return _curve(rows.seed, (rows.start + rows.stop - 1) / 2, rows.bits, rows.error)


@cached
def counting_by_length(results: Results, model: str, mix: str) -> Curve | None:
    """Wrong answers (per cent) against context length."""
    rows = results.rows("counting", model, mix=mix)
    return _curve(rows.seed, rows.length, *share(rows.wrong, rows.asked))


def before_and_after(before: Curve | None, after: Curve | None, x: float) -> Curve | None:
    """Two curves at one place, as a curve from update 0 to the last of a fine-tuning.

    Only seeds that both have count; None if there are none.
    """
    if before is None or after is None or x not in before.x or x not in after.x:
        return None
    seeds = tuple(seed for seed in before.seeds if seed in after.seeds)
    if not seeds:
        return None
    parts = []
    for curve in (before, after):
        rows = [curve.seeds.index(seed) for seed in seeds]
        place = curve.x == x
        parts.append((curve.values[rows][:, place], curve.errors[rows][:, place]))
    values, errors = (np.concatenate(pair, axis=1) for pair in zip(*parts, strict=True))
    return Curve(np.array([0.0, UPDATES]), seeds, values, errors)


def _trained(results: Results, model: str) -> int:
    """L of a model; 0 where it has no run."""
    runs = results.seeds(model).values()
    return next((results.runs[run].spec.train_length for run in runs), 0)


def _read_by(rows: pd.DataFrame, method: str, trained: int, tuned: int) -> pd.DataFrame:
    """The rows of the seeds that were read by a method.

    At the training length itself every method, and the sliding window, is the model as it is.
    """
    by = rows.method == method
    seeds = rows.seed[by].unique()
    if not tuned:
        by = by.where(rows.length != trained, rows.method == "none")
    return rows[by & rows.seed.isin(seeds)]


def _mean_over_chunks(rows: pd.DataFrame, values: "pd.Series[float]") -> Curve | None:
    """The mean at each length, with its standard error over the chunks."""
    table = values.groupby([rows.seed, rows.length]).agg(["mean", "sem", "count"]).reset_index()
    table = table[table["count"] > 1]
    return _curve(table.seed, table.length, table["mean"], table["sem"])


def _curve(seeds: Any, x: Any, values: Any, errors: Any) -> Curve | None:
    """One model's points of all seeds, each on the places of all; None without points."""
    points = pd.DataFrame({"seed": seeds, "x": x, "value": values, "error": errors})
    if points.empty:
        return None
    table = points.pivot(index="seed", columns="x")
    return Curve(
        table["value"].columns.to_numpy(float),
        tuple(int(seed) for seed in table.index),
        table["value"].to_numpy(float),
        table["error"].to_numpy(float),
    )
