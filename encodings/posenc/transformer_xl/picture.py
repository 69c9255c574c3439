"""The sinusoidal relative bias as a matrix: exact values and means over blocks."""

from dataclasses import dataclass

import torch
from torch import Tensor

from posenc.checks import check_finite, check_int, check_number
from posenc.quantity.matrix import QueryByKey, value_at
from posenc.quantity.means import mean_cis
from posenc.quantity.step import Step
from posenc.sinusoidal.formula import sinusoidal_inv_freq
from posenc.transformer_xl.steps import sinusoidal_bias_steps
from posenc.waves import over_pairs, wave_sum
from posenc.words import say


@dataclass(frozen=True)
class SinusoidalBiasMatrix(QueryByKey):
    """Query × key: the sinusoidal relative bias w·R_{i-j} of one head.

    Args:
        weight: w, (d_model,), d_model even.
        length: Positions 0 … length - 1 on both axes.
        base: Base of the geometric series, above 1.
    """

    weight: Tensor
    length: int
    base: float = 10000.0
    name = say("sinusoidal relative bias")
    signed = True

    def __post_init__(self) -> None:
        if self.weight.dim() != 1:
            raise ValueError(f"weight must be a vector, got shape {tuple(self.weight.shape)}.")
        check_finite("weight", self.weight)
        check_int("d_model", len(self.weight), 2, even=True)
        check_int("length", self.length, 1)
        check_number("base", self.base, above=1)

    def at(self, rows: Tensor, cols: Tensor) -> Tensor:
        """Exact values, float64 (len(rows), len(cols))."""
        w_sin, w_cos = self._weights()
        theta = self._theta()
        return over_pairs(lambda delta: wave_sum(delta, theta, w_cos, w_sin), rows, cols)

    def steps(self, row: int, col: int) -> tuple[Step, ...]:
        """Distance, and the weighted sum of its sines and cosines."""
        value = value_at(self, row, col)
        w_sin, w_cos = self._weights()
        return sinusoidal_bias_steps(row, col, self._theta(), w_sin, w_cos, value)

    def mean(self, row_edges: Tensor, col_edges: Tensor) -> Tensor:
        """Exact mean over blocks: cis(iθ) and conj(cis(jθ)) are averaged apart."""
        w_sin, w_cos = self._weights()
        row_cis, col_cis = (mean_cis(self._theta(), edges) for edges in (row_edges, col_edges))
        # w_sin sin x + w_cos cos x is the real part of (w_cos - i w_sin) cis x
        return ((row_cis * torch.complex(w_cos, -w_sin)) @ col_cis.conj().mT).real

    def _theta(self) -> Tensor:
        return sinusoidal_inv_freq(len(self.weight), self.base)

    def _weights(self) -> tuple[Tensor, Tensor]:
        w_sin, w_cos = self.weight.detach().to("cpu", torch.float64).chunk(2)
        return w_sin, w_cos
