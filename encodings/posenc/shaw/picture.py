"""The ids of relative positions as a matrix: exact values and means over blocks."""

from dataclasses import dataclass

import torch
from torch import Tensor

from posenc.checks import check_choice, check_int
from posenc.quantity.matrix import Axis, value_at
from posenc.quantity.means import ramp_mean
from posenc.quantity.step import Step
from posenc.shaw.formula import CONVENTIONS, Convention, relative_position_ids_at
from posenc.shaw.steps import id_steps
from posenc.words import say


@dataclass(frozen=True)
class RelativeIds:
    """Query × key: the id clip(j - i, -k, k) + k, the queries being the last q_len positions.

    Takes what `relative_position_ids` takes.
    """

    q_len: int
    k_len: int
    max_distance: int
    convention: Convention = "key_minus_query"
    name = say("relative position id")
    unit = ""
    signed = False

    def __post_init__(self) -> None:
        check_int("k_len", self.k_len, 1)
        check_int("q_len", self.q_len, 1, maximum=self.k_len)
        check_int("max_distance", self.max_distance, 1)
        check_choice("convention", self.convention, CONVENTIONS)

    @property
    def rows(self) -> Axis:
        """Queries; row 0 is at position k_len - q_len."""
        return Axis(say("query"), self.q_len)

    @property
    def cols(self) -> Axis:
        """Keys."""
        return Axis(say("key"), self.k_len)

    def at(self, rows: Tensor, cols: Tensor) -> Tensor:
        """Exact ids, as float64 (len(rows), len(cols))."""
        first = self.k_len - self.q_len
        ids = relative_position_ids_at(rows + first, cols, self.max_distance, self.convention)
        return ids.to(torch.float64)

    def steps(self, row: int, col: int) -> tuple[Step, ...]:
        """Distance, clipped, counted from 0."""
        first = self.k_len - self.q_len
        k = self.max_distance
        before = (
            (Step("i", r"\text{row} + \text{cached keys}", f"{row} + {first}", row + first),)
            if first
            else ()
        )
        value = value_at(self, row, col)
        return before + id_steps(row + first, col, k, self.convention, value)

    def mean(self, row_edges: Tensor, col_edges: Tensor) -> Tensor:
        """Exact mean id over blocks: a clipped line is the difference of two ramps."""
        edges = (row_edges + self.k_len - self.q_len, col_edges)
        k = self.max_distance
        ids = ramp_mean(*edges, -k) - ramp_mean(*edges, k)
        return ids if self.convention == "key_minus_query" else 2 * k - ids
