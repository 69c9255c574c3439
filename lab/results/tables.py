"""Tables of the shipped runs' measurements.

A model is named as its runs without the seed: "recall-rope-base128".
"""

import json
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

import pandas as pd

from lab.spec import RunSpec
from lab.training.checkpoints import DATA

COLUMNS: dict[str, dict[str, type]] = {
    "recall": {
        "run": str,
        "method": str,
        "length": int,
        "distance": int,
        "asked": int,
        "right": int,
        "tuned": int,
    },
    "text": {
        "run": str,
        "method": str,
        "length": int,
        "tuned": int,
        "measure": str,
        "chunk": int,
        "bits": float,
    },
    "positions": {
        "run": str,
        "method": str,
        "length": int,
        "start": int,
        "stop": int,
        "bits": float,
        "error": float,
    },
    "counting": {"run": str, "mix": str, "length": int, "asked": int, "wrong": int},
}


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


class Results:
    """Everything that ships.

    Args:
        runs: By name.
        tables: By name, with the columns of `COLUMNS`.
    """

    def __init__(self, runs: Mapping[str, Run], tables: Mapping[str, pd.DataFrame]) -> None:
        self.runs = runs
        models = {name: run.model for name, run in runs.items()}
        seeds = {name: run.spec.seed for name, run in runs.items()}
        self.tables = {
            name: table.assign(model=table.run.map(models), seed=table.run.map(seeds))
            for name, table in tables.items()
        }
        self._by_model = {name: dict(list(t.groupby("model"))) for name, t in self.tables.items()}

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

    def rows(self, table: str, model: str, **equal: object) -> pd.DataFrame:
        """The rows of a model whose columns equal these values."""
        rows = self._by_model[table].get(model, self.tables[table].iloc[:0])
        for name, value in equal.items():
            rows = rows[rows[name] == value]
        return rows


@cache
def load(folder: Path = DATA) -> Results:
    """Read what ships, once.

    Raises:
        ValueError: If it is missing or damaged.
    """
    try:
        runs = {
            entry["name"]: Run(RunSpec.from_dict(entry["spec"]), entry["facts"])
            for entry in json.loads((folder / "runs.json").read_text("utf-8"))
        }
    except FileNotFoundError:
        raise ValueError(
            f"There are no measured runs in {folder.name}; 'python -m lab.shipped' makes them."
        ) from None
    return Results(runs, {name: _table(folder / f"{name}.csv", COLUMNS[name]) for name in COLUMNS})


def _table(path: Path, kinds: dict[str, type]) -> pd.DataFrame:
    """One table; no rows if there is no file (no run of that task yet)."""
    if not path.exists():
        return pd.DataFrame({column: pd.Series(dtype=kind) for column, kind in kinds.items()})
    return pd.read_csv(path, dtype=kinds, usecols=list(kinds), keep_default_na=False)
