"""Transformer-XL: sinusoids of the relative distance, projected per head."""

from dataclasses import dataclass

import torch
from torch import Tensor, nn

from posenc.checks import check_finite, check_int, check_number
from posenc.places import PositionalEncoding, relative_position
from posenc.quantity.axes import QueryByKey
from posenc.quantity.distance import bias_of_distance, distinct
from posenc.quantity.matrix import value_at
from posenc.quantity.means import mean_cis
from posenc.quantity.step import SHOWN_TERMS, Step, distance_step, factor, number, total
from posenc.sinusoidal.formula import sinusoidal_at, sinusoidal_inv_freq
from posenc.waves import over_pairs, rope_angles, wave_sum

INIT_STD = 0.02
"""Standard deviation with which Transformer-XL starts all of its weights."""


def relative_sinusoid(distances: Tensor, d_model: int, base: float = 10000.0) -> Tensor:
    """R_δ = [sin δθ_0, …, sin δθ_n, cos δθ_0, …, cos δθ_n], the sinusoid of a distance.

    Args:
        distances: δ = i - j, integers (n,) or (batch, n); the past is positive, any sign will do.
        d_model: Width, even.
        base: Base of the geometric series, above 1.

    Returns:
        float64 (..., n, d_model).

    Raises:
        ValueError: If an argument is out of range.

    Source: Dai et al. 2019, section 3.3, arXiv:1901.02860.
    """
    check_int("d_model", d_model, 2, even=True)
    return sinusoidal_at(distances, d_model, base, "concatenated")


def sinusoidal_relative_bias(weight: Tensor, distances: Tensor, base: float = 10000.0) -> Tensor:
    """b_h(δ) = w_h·R_δ: a bias of distance made of sinusoids, one curve per head.

    Args:
        weight: w, float (heads, d_model), d_model even.
        distances: δ = i - j, integers (n,), of either sign.
        base: Base of the geometric series, above 1.

    Returns:
        (heads, n), dtype of the weight; the sinusoids are float64 before they are cast.

    Raises:
        ValueError: If an argument is out of range.

    Source: Dai et al. 2019, section 3.3, term (d), arXiv:1901.02860: w_h = W_Rᵀv_h / sqrt(d_head).
    """
    sinusoids = relative_sinusoid(distances, weight.shape[-1], base)
    return weight @ sinusoids.to(weight.device, weight.dtype).mT


class SinusoidalBias(PositionalEncoding):
    """The sinusoidal relative bias of each head, b_h(i - j) = w_h·R_{i-j}.

    The part of Transformer-XL's score that looks at distance alone (its term (d)), as a bias of
    its own: every head mixes the same sinusoids with weights of its own. Distances of both signs
    are told apart, because sines are odd: the bias serves encoders and decoders alike.

    Args:
        num_heads: Number of heads.
        d_model: Number of sinusoids, even.
        base: Base of the geometric series, above 1.

    Source: Dai et al. 2019, section 3.3, term (d), arXiv:1901.02860.
    """

    def __init__(self, num_heads: int, d_model: int, base: float = 10000.0) -> None:
        super().__init__()
        check_int("num_heads", num_heads, 1)
        check_int("d_model", d_model, 2, even=True)
        self.base = check_number("base", base, above=1)
        self.weight = nn.Parameter(torch.empty(num_heads, d_model))
        nn.init.normal_(self.weight, std=INIT_STD)

    def bias(
        self, q: Tensor, scores: Tensor, q_positions: Tensor, k_positions: Tensor
    ) -> Tensor | None:
        """Return (heads, q_len, k_len), or (batch, heads, q_len, k_len) if positions have rows."""

        def curve(relative_position: Tensor) -> Tensor:
            return sinusoidal_relative_bias(self.weight, -relative_position, self.base).to(q.dtype)

        return bias_of_distance(curve, q_positions, k_positions, q.device)


class TransformerXL(PositionalEncoding):
    """Transformer-XL's relative attention: content and distance, each with a bias per head.

    Score [(q_i + u)·k_j + (q_i + v)·W_R R_{i-j}] / sqrt(head_dim), the four terms of the paper.
    The key bias u acts at place 2, where it is added to the query; the rest is the bias at place 3.
    The second factor is scaled like the first, by 1 / sqrt(head_dim), attention's default.

    Args:
        num_heads: Number of heads.
        head_dim: Width of a head.
        d_model: Number of sinusoids, even (in the paper the width of the model).
        base: Base of the geometric series, above 1.

    Source: Dai et al. 2019, section 3.3, arXiv:1901.02860.
    """

    def __init__(self, num_heads: int, head_dim: int, d_model: int, base: float = 10000.0) -> None:
        super().__init__()
        check_int("num_heads", num_heads, 1)
        self.head_dim = check_int("head_dim", head_dim, 1)
        self.d_model = check_int("d_model", d_model, 2, even=True)
        self.base = check_number("base", base, above=1)
        self.content_bias = nn.Parameter(torch.empty(num_heads, head_dim))
        self.position_bias = nn.Parameter(torch.empty(num_heads, head_dim))
        self.projection = nn.Parameter(torch.empty(num_heads, head_dim, d_model))
        for parameter in self.parameters():
            nn.init.normal_(parameter, std=INIT_STD)

    def rotate(
        self, q: Tensor, k: Tensor, q_positions: Tensor, k_positions: Tensor
    ) -> tuple[Tensor, Tensor]:
        """Return q + u and k: u·k_j is thereby in the score."""
        return q + self.content_bias[:, None].to(q.dtype), k

    def bias(
        self, q: Tensor, scores: Tensor, q_positions: Tensor, k_positions: Tensor
    ) -> Tensor | None:
        """Return (q_i + v)·W_R R_{i-j} / sqrt(head_dim), (batch, heads, q_len, k_len).

        `q` arrives with u added, which is taken off again.
        """
        distances, index = distinct(-relative_position(q_positions, k_positions).to(q.device))
        sinusoids = relative_sinusoid(distances, self.d_model, self.base).to(q.device, q.dtype)
        projected = sinusoids @ self.projection.to(q.dtype).mT  # (heads, distances, head_dim)
        swap = (self.position_bias - self.content_bias)[:, None].to(q.dtype)
        by_distance = (q + swap) @ projected.mT * self.head_dim**-0.5
        return by_distance.gather(-1, index.expand(*q.shape[:-1], index.shape[-1]))


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
    name = "sinusoidal relative bias"
    unit = ""
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
        distance = distance_step(row, col)
        angles = rope_angles(torch.tensor(row - col), self._theta()).tolist()
        weights = zip(*(weight.tolist() for weight in self._weights()), angles, strict=True)
        terms = [
            rf"{number(sin)} \sin({number(angle)}) + {factor(cos)} \cos({number(angle)})"
            for sin, cos, angle in list(weights)[:SHOWN_TERMS]
        ]
        formula = r"w \cdot R_\delta = \sum_t w_t \sin \delta\theta_t + w'_t \cos \delta\theta_t"
        numbers, symbol = total(terms, len(angles)), f"b_{{{row},{col}}}"
        return distance, Step(symbol, formula, numbers, value_at(self, row, col))

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
