"""Attention of long texts: any stage of any pair, computed a few query rows at a time.

Nothing of size length × length is ever held, so that the picture of 4096 tokens costs the memory
of a strip of it.
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass

import torch
from torch import Tensor

from posenc.attention.bias_steps import bias_steps
from posenc.attention.formula import Trace, attend
from posenc.attention.measures import attended_distance, attention_entropy, attention_surplus
from posenc.attention.steps import attention_steps
from posenc.places import PositionalEncoding
from posenc.quantity.matrix import Axis
from posenc.quantity.step import Step

COPIES = 20
"""Matrices of one head alive at once in a trace: measured 9 (NoPE) to 18.3 (CoPE)."""
STRIP_BYTES = 128 * 2**20
BEFORE_MASK = ("content", "dot", "scaled")

Pairs = Callable[[Tensor, Tensor], Tensor]
"""From indices of queries (q_len,) and keys (k_len,) to bool (q_len, k_len), see `masks`."""


@dataclass(frozen=True)
class AttentionRows:
    """One attention of one text, with every stage of any rows on demand.

    Args:
        q: Queries before place 2, (1, heads, length, head_dim).
        k: Keys before place 2, the same shape.
        v: Values, (1, heads, length, value_dim).
        encoding: Where position enters.
        pairs: Who may attend to whom; None is everybody.
        positions: Integers (length,); default 0 … length - 1.
        content: Queries and keys without any position, where positions were added to the
            embeddings; default q and k.
    """

    q: Tensor
    k: Tensor
    v: Tensor
    encoding: PositionalEncoding
    pairs: Pairs | None = None
    positions: Tensor | None = None
    content: tuple[Tensor, Tensor] | None = None

    @property
    def length(self) -> int:
        """Tokens."""
        return self.q.shape[-2]

    @property
    def heads(self) -> int:
        """Heads."""
        return self.q.shape[1]

    @property
    def strip(self) -> int:
        """Rows that are computed at once."""
        row = COPIES * self.heads * self.length * self.q.element_size()
        return max(1, min(self.length, STRIP_BYTES // row))

    def strips(self) -> Iterator[Tensor]:
        """All rows, a strip at a time: indices (rows,)."""
        yield from torch.arange(self.length, device=self.q.device).split(self.strip)

    def trace(self, rows: Tensor) -> Trace:
        """Every stage of some rows; `content` is without any position.

        Args:
            rows: Indices of queries, (rows,).

        Returns:
            The trace of these queries over all keys.
        """
        keys = torch.arange(self.length, device=self.q.device)
        positions = keys if self.positions is None else self.positions.to(keys.device)
        rows = rows.to(keys.device)
        whole = len(rows) == self.length and torch.equal(rows, keys)
        with torch.no_grad():
            return attend(
                self.q if whole else self.q[..., rows, :],
                self.k,
                self.v,
                self.encoding,
                mask=None if self.pairs is None else self.pairs(rows, keys),
                q_positions=positions if whole else positions[rows],
                k_positions=positions,
                trace=True,
            )

    def output(self) -> Tensor:
        """What the attention hands on, (1, heads, length, value_dim), a strip at a time."""
        keys = torch.arange(self.length, device=self.q.device)
        positions = keys if self.positions is None else self.positions.to(keys.device)
        with torch.no_grad():
            q, k = self.encoding.rotate(self.q, self.k, positions, positions)
            strips = [
                attend(
                    q[..., rows, :],
                    k,
                    self.v,
                    self.encoding,
                    mask=None if self.pairs is None else self.pairs(rows, keys),
                    q_positions=positions[rows],
                    k_positions=positions,
                    rotated=True,
                )
                for rows in self.strips()
            ]
        return torch.cat(strips, dim=-2)

    def stage(self, name: str, rows: Tensor) -> Tensor:
        """One stage of some rows in every head; NaN where the mask forbids attention.

        Args:
            name: A stage of `Trace`, or "position" (scaled + bias - content), or "surplus".
            rows: Indices of queries, (rows,).

        Returns:
            (heads, rows, length).
        """
        return self.stage_of(self.trace(rows), name, rows)

    def stage_of(self, trace: Trace, name: str, rows: Tensor) -> Tensor:
        """`stage` from a trace of these rows that is there already."""
        if name == "content":
            return self.without_position(trace, rows)
        if name == "position":
            values = trace.scaled[0] + trace.bias[0] - self.without_position(trace, rows)
        elif name == "surplus":
            values = attention_surplus(trace.logits[0])
        else:
            values = getattr(trace, name)[0]
        if name in BEFORE_MASK:
            return values
        return values.masked_fill(trace.masked[0] == -torch.inf, torch.nan)

    def without_position(self, trace: Trace, rows: Tensor) -> Tensor:
        """q·k · scale of these rows without any position, (heads, rows, length)."""
        if self.content is None:
            return trace.content[0]
        q, k = self.content
        return (q[0][:, rows.to(q.device)] @ k[0].mT) * q.shape[-1] ** -0.5


@dataclass(frozen=True)
class AttentionStage:
    """One stage of one head, queries down and keys to the right, as a quantity.

    Args:
        attention: The attention.
        stage: See `AttentionRows.stage`.
        head: Head, from 0.
        name: What a cell is.
        unit: Unit of a cell.
        labels: The tokens, where they shall stand on the axes.
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
        return Axis("query i", self.attention.length, self.labels)

    @property
    def cols(self) -> Axis:
        """Keys."""
        return Axis("key j", self.attention.length, self.labels)

    @property
    def signed(self) -> bool:
        """Only weights have no sign."""
        return self.stage != "weights"

    def at(self, rows: Tensor, cols: Tensor) -> Tensor:
        """The values, float64 (len(rows), len(cols)); NaN where the mask forbids attention."""
        found = [
            self.attention.stage(self.stage, part)[self.head][:, cols.to(self.attention.q.device)]
            for part in rows.split(self.attention.strip)
        ]
        return torch.cat(found).to("cpu", torch.float64)

    def mean(self, row_edges: Tensor, col_edges: Tensor) -> Tensor:
        """Mean over the pairs of each block that the mask allows; NaN where it allows none."""
        rows = torch.arange(int(row_edges[0]), int(row_edges[-1]))
        sums = torch.zeros(len(row_edges) - 1, len(col_edges) - 1, dtype=torch.float64)
        counts = torch.zeros_like(sums)
        for part in rows.split(self.attention.strip):
            values = self.attention.stage(self.stage, part)[self.head]
            add_blocks(sums, counts, values, part, row_edges, col_edges)
        return sums / counts

    def steps(self, row: int, col: int) -> tuple[Step, ...]:
        """The formula with the numbers of one pair, ending in the value that `at` has there."""
        attention, at = self.attention, torch.tensor([row])
        trace = attention.trace(at)
        content = attention.without_position(trace, at)
        places = attention.positions
        i, j = (row, col) if places is None else (int(places[row]), int(places[col]))
        bias = bias_steps(attention.encoding, self.head, i, j)
        *before, last = attention_steps(
            trace, self.stage, 0, col, self.head, content=content, first=row, bias=bias
        )
        value = float(self.at(at, torch.tensor([col]))[0, 0])
        return (*before, Step(last.symbol, last.formula, last.substituted, value))


