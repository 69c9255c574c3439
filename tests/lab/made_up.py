"""Results whose verdicts are known, because the numbers are made up."""

from collections.abc import Iterable
from typing import Any

import numpy as np
import pandas as pd

from lab.results.tables import COLUMNS, Results, Run
from lab.spec import RunSpec, counting_spec, recall_spec, text_spec

L = 128
CHUNKS = 16


class MadeUp:
    """Rows are added by their meaning; `results` reads them as the shipped files are read."""

    def __init__(self) -> None:
        self.runs: dict[str, Run] = {}
        self.rows: dict[str, list[dict[str, Any]]] = {name: [] for name in COLUMNS}

    def recall(
        self,
        method: str,
        length: int,
        near: float,
        far: float | None,
        *,
        encoding: str = "rope",
        seeds: Iterable[int] = range(3),
        tuned: int = 0,
        last: float | None = None,
        **settings: float,
    ) -> None:
        """Per cent of 400 keys at D = 64, at 160 and, with `last`, at the context's end."""
        places = {64: near, 160: far, length - 32: far if last is None else last}
        for spec in (recall_spec(encoding, seed, **settings) for seed in seeds):
            for distance, percent in places.items():
                if percent is None or distance >= length:
                    continue
                self.add(
                    "recall",
                    spec,
                    method=method,
                    length=length,
                    distance=distance,
                    asked=400,
                    right=round(4 * percent),
                    tuned=tuned,
                )

    def text(
        self,
        method: str,
        length: int,
        bits: float,
        *,
        encoding: str = "rope",
        seeds: Iterable[int] = range(3),
        tuned: int = 0,
        measure: str = "tail",
        **settings: float,
    ) -> None:
        """Chunks as unequal as texts are, all moved by `bits`, with a little noise."""
        for spec in (text_spec(encoding, seed, **settings) for seed in seeds):
            noise = np.random.default_rng([spec.seed, length, len(method)]).normal(0, 0.004, CHUNKS)
            for chunk in range(CHUNKS):
                value = bits + 0.1 * chunk + float(noise[chunk])
                self.add(
                    "text",
                    spec,
                    method=method,
                    length=length,
                    tuned=tuned,
                    measure=measure,
                    chunk=chunk,
                    bits=value,
                )

    def counting(
        self,
        encoding: str,
        wrong: float,
        *,
        length: int = 256,
        seeds: Iterable[int] = range(3),
        **settings: float,
    ) -> None:
        """Per cent of 2000 answers."""
        for spec in (counting_spec(encoding, seed, **settings) for seed in seeds):
            self.add(
                "counting",
                spec,
                mix="as trained",
                length=length,
                asked=2000,
                wrong=round(20 * wrong),
            )

    def add(self, table: str, spec: RunSpec, **values: Any) -> None:
        self.runs.setdefault(spec.name, Run(spec, {}))
        self.rows[table].append({"run": spec.name, **values})

    @property
    def results(self) -> Results:
        tables = {
            name: pd.DataFrame(rows, columns=list(COLUMNS[name]))
            for name, rows in self.rows.items()
        }
        return Results(self.runs, tables)
