"""Kerple followed: the bias of one pair."""

import torch

from posenc.kerple.formula import KerpleVariant, kerple_bias
from posenc.quantity.lines import distance_step, masked
from posenc.quantity.step import Step, number


def kerple_bias_steps(
    r1: float,
    r2: float,
    row: int,
    col: int,
    variant: KerpleVariant = "log",
    symmetric: bool = False,
) -> tuple[Step, ...]:
    """Distance, and its logarithm or power times -r1: see `kerple_bias`."""
    distance = distance_step(row, col, symmetric=symmetric)
    symbol = f"b_{{{row},{col}}}"
    if not symmetric and col > row:
        return distance, masked(symbol)
    one, other = torch.tensor([[r1], [r2]], dtype=torch.float64)
    value = kerple_bias(one, other, torch.tensor(col - row), variant, symmetric).item()
    a = number(-r1)
    b = number(r2)
    delta = number(distance.value)
    formula = r"-r_1 \ln(1 + r_2\,\delta)"
    numbers = rf"{a} \ln(1 + {b} \cdot {delta})"
    if variant == "power":
        formula = r"-r_1\,\delta^{\,r_2}"
        numbers = rf"{a} \cdot {delta}^{{{b}}}"
    return distance, Step(symbol, formula, numbers, value)
