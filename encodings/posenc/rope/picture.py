"""RoPE's quantities: angles, matrices and scores by formula, and curves of distance."""

from dataclasses import dataclass, replace
from itertools import pairwise
from typing import Literal

import torch
from torch import Tensor

from posenc.checks import check_choice
from posenc.quantity.lines import distance_step
from posenc.quantity.matrix import Axis, QueryByKey, value_at
from posenc.quantity.means import mean_cis
from posenc.quantity.step import Step, number
from posenc.rope.pairs import Layout
from posenc.rope.score import pair_products, rope_score_at_distance
from posenc.rope.steps import angle_steps, score_steps
from posenc.waves import over_pairs, rope_angles
from posenc.words import say

NAMES = {
    "angle": say("angle p·θᵢ"),
    "cos": say("cosine of the angle p·θᵢ"),
    "sin": say("sine of the angle p·θᵢ"),
}
"""Names of the values that `RoPEAngles` can show, by id."""


@dataclass(frozen=True)
class RoPEAngles:
    """Position × pair: the angle p·θ_i, or its cosine or sine.

    Args:
        inv_freq: θ, (pairs,), radians per position.
        length: Positions 0 … length - 1.
        value: "angle" (radians, not wrapped), "cos" or "sin".
    """

    inv_freq: Tensor
    length: int
    value: Literal["angle", "cos", "sin"] = "angle"

    def __post_init__(self) -> None:
        check_choice("value", self.value, tuple(NAMES))

    @property
    def name(self) -> str:
        """Name of a cell's value, in words."""
        return NAMES[self.value]

    @property
    def rows(self) -> Axis:
        """Positions."""
        return Axis(say("position"), self.length)

    @property
    def cols(self) -> Axis:
        """Pairs, fastest first."""
        return Axis(say("pair"), len(self.inv_freq))

    @property
    def unit(self) -> str:
        """Radians for the angle."""
        return "rad" if self.value == "angle" else ""

    @property
    def signed(self) -> bool:
        """Cosine and sine have a middle at zero."""
        return self.value != "angle"

    def at(self, rows: Tensor, cols: Tensor) -> Tensor:
        """Exact values, float64 (len(rows), len(cols))."""
        angles = rope_angles(rows, self.inv_freq[cols])
        return angles if self.value == "angle" else getattr(torch, self.value)(angles)

    def steps(self, row: int, col: int) -> tuple[Step, ...]:
        """Frequency of the pair, angle at the position, and its cosine or sine."""
        angle = angle_steps(row, col, self.inv_freq)
        value = value_at(self, row, col)
        if self.value == "angle":
            return (*angle[:-1], replace(angle[-1], value=value))
        function = rf"\{self.value}"
        numbers = f"{function}({number(angle[-1].value)})"
        return (*angle, Step(f"{function}(p\\,\\theta_{{{col}}})", "", numbers, value))

    def mean(self, row_edges: Tensor, col_edges: Tensor) -> Tensor:
        """Exact mean over blocks of positions and pairs."""
        if self.value == "angle":
            centres = (row_edges[1:] + row_edges[:-1] - 1).to(torch.float64) / 2
            by_pair = centres[:, None] * self.inv_freq.to(torch.float64)
        else:
            cis = mean_cis(self.inv_freq.to(torch.float64), row_edges)
            by_pair = cis.real if self.value == "cos" else cis.imag
        blocks = [by_pair[:, a:b].mean(dim=1) for a, b in pairwise(col_edges.tolist())]
        return torch.stack(blocks, dim=1)


@dataclass(frozen=True)
class RoPEScore(QueryByKey):
    """Query position m × key position n: (R_m q)·(R_n k), not divided by sqrt(head_dim).

    Args:
        query: q, (head_dim,), the same at every position.
        key: k, (head_dim,).
        inv_freq: θ, (pairs,), radians per position; channels past 2 · pairs are not rotated.
        length: Positions 0 … length - 1 on both axes.
        layout: Which channels form a pair, "interleaved" or "half".
        attention_factor: Factor on the rotated queries and keys (the score takes its square).
    """

    query: Tensor
    key: Tensor
    inv_freq: Tensor
    length: int
    layout: Layout = "interleaved"
    attention_factor: float = 1.0
    letters = "mn"
    name = say("score qₘ·kₙ")
    signed = True

    def at(self, rows: Tensor, cols: Tensor) -> Tensor:
        """Exact values, float64 (len(rows), len(cols))."""
        return over_pairs(self._at_distance, rows, cols)

    def steps(self, row: int, col: int) -> tuple[Step, ...]:
        """Distance, what each pair adds at it, and the sum over the pairs."""
        product, passed = self._products()
        factor = self.attention_factor
        score = score_steps(
            row - col, product, passed, self.inv_freq, factor, value_at(self, row, col)
        )
        return distance_step(row, col, names="mn"), *score

    def mean(self, row_edges: Tensor, col_edges: Tensor) -> Tensor:
        """Exact mean over blocks: (mean of R_m q)·(mean of R_n k), because m and n are free."""
        theta = self.inv_freq.to(torch.float64)
        product, passed = self._products()
        turned = (mean_cis(theta, row_edges) * product) @ mean_cis(theta, col_edges).conj().mT
        return turned.real * self.attention_factor**2 + passed

    def _products(self) -> tuple[Tensor, float]:
        return pair_products(self.query, self.key, len(self.inv_freq), self.layout)

    def _at_distance(self, distances: Tensor) -> Tensor:
        return rope_score_at_distance(
            self.query, self.key, self.inv_freq, distances, self.layout, self.attention_factor
        )
