"""One stage of one head as a quantity, with the numbers of any pair followed."""

from dataclasses import dataclass
from typing import ClassVar

import torch
from torch import Tensor

from posenc.attention.rows import AttentionRows, add_blocks
from posenc.attention.steps.biases import bias_steps
from posenc.attention.steps.measures import difference_steps
from posenc.attention.steps.pairs import after_place_two, attention_steps
from posenc.quantity.matrix import Axis, queries_by_keys, value_at
from posenc.quantity.step import Step
from posenc.words import say


@dataclass(frozen=True)
class AttentionStage:
    """One stage of one head, queries down and keys to the right, as a quantity.

    Args:
        attention: The attention.
        stage: See `AttentionRows.stage`.
        head: Head, from 0.
        name: What a cell is.
        unit: Unit of a cell.
        labels: The tokens, where they are to stand on the axes.
    """

    attention: AttentionRows
    stage: str
    head: int
    name: str
    unit: str = ""
    labels: tuple[str, ...] | None = None

    @property
    def rows(self) -> Axis:
        """Queries."""
        return queries_by_keys(self.attention.length, self.labels)[0]

    @property
    def cols(self) -> Axis:
        """Keys."""
        return queries_by_keys(self.attention.length, self.labels)[1]

    @property
    def signed(self) -> bool:
        """Only weights have no sign."""
        return self.stage != "weights"

    def at(self, rows: Tensor, cols: Tensor) -> Tensor:
        """The values, float64 (len(rows), len(cols)); NaN where the mask forbids attention."""
        found = [
            self._rows(part)[:, cols.to(self.attention.q.device)]
            for part in rows.split(self.attention.strip)
        ]
        return torch.cat(found).to("cpu", torch.float64)

    def _rows(self, rows: Tensor) -> Tensor:
        """(rows, length): attention itself needs no other stage."""
        if self.stage != "weights":
            return self.attention.stage(self.stage, rows)[self.head]
        values = self.attention.weights(rows, self.head)[0]
        if self.attention.pairs is None:
            return values
        keys = torch.arange(self.attention.length, device=values.device)
        return values.masked_fill(~self.attention.pairs(rows.to(keys.device), keys), torch.nan)

    def mean(self, row_edges: Tensor, col_edges: Tensor) -> Tensor:
        """Mean over the pairs of each block that the mask allows; NaN where it allows none."""
        rows = torch.arange(int(row_edges[0]), int(row_edges[-1]))
        sums = torch.zeros(len(row_edges) - 1, len(col_edges) - 1, dtype=torch.float64)
        counts = torch.zeros_like(sums)
        for part in rows.split(self.attention.strip):
            values = self._rows(part)
            add_blocks(sums, counts, values, part, row_edges, col_edges)
        return sums / counts

    def steps(self, row: int, col: int) -> tuple[Step, ...]:
        """The formula with the numbers of one pair, ending in the value that `at` has there."""
        attention = self.attention
        at = torch.tensor([row])
        trace = attention.trace(at)
        content = attention.without_position(trace, at)
        places = attention.positions
        i, j = (row, col) if places is None else (int(places[row]), int(places[col]))
        bias = bias_steps(attention.encoding, self.head, i, j)
        plain = None
        if attention.rotates:
            plain = attention.q[0, self.head, row], attention.k[0, self.head, col]
        *before, last = attention_steps(
            trace,
            self.stage,
            0,
            col,
            self.head,
            content=content,
            first=row,
            bias=bias,
            vectors=after_place_two(attention.encoding),
            plain=plain,
        )
        value = float(self.at(at, torch.tensor([col]))[0, 0])
        return (*before, Step(last.symbol, last.formula, last.substituted, value))


@dataclass(frozen=True)
class StageDifference:
    """How a stage of a head differs under two readings of one text, as a quantity.

    Args:
        changed: The stage as it is now.
        own: The same stage of the same head as it was.
        letters: What stands for each of them in the formulas.
    """

    changed: AttentionStage
    own: AttentionStage
    letters: tuple[str, str] = ("A", "B")
    signed: ClassVar[bool] = True

    @property
    def name(self) -> str:
        """Name of a cell's value."""
        return say("difference of {name}", name=self.own.name)

    @property
    def unit(self) -> str:
        """Unit of a cell."""
        return self.own.unit

    @property
    def rows(self) -> Axis:
        """Queries."""
        return self.own.rows

    @property
    def cols(self) -> Axis:
        """Keys."""
        return self.own.cols

    def at(self, rows: Tensor, cols: Tensor) -> Tensor:
        """The values, float64 (len(rows), len(cols)); NaN where the mask forbids attention."""
        return self.changed.at(rows, cols) - self.own.at(rows, cols)

    def mean(self, row_edges: Tensor, col_edges: Tensor) -> Tensor:
        """Mean over the pairs of each block that the mask allows; NaN where it allows none."""
        return self.changed.mean(row_edges, col_edges) - self.own.mean(row_edges, col_edges)

    def steps(self, row: int, col: int) -> tuple[Step, ...]:
        """Both values of one pair, and their difference."""
        value = value_at(self, row, col)
        return difference_steps(
            self.changed.steps(row, col), self.own.steps(row, col), self.letters, value
        )


def attention_weight_steps(
    attention: AttentionRows, head: int, row: int, col: int
) -> tuple[Step, ...]:
    """One bar of a row of attention: as the stage "weights", but 0 where the mask forbids."""
    *before, last = AttentionStage(attention, "weights", head, "attention").steps(row, col)
    if last.value == last.value:
        return (*before, last)
    return (*before, Step(rf"\alpha_{{{row},{col}}}", rf"{last.formula},\;e^{{-\infty}}", "", 0.0))