def attention_weight_steps(
    attention: AttentionRows, head: int, row: int, col: int
) -> tuple[Step, ...]:
    """One bar of a row of attention: as the stage "weights", but 0 where the mask forbids."""
    *before, last = AttentionStage(attention, "weights", head, "attention").steps(row, col)
    if last.value == last.value:
        return (*before, last)
    return (*before, Step(rf"\alpha_{{{row},{col}}}", rf"{last.formula},\;e^{{-\infty}}", "", 0.0))


def add_blocks(
    sums: Tensor,
    counts: Tensor,
    values: Tensor,
    rows: Tensor,
    row_edges: Tensor,
    col_edges: Tensor,
) -> None:
    """Add a strip of rows to the sums and counts of the blocks it lies in; NaN is left out.

    Args:
        sums: float64 (..., row blocks, col blocks), changed.
        counts: The same shape, changed.
        values: (..., len(rows), length).
        rows: Indices of the strip's rows, (len(rows),).
        row_edges: (row blocks + 1,).
        col_edges: (col blocks + 1,).
    """
    allowed = ~values.isnan()
    edges = col_edges.to(values.device)
    block = (torch.searchsorted(row_edges, rows.to(row_edges.device), right=True) - 1).to("cpu")
    for total, part in ((sums, values.nan_to_num(nan=0.0)), (counts, allowed)):
        running = torch.nn.functional.pad(part.to(torch.float64).cumsum(-1), (1, 0))
        by_column = running[..., edges[1:]] - running[..., edges[:-1]]
        total.index_add_(-2, block, by_column.cpu())


@dataclass(frozen=True)
class Survey:
    """All heads of one attention at a glance."""

    views: Tensor
    """float64 (heads, row blocks, col blocks): block means of one stage."""
    edges: Tensor
    """Block borders of both axes."""
    entropy: Tensor
    """(heads, length): entropy of every query's attention, nats."""
    distance: Tensor
    """(heads, length): mean distance that it reaches, tokens."""


def survey(
    attention: AttentionRows,
    stage: str,
    cells: int = 64,
    progress: Callable[[float], None] = lambda part: None,
) -> Survey:
    """Go once over all rows of an attention.

    Args:
        attention: The attention.
        stage: What the views show, see `AttentionRows.stage`.
        cells: Most blocks each way.
        progress: Told the part that is done, after every strip.
    """
    length, heads = attention.length, attention.heads
    step = -(-length // cells)
    edges = torch.cat((torch.arange(0, length, step), torch.tensor([length])))
    sums = torch.zeros(heads, len(edges) - 1, len(edges) - 1, dtype=torch.float64)
    counts = torch.zeros_like(sums)
    entropy, distance = [], []
    index = torch.arange(length, device=attention.q.device)
    for rows in attention.strips():
        trace = attention.trace(rows)
        add_blocks(sums, counts, attention.stage_of(trace, stage, rows), rows, edges, edges)
        entropy.append(attention_entropy(trace.weights[0]).cpu())
        distance.append(attended_distance(trace.weights, rows, index)[0].cpu())
        progress((int(rows[-1]) + 1) / length)
    return Survey(sums / counts, edges, torch.cat(entropy, -1), torch.cat(distance, -1))
