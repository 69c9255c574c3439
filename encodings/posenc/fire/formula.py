"""FIRE: a small network reads the distance as a share of the query's position."""

import math
from dataclasses import dataclass

import torch
from torch import Tensor, nn

from posenc.checks import check_int, check_number, check_positions
from posenc.places import PositionalEncoding, relative_position
from posenc.quantity.distance import past_distance
from posenc.quantity.matrix import QueryByKey, value_at
from posenc.quantity.step import Step, distance_step, factor, masked, number, total
from posenc.waves import ordered_sum


def fire_normalized_distance(
    q_positions: Tensor,
    k_positions: Tensor,
    c: Tensor | float = 0.1,
    threshold: Tensor | float = 512.0,
    eps: float = 1e-6,
) -> Tensor:
    """ψ(i - j) / ψ(max(T, i)) with ψ(x) = ln(c·x + 1): 0 at the query, 1 at the first key.

    The query's position divides, so that equal distances differ from row to row; up to the
    threshold T all rows share one divisor. Future keys get 0, and the causal mask hides them.

    Args:
        q_positions: i, integers (q_len,) or (batch, q_len).
        k_positions: j, integers (k_len,) or (batch, k_len).
        c: How early the logarithm bends; its absolute value counts.
        threshold: T, in tokens; its absolute value counts.
        eps: Added to the divisor, as the published listing does.

    Returns:
        Float64 (float32 on MPS), (q_len, k_len) or (batch, 1, q_len, k_len).

    Raises:
        ValueError: If positions are not integers.

    Source: Li et al. 2023, section 4 and the listing in the appendix, arXiv:2310.04418.
    """
    dtype = torch.float32 if q_positions.device.type == "mps" else torch.float64
    distance = past_distance(relative_position(q_positions, k_positions)).to(dtype)
    c = torch.as_tensor(c, dtype=dtype, device=distance.device).abs()
    limit = torch.as_tensor(threshold, dtype=dtype, device=distance.device).abs()
    query = q_positions[..., :, None].to(dtype)
    query = query if query.dim() == 2 else query[:, None]
    divisor = torch.log1p(c * torch.maximum(query, limit)) + eps
    return torch.log1p(c * distance) / divisor


class FIRE(PositionalEncoding):
    """Bias f(ψ(i - j) / ψ(max(T, i))), f a network 1 → mlp_width → heads with one ReLU.

    Trained: the network, c, and a factor on the threshold T = init_length.

    Args:
        num_heads: Number of heads.
        mlp_width: Width of the hidden layer.
        init_c: Start of c, above 0.
        init_length: T before training, above 0.
        eps: Added to the divisor.

    Source: Li et al. 2023, section 4 and the listing in the appendix, arXiv:2310.04418.
    """

    def __init__(
        self,
        num_heads: int,
        *,
        mlp_width: int = 32,
        init_c: float = 0.1,
        init_length: float = 512.0,
        eps: float = 1e-6,
    ) -> None:
        super().__init__()
        self.num_heads = check_int("num_heads", num_heads, 1)
        check_int("mlp_width", mlp_width, 1)
        self.init_length = check_number("init_length", init_length, above=0)
        self.eps = check_number("eps", eps, 0)
        self.mlp = nn.Sequential(
            nn.Linear(1, mlp_width), nn.ReLU(), nn.Linear(mlp_width, num_heads)
        )
        self.c = nn.Parameter(torch.tensor(check_number("init_c", init_c, above=0)))
        self.threshold_factor = nn.Parameter(torch.tensor(1.0))

    def bias(
        self, q: Tensor, scores: Tensor, q_positions: Tensor, k_positions: Tensor
    ) -> Tensor | None:
        """Return (heads, q_len, k_len), or (batch, heads, q_len, k_len) if positions have rows."""
        return self.bias_at(q_positions.to(q.device), k_positions.to(q.device)).to(q.dtype)

    def bias_at(self, q_positions: Tensor, k_positions: Tensor) -> Tensor:
        """The bias of any positions, in the dtype of the network; shapes as in `bias`."""
        threshold = self.init_length * self.threshold_factor
        distance = fire_normalized_distance(q_positions, k_positions, self.c, threshold, self.eps)
        bias = self.mlp(distance[..., None].to(self.c.dtype))
        return bias.movedim(-1, 0) if bias.dim() == 3 else bias[:, 0].movedim(-1, 1)

    def curve(self, distances: Tensor, query_position: int) -> Tensor:
        """Bias against distance for one query: its divisor is that of its own position.

        Args:
            distances: δ = i - j, integers (n,).
            query_position: i.

        Returns:
            (heads, n), dtype of the network.
        """
        query = torch.tensor([query_position], device=distances.device)
        return self.bias_at(query, query - check_positions("distances", distances))[:, 0]


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
    name = "normalised distance"
    unit = ""
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
        distance, symbol = distance_step(row, col), f"x_{{{row},{col}}}"
        if col > row:
            return distance, masked(symbol)
        limit = max(self.threshold, row)
        above, below = (math.log1p(self.c * x) for x in (distance.value, limit))
        c = number(self.c)
        return (
            distance,
            Step(r"\psi(\delta)", r"\ln(c\,\delta + 1)",
                 rf"\ln({c} \cdot {number(distance.value)} + 1)", above),
            Step(r"\psi(\max(T, i))", r"\ln(c \max(T, i) + 1)",
                 rf"\ln({c} \cdot {number(limit)} + 1)", below),
            Step(symbol, r"\frac{\psi(\delta)}{\psi(\max(T, i)) + \varepsilon}",
                 rf"\frac{{{number(above)}}}{{{number(below)} + {number(self.eps)}}}",
                 value_at(self, row, col)),
        )  # fmt: skip


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
    name = "FIRE bias"
    unit = ""
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
        read, symbol = self._distance().steps(row, col), f"b_{{{row},{col}}}"
        if col > row:
            return (*read[:-1], masked(symbol))
        widen, bias, narrow, shift = self._network()
        units = zip(narrow.tolist(), widen.tolist(), bias.tolist(), strict=True)
        x = factor(read[-1].value)
        terms = [rf"{number(v)} [{number(w)} \cdot {x} + {factor(b)}]_+" for v, w, b in units]
        numbers = f"{number(shift.item())} + {total(terms)}"
        formula = rf"c_h + \sum_u v_u [w_u x_{{{row},{col}}} + b_u]_+"
        return (*read, Step(symbol, formula, numbers, value_at(self, row, col)))

    def _distance(self) -> FIREDistance:
        fire = self.encoding
        threshold = abs(fire.init_length * fire.threshold_factor.item())
        return FIREDistance(self.length, abs(fire.c.item()), threshold, fire.eps)

    def _network(self) -> tuple[Tensor, Tensor, Tensor, Tensor]:
        """Weights and biases of the hidden layer, weights and bias of this head."""
        parameters = [p.detach().to("cpu", torch.float64) for p in self.encoding.mlp.parameters()]
        widen, bias, narrow, shift = parameters
        return widen[:, 0], bias, narrow[self.head], shift[self.head]
