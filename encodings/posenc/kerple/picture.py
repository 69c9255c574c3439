"""Kerple's bias as a matrix."""

import math
from dataclasses import dataclass

import torch
from torch import Tensor

from posenc.checks import check_choice, check_int, check_number
from posenc.kerple.formula import (
    KERPLE_VARIANTS,
    LARGEST_POWER,
    SMALLEST,
    Kerple,
    KerpleVariant,
    kerple_bias,
)
from posenc.kerple.steps import kerple_bias_steps
from posenc.places import relative_position
from posenc.quantity.matrix import QueryByKey
from posenc.quantity.step import Step
from posenc.words import say


@dataclass(frozen=True)
class KerpleBias(QueryByKey):
    """Query × key: Kerple's bias of one head. NaN marks what the causal mask hides.

    Args:
        r1: Above 0.
        r2: Above 0; at most 2 in the power form.
        length: Positions 0 … length - 1 on both axes.
        variant: "log" or "power".
        symmetric: Show the bias of |i - j| with nothing hidden.
    """

    r1: float
    r2: float
    length: int
    variant: KerpleVariant = "log"
    symmetric: bool = False
    name = say("Kerple bias")
    signed = False

    def __post_init__(self) -> None:
        check_number("r1", self.r1, above=0)
        check_choice("variant", self.variant, KERPLE_VARIANTS)
        if self.variant == "power":
            check_number("r2", self.r2, above=0, maximum=LARGEST_POWER)
        check_number("r2", self.r2, above=0)
        check_int("length", self.length, 1)

    def at(self, rows: Tensor, cols: Tensor) -> Tensor:
        """Exact values, float64 (len(rows), len(cols))."""
        distance = relative_position(rows, cols)
        r1, r2 = torch.tensor([[self.r1], [self.r2]], dtype=torch.float64)
        bias = kerple_bias(r1, r2, distance, self.variant, self.symmetric)[0]
        return bias if self.symmetric else bias.masked_fill(distance > 0, torch.nan)

    def steps(self, row: int, col: int) -> tuple[Step, ...]:
        """Distance, and its logarithm or power times -r1."""
        return kerple_bias_steps(self.r1, self.r2, row, col, self.variant, self.symmetric)


def bias_of(encoding: Kerple, head: int, length: int) -> KerpleBias:
    """The bias that a head of this encoding adds, with its parameters as they act: clamped."""
    largest = LARGEST_POWER if encoding.variant == "power" else math.inf
    return KerpleBias(
        r1=encoding.r1[head].clamp(min=SMALLEST).item(),
        r2=encoding.r2[head].clamp(SMALLEST, largest).item(),
        length=length,
        variant=encoding.variant,
        symmetric=encoding.symmetric,
    )
