"""What the shipped runs measured: the tables, read and checked.

A model is named as its runs without the seed: "recall-rope-base128".
"""

import csv
import json
import math
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from lab.spec import RunSpec
from lab.training.checkpoints import DATA

Table = Mapping[str, NDArray[Any]]
COLUMNS: dict[str, dict[str, type]] = {
    "recall": {
        "run": str, "method": str, "length": int, "distance": int, "asked": int, "right": int,
        "tuned": int,
    },
    "text": {
        "run": str, "method": str, "length": int, "tuned": int, "measure": str, "chunk": int,
        "bits": float,
    },
    "positions": {
        "run": str, "method": str, "length": int, "start": int, "stop": int, "bits": float,
        "error": float,
    },
    "counting": {"run": str, "mix": str, "length": int, "asked": int, "wrong": int},
}  # fmt: skip


@dataclass(frozen=True)
class Run:
    """One training, and what is known of it."""

    spec: RunSpec
    facts: Mapping[str, Any]
    """Versions, machine, seconds, last loss and accuracy."""

    @property
    def model(self) -> str:
        """Name without the seed."""
        return self.spec.name.rpartition("-s")[0]


@dataclass(frozen=True, eq=False)
class Results:
    """Everything that ships: runs by name, tables by name as columns."""

    runs: Mapping[str, Run]
    tables: Mapping[str, Table]

    def models(self, task: str) -> dict[str, RunSpec]:
        """Models of a task in the order of the file, each with the run of its first seed."""
        found: dict[str, RunSpec] = {}
        for run in self.runs.values():
            if run.spec.task == task:
                found.setdefault(run.model, run.spec)
        return found

    def seeds(self, model: str) -> dict[int, str]:
        """Seeds of a model in rising order, each with the name of its run."""
        pairs = [(run.spec.seed, name) for name, run in self.runs.items() if run.model == model]
        return dict(sorted(pairs))

    def rows(self, table: str, **equal: object) -> Table:
        """The rows whose columns equal these values."""
        columns = self.tables[table]
        keep = np.ones(len(columns["run"]), bool)
        for name, value in equal.items():
            keep &= columns[name] == value
        return {name: column[keep] for name, column in columns.items()}


@cache
def load(folder: Path = DATA) -> Results:
    """Read and check what ships, once.

    Raises:
        ValueError: If it is missing or damaged; the message says which file and line.
    """
    try:
        runs = {
            entry["name"]: Run(RunSpec.from_dict(entry["spec"]), entry["facts"])
            for entry in json.loads((folder / "runs.json").read_text("utf-8"))
        }
    except FileNotFoundError:
        raise ValueError(
            f"There are no measured runs in {folder.name}; `python -m lab.shipped` makes them."
        ) from None
    except (KeyError, TypeError, ValueError) as error:
        raise ValueError(f"runs.json is not a list of runs of the lab: {error!s:.200}") from None
    for name, run in runs.items():
        if run.spec.name != name:
            raise ValueError(f"runs.json calls {run.spec.name} by another name: {name:.80}.")
    return Results(runs, {name: _table(folder, name, runs) for name in COLUMNS})


def _table(folder: Path, name: str, runs: Mapping[str, Run]) -> Table:
    """One table as columns; no rows if there is no file (no run of that task yet)."""
    kinds, path = COLUMNS[name], folder / f"{name}.csv"
    columns: dict[str, list[Any]] = {column: [] for column in kinds}
    if path.exists():
        with path.open(newline="", encoding="utf-8") as file:
            for line, row in enumerate(csv.DictReader(file), 2):
                try:
                    _append(columns, row, kinds, runs)
                except (KeyError, TypeError, ValueError) as error:
                    raise ValueError(f"{path.name}, line {line}: {error!s:.200}") from None
    numbers: dict[type, Any] = {str: np.str_, int: np.int64, float: np.float64}
    return {column: np.array(v, numbers[kinds[column]]) for column, v in columns.items()}


def _append(
    columns: dict[str, list[Any]],
    row: Mapping[str, str],
    kinds: Mapping[str, type],
    runs: Mapping[str, Run],
) -> None:
    values = {column: kind(row[column]) for column, kind in kinds.items()}
    if values["run"] not in runs:
        raise ValueError(f"{values['run']!r:.80} is not in runs.json")
    counted = values.get("right", values.get("wrong"))
    if counted is not None and not 0 <= counted <= values["asked"] != 0:
        raise ValueError(f"{counted} of {values['asked']} cannot be")
    for name in ("bits", "error"):
        if not math.isfinite(values.get(name, 0.0)):
            raise ValueError(f"{name} must be a finite number")
    for column, value in values.items():
        columns[column].append(value)
