"""The remapped distance as a picture."""

from dataclasses import dataclass

import torch
from torch import Tensor

from posenc.quantity.axes import QueryByKey
from posenc.quantity.lines import distance_step, masked
from posenc.quantity.matrix import value_at
from posenc.quantity.step import Step
from posenc.scaling.remap.distances import Remapping, difference
from posenc.words import say


@dataclass(frozen=True)
class EffectiveDistance(QueryByKey):
    """Query position × key position: the distance that RoPE is shown. The future is NaN.

    Args:
        remapping: `ReRoPE`, `LeakyReRoPE`, `SelfExtend` or `DualChunk`.
        length: Positions 0 … length - 1 on both axes.
    """

    remapping: Remapping
    length: int
    name = say("effective distance")
    unit = say("positions")
    signed = False

    def at(self, rows: Tensor, cols: Tensor) -> Tensor:
        """Exact values, float64 (len(rows), len(cols)); NaN where j > i."""
        distance = self.remapping.distance(rows, cols)
        return distance.masked_fill(difference(rows, cols) < 0, torch.nan)

    def steps(self, row: int, col: int) -> tuple[Step, ...]:
        """True distance, and what the remapping makes of it."""
        distance = distance_step(row, col)
        symbol = rf"\delta'_{{{row},{col}}}"
        if col > row:
            return distance, masked(symbol)
        return distance, Step(symbol, *self.remapping.written(row, col), value_at(self, row, col))
