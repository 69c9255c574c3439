"""ALiBi: a penalty on the score that grows linearly with distance, steeper in some heads."""

from dataclasses import dataclass

import torch
from torch import Tensor, nn

from posenc.checks import check_finite, check_int, check_number
from posenc.places import PositionalEncoding, relative_position
from posenc.quantity.distance import bias_of_distance, per_head, ramp_mean, step_mean
from posenc.quantity.matrix import QueryByKey, value_at
from posenc.quantity.step import Step, distance_step, factor, masked, number


def alibi_slopes(num_heads: int, bias_max: float = 8.0) -> Tensor:
    """Slope of each head: m_h = 2^(-8(h+1)/n) for n a power of two.

    Other head counts take the slopes of the power of two below, then every second slope of the
    power of two above, from its first: the list is not sorted, and is not to be.

    Args:
        num_heads: Number of heads n, at least 1.
        bias_max: The 8 in the formula (MPT calls it alibi_bias_max), above 0.

    Returns:
        float64 (num_heads,), each in (0, 1).

    Raises:
        ValueError: If an argument is out of range.

    Source: Press et al. 2021, section 3, arXiv:2108.12409; ofirpress/attention_with_linear_biases,
        fairseq/models/transformer.py, get_slopes.
    """
    check_int("num_heads", num_heads, 1)
    check_number("bias_max", bias_max, above=0)
    below = 2 ** (num_heads.bit_length() - 1)
    slopes = _geometric_slopes(below, bias_max)
    more = _geometric_slopes(2 * below, bias_max)[::2][: num_heads - below]
    return torch.cat((slopes, more))


def _geometric_slopes(num_heads: int, bias_max: float) -> Tensor:
    heads = torch.arange(1, num_heads + 1, dtype=torch.float64)
    return 2.0 ** (-bias_max * heads / num_heads)


def alibi_bias(slopes: Tensor, relative_position: Tensor, symmetric: bool = False) -> Tensor:
    """The penalty -m_h·(i - j) on key j ≤ i; 0 on future keys, which the causal mask hides.

    Args:
        slopes: m, (heads,).
        relative_position: j - i, integers (distances,), (q_len, k_len) or
            (batch, 1, q_len, k_len); the past is negative.
        symmetric: Penalise the future too: -m_h·|i - j|.

    Returns:
        (heads, distances), (heads, q_len, k_len) or (batch, heads, q_len, k_len), dtype of the
        slopes.

    Source: Press et al. 2021, section 3, arXiv:2108.12409; symmetric: its repository, issue 5.
    """
    ahead = relative_position.to(slopes.dtype)  # once, not per head
    return per_head(slopes, relative_position) * (-ahead.abs() if symmetric else ahead.clamp(max=0))


class ALiBi(PositionalEncoding):
    """Linear penalty on distance, one slope per head.

    Args:
        num_heads: Number of heads.
        symmetric: Penalise the future too (encoders).
        learned: Train the slopes, from the published ones.

    Source: Press et al. 2021, section 3, arXiv:2108.12409.
    """

    def __init__(self, num_heads: int, *, symmetric: bool = False, learned: bool = False) -> None:
        super().__init__()
        slopes = alibi_slopes(num_heads)
        self.num_heads, self.symmetric = num_heads, symmetric
        self.learned_slopes = (
            nn.Parameter(slopes.to(torch.get_default_dtype())) if learned else None
        )

    @property
    def slopes(self) -> Tensor:
        """m, (heads,): the trained ones, or the published ones in float64."""
        return alibi_slopes(self.num_heads) if self.learned_slopes is None else self.learned_slopes

    def bias(
        self, q: Tensor, scores: Tensor, q_positions: Tensor, k_positions: Tensor
    ) -> Tensor | None:
        """Return (heads, q_len, k_len), or (batch, heads, q_len, k_len) if positions have rows.

        0 on future keys unless symmetric.
        """
        # bfloat16 does not hold distances above 256: it comes after the product.
        slopes = self.slopes.to(q.device, torch.promote_types(q.dtype, torch.float32))

        def curve(relative_position: Tensor) -> Tensor:
            return alibi_bias(slopes, relative_position, self.symmetric).to(q.dtype)

        return bias_of_distance(curve, q_positions, k_positions, q.device)


