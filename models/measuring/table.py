"""Measured rows in a CSV file that grows pass by pass and is whole at every moment."""

import csv
import os
import platform
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import torch

from models.opened import Model

Value = str | int | float
Row = dict[str, Value]
Columns = dict[str, Callable[[str], Value]]
OF_TEXT: Columns = {"model": str, "text": str, "kind": str, "sha256": str}
"""The first columns of what is measured on a text, see `Text.columns`."""
MEASURED: Columns = {"seconds": float, "versions": str}
"""The last columns of every measurement."""


def environment(model: Model) -> str:
    """Versions and device of a measurement."""
    import transformers

    return (
        f"python {platform.python_version()}, torch {torch.__version__}, "
        f"transformers {transformers.__version__}, {model.device.type}"
    )


def measured(model: Model, begin: float, **columns: Value) -> Row:
    """Columns that the rows of a pass share, which began at this `time.perf_counter`."""
    seconds = round(time.perf_counter() - begin, 2)
    return {"model": model.id, **columns, "seconds": seconds, "versions": environment(model)}


@dataclass(frozen=True)
class Table:
    """A file of rows.

    Args:
        path: The CSV file; it need not exist.
        columns: What each column holds.
        key: The columns that say which pass a row is of.
    """

    path: Path
    columns: Columns
    key: tuple[str, ...]

    def rows(self) -> list[Row]:
        """All rows.

        Raises:
            ValueError: If the file is not what it must be, in a sentence that names the line.
        """
        if not self.path.exists():
            return []
        try:
            with self.path.open(newline="", encoding="utf-8") as file:
                lines = list(csv.reader(file, strict=True))
        except (OSError, UnicodeDecodeError, csv.Error) as error:
            raise self._broken(1, str(error)) from None
        if not lines or lines[0] != list(self.columns):
            raise self._broken(1, f"the columns must be {','.join(self.columns)}")
        return [self._row(number, line) for number, line in enumerate(lines[1:], 2)]

    def passes(self) -> set[tuple[Value, ...]]:
        """The keys of what has been measured."""
        return {tuple(row[name] for name in self.key) for row in self.rows()}

    def add(self, rows: list[Row]) -> None:
        """Add the rows of a pass; a reader sees the file before it, or the file after it."""
        everything = self.rows() + rows
        self.path.parent.mkdir(parents=True, exist_ok=True)
        part = self.path.with_name(f".{self.path.name}.{os.getpid()}")
        try:
            with part.open("w", newline="", encoding="utf-8") as file:
                writer = csv.DictWriter(file, list(self.columns), lineterminator="\n")
                writer.writeheader()
                writer.writerows(everything)
            part.replace(self.path)
        finally:
            part.unlink(missing_ok=True)

    def _row(self, number: int, line: list[str]) -> Row:
        if len(line) != len(self.columns):
            raise self._broken(number, f"{len(line)} values for {len(self.columns)} columns")
        row: Row = {}
        for (name, kind), value in zip(self.columns.items(), line, strict=True):
            try:
                row[name] = kind(value)
            except ValueError:
                raise self._broken(number, f"{name} is {value!r:.40}") from None
        return row

    def _broken(self, line: int, why: str) -> ValueError:
        return ValueError(
            f"{self.path} cannot be continued, line {line}: {why}. Repair the file, or move it "
            "away to measure everything anew."
        )


def tables(file: str, columns: Columns, key: tuple[str, ...]) -> Callable[[Path], Table]:
    """From a folder to the table that is kept there under this name."""
    return lambda folder: Table(folder / file, columns, key)
