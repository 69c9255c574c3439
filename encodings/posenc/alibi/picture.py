"""ALiBi's bias as a matrix: exact values and means over blocks."""

from dataclasses import dataclass

import torch
from torch import Tensor

from posenc.alibi.formula import ALiBi, alibi_bias
from posenc.alibi.steps import alibi_bias_steps, two_sided_steps
from posenc.checks import check_int, check_number
from posenc.places import relative_position
from posenc.quantity.matrix import QueryByKey
from posenc.quantity.means import ramp_mean, step_mean
from posenc.quantity.step import Step
from posenc.words import say


@dataclass(frozen=True)
class ALiBiBias(QueryByKey):
    """Query × key: ALiBi's bias of one head.

    NaN marks what the causal mask hides; a block's mean is over its visible cells alone.

    Args:
        slope: m.
        length: Positions 0 … length - 1 on both axes.
        symmetric: Show -m·|i - j| with nothing hidden.
    """

    slope: float
    length: int
    symmetric: bool = False
    name = say("ALiBi bias")
    signed = False

    def __post_init__(self) -> None:
        check_number("slope", self.slope)
        check_int("length", self.length, 1)

    def at(self, rows: Tensor, cols: Tensor) -> Tensor:
        """Exact values, float64 (len(rows), len(cols))."""
        distance = relative_position(rows, cols)
        slope = torch.tensor([self.slope], dtype=torch.float64)
        bias = alibi_bias(slope, distance, self.symmetric, dtype=torch.float64)[0]
        return bias if self.symmetric else bias.masked_fill(distance > 0, torch.nan)

    def steps(self, row: int, col: int) -> tuple[Step, ...]:
        """Distance, and the slope times it."""
        return alibi_bias_steps(self.slope, row, col, symmetric=self.symmetric)

    def mean(self, row_edges: Tensor, col_edges: Tensor) -> Tensor:
        """Exact mean over the visible cells of each block; NaN where none is visible."""
        # Transposed, the past counts up: a corner of few visible cells is not a rest of many.
        past = ramp_mean(col_edges, row_edges, 0).mT  # mean of max(i - j, 0)
        if self.symmetric:
            return -self.slope * (past + ramp_mean(row_edges, col_edges, 0))
        visible = step_mean(col_edges, row_edges, 0).mT
        return torch.where(visible > 0, -self.slope * past / visible, torch.nan)


@dataclass(frozen=True)
class ALiBiTwoSided(QueryByKey):
    """Query × key: a bias that falls with one slope into the past, with another into the future.

    Args:
        slope: m, for keys before the query.
        future_slope: m', for keys after it.
        length: Positions 0 … length - 1 on both axes.

    Source: ofirpress/attention_with_linear_biases, issue 5.
    """

    slope: float
    future_slope: float
    length: int
    name = say("ALiBi bias")
    signed = False

    def __post_init__(self) -> None:
        check_number("slope", self.slope)
        check_number("future_slope", self.future_slope)
        check_int("length", self.length, 1)

    def at(self, rows: Tensor, cols: Tensor) -> Tensor:
        """Exact values, float64 (len(rows), len(cols))."""
        ahead = relative_position(rows, cols).to(torch.float64)
        return torch.where(ahead > 0, -self.future_slope * ahead, self.slope * ahead)

    def steps(self, row: int, col: int) -> tuple[Step, ...]:
        """Distance, and the slope of its side times it."""
        return two_sided_steps(self.slope, self.future_slope, row, col)

    def mean(self, row_edges: Tensor, col_edges: Tensor) -> Tensor:
        """Exact mean over blocks: two ramps."""
        past = ramp_mean(col_edges, row_edges, 0).mT
        return -self.slope * past - self.future_slope * ramp_mean(row_edges, col_edges, 0)


def bias_of(encoding: ALiBi, head: int, length: int) -> ALiBiBias:
    """The bias that a head of this encoding adds."""
    return ALiBiBias(encoding.slopes[head].item(), length, encoding.symmetric)
