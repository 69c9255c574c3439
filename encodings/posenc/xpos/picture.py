"""xPos's score as a quantity."""

from dataclasses import dataclass

import torch
from torch import Tensor

from posenc.quantity.axes import QueryByKey
from posenc.quantity.lines import distance_step, masked
from posenc.quantity.matrix import value_at
from posenc.quantity.step import Step
from posenc.rope.pairs import Layout
from posenc.rope.score import pair_products
from posenc.waves import over_pairs
from posenc.words import say
from posenc.xpos.score import xpos_score_at_distance
from posenc.xpos.steps import SCORE, xpos_score_steps


@dataclass(frozen=True)
class XPosScore(QueryByKey):
    """Query position m × key position n: q_m·k_n of xPos, not divided by sqrt(head_dim).

    The future (n > m) is NaN: there xPos grows without bound, and causal attention never looks.

    Args:
        query: q, (head_dim,), the same at every position.
        key: k, (head_dim,).
        inv_freq: θ, (pairs,), radians per position.
        zeta: ζ, (pairs,), of `xpos_zeta`.
        length: Positions 0 … length - 1 on both axes.
        layout: Which channels form a pair, "interleaved" or "half".
        scale_base: B.
    """

    query: Tensor
    key: Tensor
    inv_freq: Tensor
    zeta: Tensor
    length: int
    layout: Layout = "interleaved"
    scale_base: float = 512.0
    letters = "mn"
    name = say("score qₘ·kₙ of xPos")
    unit = ""
    signed = True

    def at(self, rows: Tensor, cols: Tensor) -> Tensor:
        """Exact values, float64 (len(rows), len(cols)); NaN where n > m."""
        return over_pairs(self._at_distance, rows, cols)

    def steps(self, row: int, col: int) -> tuple[Step, ...]:
        """Distance, what the first pair adds and keeps, and the sum over the pairs."""
        distance = distance_step(row, col, names="mn")
        if col > row:
            return distance, masked(SCORE, "n > m")
        product, passed = pair_products(self.query, self.key, len(self.inv_freq), self.layout)
        score = xpos_score_steps(
            distance=row - col,
            product=product,
            passed=passed,
            inv_freq=self.inv_freq,
            zeta=self.zeta,
            scale_base=self.scale_base,
            value=value_at(self, row, col),
        )
        return distance, *score

    def _at_distance(self, distances: Tensor) -> Tensor:
        past = distances >= 0
        curve = torch.full(distances.shape, torch.nan, dtype=torch.float64)
        curve[past] = xpos_score_at_distance(
            self.query,
            self.key,
            self.inv_freq,
            self.zeta,
            distances[past],
            self.layout,
            self.scale_base,
        )
        return curve
