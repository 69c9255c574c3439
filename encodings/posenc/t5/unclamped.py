"""T5's buckets with the last step of the formula left out: a mistake that has been released."""

import math
from dataclasses import dataclass

import torch
from torch import Tensor

from posenc.checks import check_int
from posenc.places import relative_position
from posenc.quantity.matrix import QueryByKey, value_at
from posenc.quantity.step import Step, number
from posenc.t5.formula import t5_bucket
from posenc.words import say


def t5_bucket_unclamped(
    relative_position: Tensor, bidirectional: bool, num_buckets: int = 32, max_distance: int = 128
) -> Tensor:
    """`t5_bucket` without min(…, n - 1): far distances run out of their direction's buckets.

    Bidirectional: a far past key reads the rows of the future, and a far future key reads past the
    end of the table. Causal: far past keys read past its end.

    Takes what `t5_bucket` takes.

    Returns:
        int64, same shape, values from 0, without an upper end.

    Raises:
        ValueError: If an argument is out of range or positions are not integers.
    """
    right = t5_bucket(relative_position, bidirectional, num_buckets, max_distance)
    per_side = num_buckets // 2 if bidirectional else num_buckets
    exact = per_side // 2
    distance = relative_position.abs()
    if not bidirectional:
        distance = -relative_position.clamp(max=0)
    ratio = (distance.clamp(min=exact) / exact).to(torch.float64).log()
    steps = ratio / math.log(max_distance / exact) * (per_side - exact)
    beyond = (exact + steps.to(torch.int64) - (per_side - 1)).clamp(min=0)
    return right + beyond


@dataclass(frozen=True)
class T5BucketsUnclamped(QueryByKey):
    """Query × key: the bucket of `t5_bucket_unclamped`.

    Takes what `T5Buckets` takes, without a table.
    """

    length: int
    bidirectional: bool
    num_buckets: int = 32
    max_distance: int = 128
    name = say("bucket without min")
    signed = False

    def __post_init__(self) -> None:
        check_int("length", self.length, 1)
        self.at(torch.arange(1), torch.arange(1))

    def at(self, rows: Tensor, cols: Tensor) -> Tensor:
        """Exact values, float64 (len(rows), len(cols))."""
        distance = relative_position(rows, cols)
        buckets = t5_bucket_unclamped(
            distance, self.bidirectional, self.num_buckets, self.max_distance
        )
        return buckets.to(torch.float64)

    def steps(self, row: int, col: int) -> tuple[Step, ...]:
        """Relative position, the bucket it should have, and the one it gets."""
        x = col - row
        right = t5_bucket(torch.tensor(x), self.bidirectional, self.num_buckets, self.max_distance)
        return (
            Step("x", "j - i", f"{number(col)} - {number(row)}", x),
            Step(r"\beta", r"\text{with min}", "", right.item()),
            Step(rf"\beta_{{{row},{col}}}", r"\text{without}", "", value_at(self, row, col)),
        )
