"""Measured rows in a CSV file that grows pass by pass and is whole at every moment."""

import csv
import os
import platform
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path

import torch

from models.opened import Model

Row = dict[str, str | int | float]


def environment(model: Model) -> str:
    """Versions and device of a measurement."""
    import transformers

    return (
        f"python {platform.python_version()}, torch {torch.__version__}, "
        f"transformers {transformers.__version__}, {model.device.type}"
    )


@dataclass(frozen=True)
class Table:
    """A file of rows.

    Args:
        path: The CSV file; it need not exist.
        columns: What each column holds.
        key: The columns that say which pass a row is of.
    """

    path: Path
    columns: Mapping[str, Callable[[str], str | int | float]]
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

    def passes(self) -> set[tuple[str | int | float, ...]]:
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
