"""The measured curves, seed by seed, with what is uncertain about them.

Two kinds of doubt are kept apart: the standard error of a measurement within a seed, and the
spread over seeds.
"""

import math
from collections.abc import Callable
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from lab.model.methods import SLIDE
from lab.results.tables import Results, Table
from lab.tasks.recall import NEAR
from lab.training.finetuning import UPDATES
from posenc.quantity.step import Step, number, number_sum, words

Numbers = NDArray[np.float64]
PARTS = ("near", "far")


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
            raise ValueError(f"Not every seed was measured at {x:g}.")
        return self.values[:, places[0]], self.errors[:, places[0]]

    def steps(self, x: float) -> tuple[Step, ...]:
        """What every seed measured at one place, the ends of the band, and the mean that is drawn.

        Raises:
            ValueError: If nothing was measured there.
        """
        values, errors = (each.tolist() for each in self.at(x))
        place, many = int(np.flatnonzero(self.x == x)[0]), number(len(values))
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
                r"\bar y", rf"\frac{{1}}{{{many}}}\sum_s y_s",
                f"({number_sum(values)})/{many}", mean,
            ),
        )  # fmt: skip


class Point(NamedTuple):
    """One measured value."""

    x: float
    value: float
    error: float


def recall_by_distance(
    results: Results, model: str, method: str, length: int, tuned: int = 0
) -> Curve | None:
    """Recall (per cent) against distance in contexts of `length` tokens; None if not measured."""

    def points(run: str) -> list[Point]:
        rows = results.rows("recall", run=run, method=method, length=length, tuned=tuned)
        return [
            Point(float(distance), *share(right, asked))
            for distance, right, asked in zip(
                rows["distance"], rows["right"], rows["asked"], strict=True
            )
        ]

    return _curve(results, model, points)


def recall_by_length(
    results: Results, model: str, method: str, part: str, tuned: int = 0
) -> Curve | None:
    """Recall (per cent) of the near or the far keys against context length.

    Args:
        results: Where to look.
        model: Name without the seed.
        method: How it was read, or "slide".
        part: "near", distances that a window of L reaches; or "far", beyond L.
        tuned: Fine-tuned at this many training lengths; 0 for as trained.
    """
    if part not in PARTS:
        raise ValueError(f"part must be one of {', '.join(PARTS)}, got {part!r:.40}.")
    spec = results.models("recall").get(model)
    length = spec.train_length if spec else 0
    low, high = (0, max(NEAR)) if part == "near" else (length, math.inf)
    return recall_between(results, model, method, low, high, tuned)


def recall_between(
    results: Results, model: str, method: str, low: float, high: float, tuned: int = 0
) -> Curve | None:
    """Recall (per cent) of keys with low < distance <= high against context length.

    At the training length itself every method, and the sliding window, is the model as it is.
    """

    def points(run: str) -> list[Point]:
        inner = results.runs[run].spec.train_length
        rows = results.rows("recall", run=run, tuned=tuned)
        if method not in rows["method"]:
            return []
        inside = (rows["distance"] > low) & (rows["distance"] <= high)
        found = []
        for length in np.unique(rows["length"]):
            how = "none" if length == inner and not tuned else method
            here = (rows["length"] == length) & (rows["method"] == how) & inside
            if here.any():
                right, asked = rows["right"][here].sum(), rows["asked"][here].sum()
                found.append(Point(float(length), *share(right, asked)))
        return found

    return _curve(results, model, points)


def text_by_length(
    results: Results, model: str, method: str, *, against_window: bool, tuned: int = 0
) -> Curve | None:
    """Bits per byte of the last 64 bytes of every chunk against context length.

    The same bytes are predicted at every length. With `against_window` it is the difference to
    the run's own sliding window, chunk by chunk, so that hard and easy chunks cancel. Errors are
    those of the mean over chunks.
    """

    def points(run: str) -> list[Point]:
        inner = results.runs[run].spec.train_length
        rows = results.rows("text", run=run, measure="tail")
        if method not in rows["method"]:
            return []
        window = _chunks(rows, inner, SLIDE, 0)
        found = []
        for length in np.unique(rows["length"]):
            how = "none" if length == inner and not tuned else method
            bits = _chunks(rows, length, how, tuned)
            if len(bits) > 1 and len(window) == len(bits):
                bits = bits - window if against_window else bits
                found.append(Point(float(length), *mean_and_error(bits)))
        return found

    return _curve(results, model, points)


