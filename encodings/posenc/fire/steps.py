"""FIRE followed: the distance that its network reads, and the network's answer."""

import math

import torch
from torch import Tensor

from posenc.fire.formula import fire_normalized_distance
from posenc.quantity.lines import distance_step, masked
from posenc.quantity.step import Step, factor, number, total


def fire_distance_steps(
    row: int, col: int, c: float = 0.1, threshold: float = 512.0, eps: float = 1e-6
) -> tuple[Step, ...]:
    """Distance, its logarithm, that of the query's position, and their ratio.

    See `fire_normalized_distance`.
    """
    distance = distance_step(row, col)
    symbol = f"x_{{{row},{col}}}"
    if col > row:
        return distance, masked(symbol)
    limit = max(threshold, row)
    above, below = (math.log1p(c * x) for x in (distance.value, limit))
    value = fire_normalized_distance(torch.tensor([row]), torch.tensor([col]), c, threshold, eps)
    read, longest = (rf"\ln({number(c)} \cdot {number(x)} + 1)" for x in (distance.value, limit))
    return (
        distance,
        Step(r"\psi(\delta)", r"\ln(c\,\delta + 1)", read, above),
        Step(r"\psi(\max(T, i))", r"\ln(c \max(T, i) + 1)", longest, below),
        Step(
            symbol,
            r"\frac{\psi(\delta)}{\psi(\max(T, i)) + \varepsilon}",
            rf"\frac{{{number(above)}}}{{{number(below)} + {number(eps)}}}",
            value.item(),
        ),
    )


def fire_network_steps(
    network: tuple[Tensor, Tensor, Tensor, Tensor],
    read: tuple[Step, ...],
    row: int,
    col: int,
    value: float,
) -> tuple[Step, ...]:
    """The distance that the network reads, and its answer to it.

    Args:
        network: Weights and biases of the hidden layer, (mlp_width,) each; weights (mlp_width,)
            and bias () of one head.
        read: Steps of the normalised distance.
        row: Query i.
        col: Key j.
        value: The head's bias as it was computed.
    """
    symbol = f"b_{{{row},{col}}}"
    if col > row:
        return (*read[:-1], masked(symbol))
    widen, bias, narrow, shift = network
    units = zip(narrow.tolist(), widen.tolist(), bias.tolist(), strict=True)
    x = factor(read[-1].value)
    terms = [rf"{number(v)} [{number(w)} \cdot {x} + {factor(b)}]_+" for v, w, b in units]
    numbers = f"{number(shift.item())} + {total(terms)}"
    formula = rf"c_h + \sum_u v_u [w_u x_{{{row},{col}}} + b_u]_+"
    return (*read, Step(symbol, formula, numbers, value))
