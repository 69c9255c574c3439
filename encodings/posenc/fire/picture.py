"""Input and output of FIRE's network, each as a matrix."""

from dataclasses import dataclass

import torch
from torch import Tensor

from posenc.checks import check_int, check_number
from posenc.fire.formula import FIRE, fire_normalized_distance
from posenc.fire.steps import fire_distance_steps, fire_network_steps
from posenc.places import relative_position
from posenc.quantity.matrix import QueryByKey, value_at
from posenc.quantity.step import Step
from posenc.waves import ordered_sum
from posenc.words import say


@dataclass(frozen=True)
class FIREDistance(QueryByKey):
    """Query × key: FIRE's normalised distance, what its network reads.

    NaN marks what the causal mask hides.

    Args:
        length: Positions 0 … length - 1 on both axes.
        c: How early the logarithm bends, above 0.
        threshold: T, in tokens, above 0.
        eps: Added to the divisor.
    """

    length: int
    c: float = 0.1
    threshold: float = 512.0
    eps: float = 1e-6
    name = say("normalised distance")
    signed = False

    def __post_init__(self) -> None:
        check_int("length", self.length, 1)
        check_number("c", self.c, above=0)
        check_number("threshold", self.threshold, above=0)
        check_number("eps", self.eps, 0)

    def at(self, rows: Tensor, cols: Tensor) -> Tensor:
        """Exact values, float64 (len(rows), len(cols))."""
        distance = fire_normalized_distance(rows, cols, self.c, self.threshold, self.eps)
        return distance.masked_fill(relative_position(rows, cols) > 0, torch.nan)

    def steps(self, row: int, col: int) -> tuple[Step, ...]:
        """Distance, its logarithm, that of the query's position, and their ratio."""
        return fire_distance_steps(row, col, self.c, self.threshold, self.eps)


@dataclass(frozen=True)
class FIREBias(QueryByKey):
    """Query × key: the bias of one head of a FIRE module. NaN marks what the causal mask hides.

    Args:
        encoding: The module.
        head: 0 … num_heads - 1.
        length: Positions 0 … length - 1 on both axes.
    """

    encoding: FIRE
    head: int
    length: int
    name = say("FIRE bias")
    signed = True

    def __post_init__(self) -> None:
        check_int("head", self.head, 0, maximum=self.encoding.num_heads - 1)
        check_int("length", self.length, 1)

    def at(self, rows: Tensor, cols: Tensor) -> Tensor:
        """The network's answers, computed in float64 (len(rows), len(cols)) from its weights."""
        widen, bias, narrow, shift = self._network()
        hidden = (self._distance().at(rows, cols)[..., None] * widen + bias).relu()
        return ordered_sum(hidden * narrow) + shift

    def steps(self, row: int, col: int) -> tuple[Step, ...]:
        """The normalised distance, and the network's answer to it."""
        read = self._distance().steps(row, col)
        value = value_at(self, row, col)
        return fire_network_steps(self._network(), read, row, col, value)

    def _distance(self) -> FIREDistance:
        fire = self.encoding
        threshold = abs(fire.init_length * fire.threshold_factor.item())
        return FIREDistance(self.length, abs(fire.c.item()), threshold, fire.eps)

    def _network(self) -> tuple[Tensor, Tensor, Tensor, Tensor]:
        """Weights and biases of the hidden layer, weights and bias of this head."""
        parameters = [p.detach().to("cpu", torch.float64) for p in self.encoding.mlp.parameters()]
        widen, bias, narrow, shift = parameters
        return widen[:, 0], bias, narrow[self.head], shift[self.head]