def text_window(results: Results, model: str) -> Curve | None:
    """Bits per byte of the same 64 bytes read by a sliding window; one point, at L."""

    def points(run: str) -> list[Point]:
        inner = results.runs[run].spec.train_length
        rows = results.rows("text", run=run, measure="tail")
        bits = _chunks(rows, inner, SLIDE, 0)
        return [Point(float(inner), *mean_and_error(bits))] if len(bits) > 1 else []

    return _curve(results, model, points)


def text_over_all(results: Results, model: str) -> Curve | None:
    """Bits per byte over all bytes, read in windows side by side, against their length.

    It falls with the length even where nothing is gained: fewer bytes stand near the start of a
    window, where there is little to read.
    """

    def points(run: str) -> list[Point]:
        rows = results.rows("text", run=run, measure="mean")
        return [
            Point(float(length), *mean_and_error(_chunks(rows, length, "none", 0)))
            for length in np.unique(rows["length"])
        ]

    return _curve(results, model, points)


def text_by_position(results: Results, model: str, method: str) -> Curve | None:
    """Bits per byte against position in the longest context measured; errors over chunks."""

    def points(run: str) -> list[Point]:
        rows = results.rows("positions", run=run, method=method)
        middles = (rows["start"] + rows["stop"] - 1) / 2
        columns = zip(middles, rows["bits"], rows["error"], strict=True)
        return [Point(float(x), float(bits), float(error)) for x, bits, error in columns]

    return _curve(results, model, points)


def counting_by_length(results: Results, model: str, mix: str) -> Curve | None:
    """Wrong answers (per cent) against context length."""

    def points(run: str) -> list[Point]:
        rows = results.rows("counting", run=run, mix=mix)
        columns = zip(rows["length"], rows["wrong"], rows["asked"], strict=True)
        return [Point(float(length), *share(wrong, asked)) for length, wrong, asked in columns]

    return _curve(results, model, points)


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
        rows, place = [curve.seeds.index(seed) for seed in seeds], curve.x == x
        parts.append((curve.values[rows][:, place], curve.errors[rows][:, place]))
    values, errors = (np.concatenate(pair, axis=1) for pair in zip(*parts, strict=True))
    return Curve(np.array([0.0, UPDATES]), seeds, values, errors)


def share(part: int, whole: int) -> tuple[float, float]:
    """Per cent and its binomial standard error.

    For the error alone, one more of either outcome is counted, so that it is never 0.
    """
    smooth = (part + 1) / (whole + 2)
    return 100 * (part / whole), 100 * math.sqrt(smooth * (1 - smooth) / (whole + 2))


def mean_and_error(values: Numbers) -> tuple[float, float]:
    """Mean and its standard error."""
    return float(values.mean()), float(values.std(ddof=1) / math.sqrt(len(values)))


def _chunks(rows: Table, length: int, method: str, tuned: int) -> Numbers:
    """Bits of all chunks in order; empty if not measured."""
    here = (rows["length"] == length) & (rows["method"] == method) & (rows["tuned"] == tuned)
    return rows["bits"][here][np.argsort(rows["chunk"][here])]


def _curve(results: Results, model: str, points: Callable[[str], list[Point]]) -> Curve | None:
    """One model's points of all seeds, each on the places of all."""
    found = {seed: points(run) for seed, run in results.seeds(model).items()}
    found = {seed: some for seed, some in found.items() if some}
    places = sorted({point.x for some in found.values() for point in some})
    if not places:
        return None
    values = np.full((2, len(found), len(places)), np.nan)
    for row, some in enumerate(found.values()):
        for point in some:
            values[:, row, places.index(point.x)] = point.value, point.error
    return Curve(np.array(places), tuple(found), values[0], values[1])
