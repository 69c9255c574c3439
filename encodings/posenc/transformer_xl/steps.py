"""The sinusoidal relative bias followed."""

import torch
from torch import Tensor

from posenc.quantity.lines import distance_step
from posenc.quantity.step import SHOWN_TERMS, Step, factor, number, total
from posenc.waves import rope_angles


def sinusoidal_bias_steps(
    row: int, col: int, inv_freq: Tensor, w_sin: Tensor, w_cos: Tensor, value: float
) -> tuple[Step, ...]:
    """Distance, and the weighted sum of its sines and cosines.

    Args:
        row: Query i.
        col: Key j.
        inv_freq: θ, (freqs,).
        w_sin: Weights of the sines, (freqs,).
        w_cos: Weights of the cosines, (freqs,).
        value: The bias as it was computed.
    """
    angles = rope_angles(torch.tensor(row - col), inv_freq).tolist()
    weights = zip(w_sin.tolist(), w_cos.tolist(), angles, strict=True)
    terms = [
        rf"{number(sin)} \sin({number(angle)}) + {factor(cos)} \cos({number(angle)})"
        for sin, cos, angle in list(weights)[:SHOWN_TERMS]
    ]
    formula = r"w \cdot R_\delta = \sum_t w_t \sin \delta\theta_t + w'_t \cos \delta\theta_t"
    numbers = total(terms, len(angles))
    symbol = f"b_{{{row},{col}}}"
    return distance_step(row, col), Step(symbol, formula, numbers, value)