def alibi_flat_weights(slopes: Tensor, distances: Tensor, length: int) -> Tensor:
    """Attention of the last of `length` tokens when all scores are equal: a geometric series.

    Softmax of -mδ over δ = 0 … length - 1: exp(-mδ)·(1 - exp(-m)) / (1 - exp(-m·length)).

    Args:
        slopes: m, (heads,), at least 0.
        distances: δ = i - j, integers (n,), at least 0.
        length: Tokens that the query sees, itself included.

    Returns:
        float64 (heads, n).

    Raises:
        ValueError: If a slope is negative or not finite, or length is below 1.
    """
    check_int("length", length, 1)
    slope = _check_slopes(slopes)[:, None]
    total = torch.where(slope == 0, length, torch.expm1(-slope * length) / torch.expm1(-slope))
    return torch.exp(-slope * distances) / total


def alibi_window(slopes: Tensor, length: int, mass: float = 0.9) -> Tensor:
    """How far a head sees: the nearest w tokens that hold a share of the flat-score attention.

    The smallest w with (1 - exp(-m·w)) / (1 - exp(-m·length)) >= mass.

    Args:
        slopes: m, (heads,), at least 0.
        length: Tokens that the query sees, itself included.
        mass: Share of the attention, above 0, at most 1.

    Returns:
        int64 (heads,), tokens, 1 … length: the query itself counts as one.

    Raises:
        ValueError: If an argument is out of range.
    """
    check_int("length", length, 1)
    check_number("mass", mass, above=0, maximum=1)
    slope = _check_slopes(slopes)
    closed = torch.log1p(mass * torch.expm1(-slope * length)) / -slope
    tokens = torch.where(slope == 0, mass * length, closed)
    return tokens.ceil().clamp(1, length).to(torch.int64)


def _check_slopes(slopes: Tensor) -> Tensor:
    slopes = check_finite("slopes", slopes).detach().to("cpu", torch.float64)
    if bool((slopes < 0).any()):
        raise ValueError(f"slopes must be at least 0, got {float(slopes.min()):g}.")
    return slopes


@dataclass(frozen=True)
class ALiBiBias(QueryByKey):
    """Query × key: ALiBi's bias of one head.

    NaN marks what the causal mask hides; a block's mean is over its visible cells alone.

    Args:
        slope: m.
        length: Positions 0 … length - 1 on both axes.
        symmetric: Show -m·|i - j| with nothing hidden.
    """

    slope: float
    length: int
    symmetric: bool = False
    name = "ALiBi bias"
    unit = ""
    signed = False

    def __post_init__(self) -> None:
        check_number("slope", self.slope)
        check_int("length", self.length, 1)

    def at(self, rows: Tensor, cols: Tensor) -> Tensor:
        """Exact values, float64 (len(rows), len(cols))."""
        distance = relative_position(rows, cols)
        slope = torch.tensor([self.slope], dtype=torch.float64)
        bias = alibi_bias(slope, distance, self.symmetric)[0]
        return bias if self.symmetric else bias.masked_fill(distance > 0, torch.nan)

    def steps(self, row: int, col: int) -> tuple[Step, ...]:
        """Distance, and the slope times it."""
        distance, symbol = distance_step(row, col, symmetric=self.symmetric), f"b_{{{row},{col}}}"
        if not self.symmetric and col > row:
            return distance, masked(symbol)
        numbers = rf"{number(-self.slope)} \cdot {factor(distance.value)}"
        return distance, Step(symbol, r"-m\,\delta", numbers, value_at(self, row, col))

    def mean(self, row_edges: Tensor, col_edges: Tensor) -> Tensor:
        """Exact mean over the visible cells of each block; NaN where none is visible."""
        # Transposed, the past counts up: a corner of few visible cells is not a rest of many.
        past = ramp_mean(col_edges, row_edges, 0).mT  # mean of max(i - j, 0)
        if self.symmetric:
            return -self.slope * (past + ramp_mean(row_edges, col_edges, 0))
        visible = step_mean(col_edges, row_edges, 0).mT
        return torch.where(visible > 0, -self.slope * past / visible, torch.nan)
