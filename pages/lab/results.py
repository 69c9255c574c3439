"""Measurements of runs at every length: one curve for each method, or for each run."""

import json
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from functools import partial
from statistics import fmean
from typing import Any

import pandas as pd
import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from lab.model.methods import SLIDE
from lab.queue.jobs import Lab
from lab.queue.perform import ROWS, flat
from lab.queue.records import Job
from lab.results.job_curves import METRICS, JobResults
from lab.results.steps import steps_over_seeds
from lab.spec import RunSpec
from lab.tasks.recall import CHANCE
from plots.lines import Mark, Series, lines
from plots.looks import LOOKS, Look, look
from plots.style import shade_outside_training
from posenc.quantity.step import Step
from posenc.words import say
from ui.charts.follow import Followed
from ui.jobs.looks import title
from ui.screen.figures.points import MeasuredFigure
from ui.words import _, translate

LEFT_OUT = ("window", "yarn_no_temperature")
"""Variants of other curves, which would crowd the picture; they are on Measured curves."""
TITLES = {
    "near": (say("Recall of near keys, at most L tokens back"), say("right answers (%)")),
    "far": (say("Recall of far keys, more than L tokens back"), say("right answers (%)")),
    "bits": (say("Loss on the last 64 bytes"), say("bits per byte")),
    "wrong": (say("Wrong counts"), say("wrong answers (%)")),
}
"""Title and axis of the picture of each metric."""


def job_results(lab: Lab, job: Job, spec: RunSpec) -> JobResults:
    """A job's rows: all of them once it is done, before that what it has measured so far."""
    if job.state == "done":
        return JobResults(spec, _done_rows(lab.settings.database, job.id, lab))
    path = lab.settings.folder(job.id) / ROWS
    parts = json.loads(path.read_text()) if path.exists() else []
    return JobResults(spec, flat(spec.name, parts))


@st.cache_data(max_entries=64, show_spinner=False)
def _done_rows(database: str, number: int, _lab: Lab) -> list[dict[str, Any]]:
    return list(_lab.results(number))


@dataclass(frozen=True)
class MeasuredCurve:
    """One curve: its values, how it looks, and what stands behind each."""

    points: Mapping[float, float]
    """Length in training lengths to value."""
    look: Look | None
    """None for the next of the set."""
    steps: Callable[[float], tuple[Step, ...]]


def results_of_job(found: JobResults, *, growing: bool = False) -> dict[str, pd.DataFrame]:
    """Draw what was measured of one run, a curve for each method; return the tables."""
    frames: dict[str, pd.DataFrame] = {}
    for place, metric in places(found.spec.task):
        curves = found.curves(metric)
        # What every method does to the training length itself is what no method does.
        start = curves.get("none", {}).get(1.0)
        series = {}
        for method, points in curves.items():
            if method in LEFT_OUT:
                continue
            origin = method
            if start is not None and method != SLIDE and 1.0 not in points:
                points = {1.0: start, **points}
                origin = "none"
            steps = partial(_steps_from, found, metric, method, origin)
            series[title(method)] = MeasuredCurve(points, LOOKS.get(method), steps)
        with place:
            frames |= draw(metric, series, growing=growing)
    return frames


def results_of_runs(runs: Mapping[str, list[JobResults]], task: str) -> dict[str, pd.DataFrame]:
    """Draw runs as trained side by side, seeds of one run as their mean; return the tables."""
    frames: dict[str, pd.DataFrame] = {}
    for place, metric in places(task):
        series = {}
        for name, seeds in runs.items():
            method = "as trained" if task == "counting" else "none"
            each = [found.curves(metric).get(method, {}) for found in seeds]
            lengths = sorted({length for points in each for length in points})
            means = {x: fmean([p[x] for p in each if x in p]) for x in lengths}
            steps = partial(_steps_over_seeds, seeds, each, metric, method)
            series[name] = MeasuredCurve(means, look(seeds[0].spec.encoding), steps)
        with place:
            frames |= draw(metric, series)
    return frames


def every_encoding() -> None:
    """The way to what comes with the project."""
    st.page_link(
        "pages/measured/screen.py",
        label=_("Extrapolation, measured: every encoding, several seeds, fine-tuned too"),
    )


def places(task: str) -> Iterable[tuple[DeltaGenerator, str]]:
    """The metrics of a task, each with a column to draw in."""
    return zip(st.columns(len(METRICS[task]), gap="large"), METRICS[task], strict=True)


def _steps_from(
    found: JobResults, metric: str, method: str, origin: str, times: float
) -> tuple[Step, ...]:
    """Steps on a curve that begins, at the training length, with another method's point."""
    return found.steps(metric, origin if times == 1 else method, times)


def _steps_over_seeds(
    seeds: list[JobResults], each: list[dict[float, float]], metric: str, method: str, times: float
) -> tuple[Step, ...]:
    """Steps over the seeds that were measured at this length."""
    return steps_over_seeds(
        [
            (found.spec.seed, found.steps(metric, method, times))
            for found, points in zip(seeds, each, strict=True)
            if times in points
        ]
    )


def draw(
    metric: str, series: Mapping[str, MeasuredCurve], *, growing: bool = False
) -> dict[str, pd.DataFrame]:
    """One figure of named curves, and its table; none if empty."""
    what, unit = (translate(words) for words in TITLES[metric])
    series = {name: one for name, one in series.items() if one.points}
    if not series:
        return {}
    longest = max(x for one in series.values() for x in one.points)
    recalled = metric in METRICS["recall"]
    figure = lines(
        [1.0],
        [
            Series(
                name,
                list(one.points.values()),
                x=list(one.points),
                **(vars(one.look) if one.look else {}),
            )
            for name, one in series.items()
        ],
        title=what,
        x_title=_("context length n / training length L"),
        y_title=unit,
        log_x=True,
        y_range=None if metric == "bits" else (0, 106),
        marks=[Mark("y", 100 * CHANCE, _("chance"), dash="dot", left=True)] if recalled else [],
    )
    ticks = {"tickvals": [1, 2, 4, 8, 16, 32], "ticktext": ["1", "2", "4", "8", "16", "32"]}
    figure = figure.relayout(xaxis=ticks, showlegend=True)
    figure = shade_outside_training(figure, 1.0, max(longest, 2.0), label="")
    MeasuredFigure(
        key=f"measured_{metric}",
        figure=figure,
        curves=[Followed(name, list(one.points), one.steps) for name, one in series.items()],
        alt=_("{title} against context length, {count} curves", title=what, count=len(series)),
        x_name="n / L",
        unit=unit if metric == "bits" else "%",
        height=440,
        rev=metric,
        growing=growing,
    ).draw()
    table = pd.DataFrame({name: pd.Series(one.points) for name, one in series.items()})
    return {
        _("measured, {metric}", metric=what): table.rename_axis(
            _("context length / training length")
        )
    }
