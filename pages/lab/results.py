"""What was measured of runs at every length: one curve for each method, or for each run."""

import json
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from functools import partial
from statistics import fmean

import pandas as pd
import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from lab.model.methods import SLIDE
from lab.queue.jobs import Job, Lab
from lab.queue.perform import ROWS
from lab.results.steps import Row, steps_over_seeds, value, value_steps
from lab.spec import RunSpec
from plots.lines import Mark, Series, lines
from plots.looks import LOOKS, Look, look
from plots.style import shade_outside_training
from posenc import Step
from ui.charts.measured import Followed, measured_chart
from ui.jobs.looks import title

LEFT_OUT = ("window", "yarn_no_temperature")
"""Variants of other curves, which would crowd the picture; they are on Measured curves."""


@dataclass(frozen=True)
class Measure:
    """One number of a run at one length."""

    title: str
    unit: str
    percent: bool


MEASURES = {
    "recall": {
        "near": Measure("Recall within the training length", "right answers (%)", True),
        "far": Measure("Recall beyond the training length", "right answers (%)", True),
    },
    "text": {"bits": Measure("Loss on the last 64 bytes", "bits per byte", False)},
    "counting": {"wrong": Measure("Wrong counts", "wrong answers (%)", True)},
}


def measured_rows(lab: Lab, job: Job) -> list[Row]:
    """A job's rows: all of them once it is done, before that what it has measured so far."""
    if job.state == "done":
        return _done_rows(lab.settings.database, job.id, lab)
    path = lab.settings.folder(job.id) / ROWS
    if not path.exists():
        return []
    parts = json.loads(path.read_text())
    return [{"table": t, **row} for part in parts for t, rows in part.items() for row in rows]


@st.cache_data(max_entries=64, show_spinner=False)
def _done_rows(database: str, number: int, _lab: Lab) -> list[Row]:
    return list(_lab.results(number))


def rows_at(rows: Iterable[Row], task: str) -> dict[tuple[str, int], list[Row]]:
    """Rows of the task's table by method (or mix) and length, of a run as trained."""
    groups: dict[tuple[str, int], list[Row]] = {}
    for row in rows:
        if row["table"] == task and not row.get("tuned"):
            groups.setdefault((row.get("method", row.get("mix")), row["length"]), []).append(row)
    return groups


def curves_of(rows: Iterable[Row], spec: RunSpec, measure: str) -> dict[str, dict[float, float]]:
    """Method to {length in training lengths: value}, of a run as trained."""
    curves: dict[str, dict[float, float]] = {}
    groups = rows_at(rows, spec.task)
    for (method, length), group in sorted(groups.items(), key=lambda item: item[0][1]):
        number = value(group, measure, spec.train_length)
        if number is not None:
            curves.setdefault(method, {})[length / spec.train_length] = number
    return curves


def point_steps(
    rows: Iterable[Row], spec: RunSpec, measure: str, method: str, times: float
) -> tuple[Step, ...]:
    """The steps to one point of `curves_of`; none where nothing was measured."""
    group = rows_at(rows, spec.task).get((method, round(times * spec.train_length)), [])
    return value_steps(group, measure, spec.train_length)


@dataclass(frozen=True)
class MeasuredCurve:
    """One curve: its values, how it looks, and what stands behind each."""

    points: Mapping[float, float]
    """Length in training lengths to value."""
    look: Look | None
    """None for the next of the set."""
    steps: Callable[[float], tuple[Step, ...]]


def results_of_job(
    rows: list[Row], spec: RunSpec, *, growing: bool = False
) -> dict[str, pd.DataFrame]:
    """Draw what was measured of one run, a curve for each method; return the tables.

    Args:
        rows: Of the job.
        spec: What it trained.
        growing: Whether more is being measured.
    """
    frames: dict[str, pd.DataFrame] = {}
    for place, measure in places(spec.task):
        curves = curves_of(rows, spec, measure)
        # What every method does to the training length itself is what no method does.
        start = curves.get("none", {}).get(1.0)
        series = {}
        for method, points in curves.items():
            if method in LEFT_OUT:
                continue
            origin = method
            if start is not None and method != SLIDE and 1.0 not in points:
                points, origin = {1.0: start, **points}, "none"
            steps = partial(_steps_from, rows, spec, measure, method, origin)
            series[title(method)] = MeasuredCurve(points, LOOKS.get(method), steps)
        with place:
            frames |= draw(measure, spec.task, series, growing=growing)
    return frames


