"""What was measured of runs at every length: one curve for each method, or for each run."""

import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

import pandas as pd
import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from lab.evaluation import SLIDE
from lab.jobs import Job, Lab
from lab.spec import RunSpec
from lab.work import ROWS
from plots.lines import Mark, Series, lines
from plots.style import shade_outside_training
from posenc import CATALOGUE
from ui.chart import chart
from ui.lab_looks import LOOKS, NAMES

Row = Mapping[str, Any]


LEFT_OUT = ("window", "yarn_no_temperature")
"""Variants of other curves, which would crowd the picture; they are on Measured curves."""


@dataclass(frozen=True)
class Measure:
    """One number of a run at one length."""

    title: str
    unit: str
    table: str
    percent: bool


MEASURES = {
    "recall": {
        "near": Measure("Recall within the training length", "right answers (%)", "recall", True),
        "far": Measure("Recall beyond the training length", "right answers (%)", "recall", True),
    },
    "text": {"bits": Measure("Loss on the last 64 bytes", "bits per byte", "text", False)},
    "counting": {"wrong": Measure("Wrong counts", "wrong answers (%)", "counting", True)},
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


def value(rows: Iterable[Row], measure: str, trained: int) -> float | None:
    """The number of these rows, which are of one method and length; None where there is none."""
    match measure:
        case "near" | "far":
            here = [row for row in rows if (row["distance"] > trained) == (measure == "far")]
            asked = sum(row["asked"] for row in here)
            return 100 * sum(row["right"] for row in here) / asked if asked else None
        case "wrong":
            here = list(rows)
            return 100 * sum(r["wrong"] for r in here) / sum(r["asked"] for r in here)
        case _:
            bits = [row["bits"] for row in rows if row["measure"] == "tail"]
            return sum(bits) / len(bits) if bits else None


def curves_of(rows: Iterable[Row], spec: RunSpec, measure: str) -> dict[str, dict[float, float]]:
    """Method to {length in training lengths: value}, of a run as trained."""
    table = MEASURES[spec.task][measure].table
    groups: dict[tuple[str, int], list[Row]] = {}
    for row in rows:
        if row["table"] == table and not row.get("tuned"):
            groups.setdefault((row.get("method", row.get("mix")), row["length"]), []).append(row)
    curves: dict[str, dict[float, float]] = {}
    for (method, length), group in sorted(groups.items(), key=lambda item: item[0][1]):
        number = value(group, measure, spec.train_length)
        if number is not None:
            curves.setdefault(method, {})[length / spec.train_length] = number
    return curves


def results_of_job(rows: list[Row], spec: RunSpec) -> dict[str, pd.DataFrame]:
    """Draw what was measured of one run, a curve for each method; return the tables."""
    frames: dict[str, pd.DataFrame] = {}
    for place, measure in places(spec.task):
        curves = curves_of(rows, spec, measure)
        # What every method does to the training length itself is what no method does.
        start = curves.get("none", {}).get(1.0)
        series = {}
        for method, points in curves.items():
            if method in LEFT_OUT:
                continue
            points = points if start is None or method == SLIDE else {1.0: start, **points}
            series[NAMES.get(method, method)] = (points, LOOKS.get(method, (None, None)))
        with place:
            frames |= draw(measure, spec.task, series)
    return frames


def results_of_runs(
    runs: Mapping[str, list[tuple[RunSpec, list[Row]]]], task: str
) -> dict[str, pd.DataFrame]:
    """Draw runs as trained side by side, seeds of one run as their mean; return the tables."""
    frames: dict[str, pd.DataFrame] = {}
    for place, measure in places(task):
        series = {}
        for name, seeds in runs.items():
            found = [curves_of(rows, spec, measure) for spec, rows in seeds]
            method = "as trained" if task == "counting" else "none"
            each = [curves[method] for curves in found if method in curves]
            lengths = sorted({length for points in each for length in points})
            means = {x: mean([p[x] for p in each if x in p]) for x in lengths}
            entry = CATALOGUE[seeds[0][0].encoding]
            series[name] = (means, (entry.color, entry.dash))
        with place:
            frames |= draw(measure, task, series)
    return frames


def places(task: str) -> Iterable[tuple[DeltaGenerator, str]]:
    """The measures of a task, each with a column to draw in."""
    return zip(st.columns(len(MEASURES[task]), gap="large"), MEASURES[task], strict=True)


def mean(values: list[float]) -> float:
    """Arithmetic mean."""
    return sum(values) / len(values)


def draw(measure: str, task: str, series: Mapping[str, Any]) -> dict[str, pd.DataFrame]:
    """One figure of named {length: value} with (colour, dash), and its table; none if empty."""
    what = MEASURES[task][measure]
    series = {name: one for name, one in series.items() if one[0]}
    if not series:
        return {}
    longest = max(x for points, _ in series.values() for x in points)
    figure = lines(
        [1.0],
        [
            Series(name, list(points.values()), x=list(points), color=color, dash=dash)
            for name, (points, (color, dash)) in series.items()
        ],
        title=what.title,
        x_title="context length n / training length L",
        y_title=what.unit,
        log_x=True,
        y_range=(0, 102) if what.percent else None,
        marks=[Mark("y", 100 / 32, "chance", dash="dot")] if task == "recall" else [],
    )
    figure.update_xaxes(tickvals=[1, 2, 4, 8, 16, 32], ticktext=["1", "2", "4", "8", "16", "32"])
    figure.update_layout(showlegend=True)
    shade_outside_training(figure, 1.0, max(longest, 2.0), label="")
    chart(
        figure,
        key=f"measured_{measure}",
        alt=f"{what.title} against context length, {len(series)} curves",
        height=440,
        rev=task,
    )
    table = pd.DataFrame({name: pd.Series(points) for name, (points, _) in series.items()})
    return {f"measured {measure}": table.rename_axis("context length / training length")}
