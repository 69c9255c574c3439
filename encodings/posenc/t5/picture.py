"""T5's buckets, and a head's bias for them, as a matrix: exact values and means over blocks."""

from dataclasses import dataclass

import torch
from torch import Tensor

from posenc.checks import check_finite, check_int
from posenc.places import relative_position
from posenc.quantity.matrix import QueryByKey, value_at
from posenc.quantity.means import staircase_mean
from posenc.quantity.step import Step
from posenc.t5.edges import t5_bucket_lower_edges
from posenc.t5.formula import T5Bias, bucket_sizes, t5_bucket
from posenc.t5.steps import t5_bucket_steps
from posenc.words import say


@dataclass(frozen=True)
class T5Buckets(QueryByKey):
    """Query × key: T5's bucket, or the bias that a head has learned for it.

    Args:
        length: Positions 0 … length - 1 on both axes.
        bidirectional: True for an encoder, False for a decoder.
        num_buckets: Buckets in all.
        max_distance: See `t5_bucket`.
        table: One head's bias per bucket, (num_buckets,); None shows the bucket itself.
    """

    length: int
    bidirectional: bool
    num_buckets: int = 32
    max_distance: int = 128
    table: Tensor | None = None

    def __post_init__(self) -> None:
        check_int("length", self.length, 1)
        bucket_sizes(self.bidirectional, self.num_buckets, self.max_distance)
        if self.table is not None:
            if self.table.shape != (self.num_buckets,):
                raise ValueError(
                    f"table must have shape ({self.num_buckets},), got {tuple(self.table.shape)}."
                )
            check_finite("table", self.table)

    @property
    def name(self) -> str:
        """Name of a cell's value, in words."""
        return say("T5 bucket") if self.table is None else say("T5 bias")

    @property
    def signed(self) -> bool:
        """A learned bias has a middle at zero."""
        return self.table is not None

    def at(self, rows: Tensor, cols: Tensor) -> Tensor:
        """Exact values, float64 (len(rows), len(cols))."""
        return self._values(relative_position(rows, cols))

    def steps(self, row: int, col: int) -> tuple[Step, ...]:
        """Distance, its bucket (exact or logarithmic), the side of it, and the bias if learned."""
        bucket = t5_bucket_steps(row, col, self.bidirectional, self.num_buckets, self.max_distance)
        if self.table is None:
            return bucket
        symbol = f"b_{{{row},{col}}}"
        value = value_at(self, row, col)
        return (*bucket, Step(symbol, rf"\text{{table}}[\beta_{{{row},{col}}}]", "", value))

    def mean(self, row_edges: Tensor, col_edges: Tensor) -> Tensor:
        """Exact mean over blocks: a staircase is a row of steps, and cells are counted."""
        knots = self._knots()
        below = torch.tensor([-self.max_distance])
        return staircase_mean(row_edges, col_edges, knots, self._values(torch.cat((below, knots))))

    def _values(self, distance: Tensor) -> Tensor:
        buckets = t5_bucket(distance, self.bidirectional, self.num_buckets, self.max_distance)
        if self.table is None:
            return buckets.to(torch.float64)
        return self.table.detach().to("cpu", torch.float64)[buckets]

    def _knots(self) -> Tensor:
        """Relative positions j - i at which the bucket changes, rising."""
        edges = t5_bucket_lower_edges(self.bidirectional, self.num_buckets, self.max_distance)
        edges = edges.unique()[1:]  # the first edge is distance 0
        past = 1 - edges.flip(0)
        return torch.cat((past, edges)) if self.bidirectional else past


def bias_of(encoding: T5Bias, head: int, length: int) -> T5Buckets:
    """The bias that a head of this encoding adds."""
    return T5Buckets(
        length=length,
        bidirectional=encoding.bidirectional,
        num_buckets=encoding.num_buckets,
        max_distance=encoding.max_distance,
        table=encoding.table[:, head].detach(),
    )