def results_of_runs(
    runs: Mapping[str, list[tuple[RunSpec, list[Row]]]], task: str
) -> dict[str, pd.DataFrame]:
    """Draw runs as trained side by side, seeds of one run as their mean; return the tables."""
    frames: dict[str, pd.DataFrame] = {}
    for place, measure in places(task):
        series = {}
        for name, seeds in runs.items():
            method = "as trained" if task == "counting" else "none"
            each = [curves_of(rows, spec, measure).get(method, {}) for spec, rows in seeds]
            lengths = sorted({length for points in each for length in points})
            means = {x: fmean([p[x] for p in each if x in p]) for x in lengths}
            steps = partial(_steps_over_seeds, seeds, each, measure, method)
            series[name] = MeasuredCurve(means, look(seeds[0][0].encoding), steps)
        with place:
            frames |= draw(measure, task, series)
    return frames


def places(task: str) -> Iterable[tuple[DeltaGenerator, str]]:
    """The measures of a task, each with a column to draw in."""
    return zip(st.columns(len(MEASURES[task]), gap="large"), MEASURES[task], strict=True)


def _steps_from(
    rows: list[Row], spec: RunSpec, measure: str, method: str, origin: str, times: float
) -> tuple[Step, ...]:
    """Of a method's curve that begins, at the training length, with another one's point."""
    return point_steps(rows, spec, measure, origin if times == 1 else method, times)


def _steps_over_seeds(
    seeds: list[tuple[RunSpec, list[Row]]],
    each: list[dict[float, float]],
    measure: str,
    method: str,
    times: float,
) -> tuple[Step, ...]:
    """Of the seeds that were measured at this length."""
    return steps_over_seeds(
        [
            (spec.seed, point_steps(rows, spec, measure, method, times))
            for (spec, rows), points in zip(seeds, each, strict=True)
            if times in points
        ]
    )


def draw(
    measure: str, task: str, series: Mapping[str, MeasuredCurve], *, growing: bool = False
) -> dict[str, pd.DataFrame]:
    """One figure of named curves, and its table; none if empty."""
    what = MEASURES[task][measure]
    series = {name: one for name, one in series.items() if one.points}
    if not series:
        return {}
    longest = max(x for one in series.values() for x in one.points)
    figure = lines(
        [1.0],
        [
            Series(
                name,
                list(one.points.values()),
                x=list(one.points),
                color=one.look.color if one.look else None,
                dash=one.look.dash if one.look else None,
            )
            for name, one in series.items()
        ],
        title=what.title,
        x_title="context length n / training length L",
        y_title=what.unit,
        log_x=True,
        y_range=(0, 102) if what.percent else None,
        marks=[Mark("y", 100 / 32, "chance", dash="dot", left=True)] if task == "recall" else [],
    )
    figure.update_xaxes(tickvals=[1, 2, 4, 8, 16, 32], ticktext=["1", "2", "4", "8", "16", "32"])
    figure.update_layout(showlegend=True)
    shade_outside_training(figure, 1.0, max(longest, 2.0), label="")
    measured_chart(
        figure,
        [Followed(name, list(one.points), one.steps) for name, one in series.items()],
        key=f"measured_{measure}",
        alt=f"{what.title} against context length, {len(series)} curves",
        x_name="n / L",
        unit="%" if what.percent else what.unit,
        height=440,
        rev=task,
        growing=growing,
    )
    table = pd.DataFrame({name: pd.Series(one.points) for name, one in series.items()})
    return {f"measured {measure}": table.rename_axis("context length / training length")}
