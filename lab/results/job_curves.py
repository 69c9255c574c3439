"""A job's measurements of its run, as curves over length whose points can be followed."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import pandas as pd

from lab.results.steps import metric_steps
from lab.spec import RunSpec
from lab.tasks.recall import is_near
from posenc.quantity.step import Step

METRICS = {"recall": ("near", "far"), "text": ("bits",), "counting": ("wrong",)}
"""Metrics of a run at each length, by task; see `metric_steps`."""


@dataclass(frozen=True, eq=False)
class JobResults:
    """The rows of a job, of the run as it was trained."""

    spec: RunSpec
    rows: Sequence[Mapping[str, Any]]

    def curves(self, metric: str) -> dict[str, dict[float, float]]:
        """Method (or mix) to {length in training lengths: value}."""
        counted = self._counted(metric)
        if counted.empty:
            return {}
        by = counted.sort_values("length", kind="stable").groupby(["method", "length"], sort=False)
        if metric == "bits":
            values = by.bits.mean()
        else:
            part = "wrong" if metric == "wrong" else "right"
            values = 100 * by[part].sum() / by.asked.sum()
        curves: dict[str, dict[float, float]] = {}
        for (method, length), value in values.dropna().items():
            curves.setdefault(method, {})[length / self.spec.train_length] = float(value)
        return curves

    def steps(self, metric: str, method: str, times: float) -> tuple[Step, ...]:
        """The steps to one point of the curves."""
        rows = self._counted(metric)
        length = round(times * self.spec.train_length)
        return metric_steps(metric, rows[(rows.method == method) & (rows.length == length)])

    def _counted(self, metric: str) -> pd.DataFrame:
        """The rows that a metric counts; for counting, the mix is the method."""
        task = self.spec.task
        rows = [row for row in self.rows if row["table"] == task and not row.get("tuned")]
        table = pd.DataFrame(rows)
        if table.empty:
            return table
        if task == "counting":
            return table.rename(columns={"mix": "method"})
        if task == "text":
            return table[table.measure == "tail"]
        near = is_near(table.distance, self.spec.train_length)
        return table[near if metric == "near" else ~near]
