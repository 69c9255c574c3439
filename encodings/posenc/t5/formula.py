"""T5's relative bias: one number per head and bucket of distances, the buckets widening."""

import math
from dataclasses import dataclass

import torch
from torch import Tensor, nn

from posenc.checks import check_finite, check_int, check_integers
from posenc.places import PositionalEncoding, relative_position
from posenc.quantity.axes import QueryByKey
from posenc.quantity.distance import bias_of_distance
from posenc.quantity.matrix import value_at
from posenc.quantity.means import staircase_mean
from posenc.quantity.step import Step, number

INIT_STD = 512**-0.5
"""Mesh TensorFlow starts the table at d_model^-0.5; this is T5-small's."""


def t5_bucket(
    relative_position: Tensor,
    bidirectional: bool,
    num_buckets: int = 32,
    max_distance: int = 128,
) -> Tensor:
    """Bucket of each relative position: exact when near, logarithmic when far.

    With n buckets for a direction and m = n // 2, a distance D < m is its own bucket; a longer
    one falls into m + floor(ln(D/m) / ln(max_distance/m) · (n - m)), at most n - 1.

    Args:
        relative_position: j - i, integers of any shape; the past is negative.
        bidirectional: True (encoder): half of the buckets for the past, half for the future,
            which starts at num_buckets / 2. That bucket itself is never used: distance 0 counts
            as past. False (decoder): all buckets for the past; every future key is in bucket 0.
        num_buckets: Buckets in all, at least 2 (bidirectional: even, at least 4).
        max_distance: From here on the last bucket is sure; it starts well before.

    Returns:
        int64, same shape, values in [0, num_buckets - 1].

    Raises:
        ValueError: If an argument is out of range or positions are not integers.

    Source: Raffel et al. 2019, section 2.1, arXiv:1910.10683; transformers,
        models/t5/modeling_t5.py, T5Attention._relative_position_bucket.
    """
    per_side, exact = _sizes(bidirectional, num_buckets, max_distance)
    check_integers("relative_position", relative_position)
    relative_position = relative_position.to(torch.int64)
    if bidirectional:
        offset = torch.where(relative_position > 0, per_side, 0)
        distance = relative_position.abs()
    else:
        offset = torch.zeros_like(relative_position)
        distance = -relative_position.clamp(max=0)
    # MPS has no float64; there, as in the reference, the logarithm is taken in float32.
    dtype = torch.float32 if distance.device.type == "mps" else torch.float64
    ratio = (distance.clamp(min=exact) / exact).to(dtype).log() / math.log(max_distance / exact)
    far = (exact + (ratio * (per_side - exact)).to(torch.int64)).clamp(max=per_side - 1)
    return offset + torch.where(distance < exact, distance, far)


def t5_bucket_lower_edges(
    bidirectional: bool, num_buckets: int = 32, max_distance: int = 128
) -> Tensor:
    """Smallest past distance D = i - j that reaches each bucket, found by bisection.

    Args:
        bidirectional: See `t5_bucket`.
        num_buckets: Buckets in all.
        max_distance: See `t5_bucket`.

    Returns:
        int64 (buckets of one direction,), rising; equal neighbours mean an empty bucket. The
        future side of a bidirectional table has the same edges, num_buckets / 2 buckets further.

    Raises:
        ValueError: If an argument is out of range.
    """
    per_side, _ = _sizes(bidirectional, num_buckets, max_distance)
    buckets = torch.arange(per_side)
    low, high = torch.zeros_like(buckets), torch.full_like(buckets, max_distance)
    while bool((low < high).any()):
        middle = (low + high) // 2
        reached = t5_bucket(-middle, bidirectional, num_buckets, max_distance) >= buckets
        low, high = torch.where(reached, low, middle + 1), torch.where(reached, middle, high)
    return low


def _sizes(bidirectional: bool, num_buckets: int, max_distance: int) -> tuple[int, int]:
    """Buckets of one direction, and how many of them hold a single distance."""
    check_int("num_buckets", num_buckets, 4 if bidirectional else 2, even=bidirectional)
    per_side = num_buckets // 2 if bidirectional else num_buckets
    exact = per_side // 2
    check_int("max_distance", max_distance, exact + 1)
    return per_side, exact


def t5_bias(table: Tensor, buckets: Tensor) -> Tensor:
    """Look up the bias of every head.

    Args:
        table: (num_buckets, heads).
        buckets: int64 (distances,), (q_len, k_len) or (batch, 1, q_len, k_len).

    Returns:
        (heads, distances), (heads, q_len, k_len) or (batch, heads, q_len, k_len).
    """
    if buckets.dim() == 4:
        return table[buckets[:, 0]].movedim(-1, 1)
    return table[buckets].movedim(-1, 0)


class T5Bias(PositionalEncoding):
    """A trained number per head and bucket, added to the score.

    T5 itself has one table for all layers and does not scale its scores (`attend(scale=1)`).
    Future keys get the bias of distance 0 in the causal form, where the mask hides them.

    Args:
        num_heads: Number of heads.
        bidirectional: True for an encoder, False for a decoder.
        num_buckets: Buckets in all.
        max_distance: See `t5_bucket`.

    Source: Raffel et al. 2019, section 2.1, arXiv:1910.10683.
    """

    def __init__(
        self,
        num_heads: int,
        bidirectional: bool = True,
        num_buckets: int = 32,
        max_distance: int = 128,
    ) -> None:
        super().__init__()
        check_int("num_heads", num_heads, 1)
        _sizes(bidirectional, num_buckets, max_distance)
        self.bidirectional = bidirectional
        self.num_buckets, self.max_distance = num_buckets, max_distance
        self.table = nn.Parameter(torch.empty(num_buckets, num_heads))
        nn.init.normal_(self.table, std=INIT_STD)

    def bias(
        self, q: Tensor, scores: Tensor, q_positions: Tensor, k_positions: Tensor
    ) -> Tensor | None:
        """Return (heads, q_len, k_len), or (batch, heads, q_len, k_len) if positions have rows."""
        return bias_of_distance(self.curve, q_positions, k_positions, q.device).to(q.dtype)

    def curve(self, relative_position: Tensor) -> Tensor:
        """Bias against relative position j - i, (n,) to (heads, n)."""
        buckets = t5_bucket(
            relative_position, self.bidirectional, self.num_buckets, self.max_distance
        )
        return t5_bias(self.table, buckets)


@dataclass(frozen=True)
class T5Buckets(QueryByKey):
    """Query × key: T5's bucket, or the bias that a head has learned for it.

    Args:
        length: Positions 0 … length - 1 on both axes.
        bidirectional: True for an encoder, False for a decoder.
        num_buckets: Buckets in all.
        max_distance: See `t5_bucket`.
        table: One head's bias per bucket, (num_buckets,); None shows the bucket itself.
    """

    length: int
    bidirectional: bool
    num_buckets: int = 32
    max_distance: int = 128
    table: Tensor | None = None
    unit = ""

    def __post_init__(self) -> None:
        check_int("length", self.length, 1)
        _sizes(self.bidirectional, self.num_buckets, self.max_distance)
        if self.table is not None:
            if self.table.shape != (self.num_buckets,):
                raise ValueError(
                    f"table must have shape ({self.num_buckets},), got {tuple(self.table.shape)}."
                )
            check_finite("table", self.table)

    @property
    def name(self) -> str:
        """What a cell is, in words."""
        return "T5 bucket" if self.table is None else "T5 bias"

    @property
    def signed(self) -> bool:
        """A learned bias has a middle at zero."""
        return self.table is not None

    def at(self, rows: Tensor, cols: Tensor) -> Tensor:
        """Exact values, float64 (len(rows), len(cols))."""
        return self._values(relative_position(rows, cols))

    def steps(self, row: int, col: int) -> tuple[Step, ...]:
        """Distance, its bucket (exact or logarithmic), the side of it, and the bias if learned."""
        bucket = self._bucket_steps(row, col)
        if self.table is None:
            return bucket
        symbol, value = f"b_{{{row},{col}}}", value_at(self, row, col)
        return (*bucket, Step(symbol, rf"\text{{table}}[\beta_{{{row},{col}}}]", "", value))

    def _bucket_steps(self, row: int, col: int) -> tuple[Step, ...]:
        rule = self.bidirectional, self.num_buckets, self.max_distance
        per_side, exact = _sizes(*rule)
        bucket = t5_bucket(torch.tensor(col - row), *rule).item()
        x = Step("x", "j - i", f"{number(col)} - {number(row)}", col - row)
        bars = rf"|{number(x.value)}|"
        distance = Step("D", "|x|", bars, abs(col - row))
        if not self.bidirectional:
            past = rf"\max(0, -({number(x.value)}))"
            distance = Step("D", r"\max(0, -x)", past, max(0, row - col))
        offset = per_side if self.bidirectional and col > row else 0
        side = f" + {per_side}" if offset else ""
        symbol, formula = rf"\beta_{{{row},{col}}}", "D" + side
        if distance.value < exact:
            return x, distance, Step(symbol, formula, f"{number(distance.value)}{side}", bucket)
        ratio = math.log(distance.value / exact) / math.log(self.max_distance / exact)
        share = Step(
            "y",
            r"\frac{\ln(D/m)}{\ln(D_{\max}/m)} (n - m)",
            rf"\frac{{\ln({number(distance.value)}/{exact})}}"
            rf"{{\ln({number(self.max_distance)}/{exact})}} ({per_side} - {exact})",
            ratio * (per_side - exact),
        )
        formula = rf"\min(m + \lfloor y \rfloor,\; n - 1){side}"
        numbers = rf"\min({exact} + \lfloor {number(share.value)} \rfloor,\; {per_side - 1}){side}"
        return x, distance, share, Step(symbol, formula, numbers, bucket)

    def mean(self, row_edges: Tensor, col_edges: Tensor) -> Tensor:
        """Exact mean over blocks: a staircase is a row of steps, and cells are counted."""
        knots = self._knots()
        below = torch.tensor([-self.max_distance])
        return staircase_mean(row_edges, col_edges, knots, self._values(torch.cat((below, knots))))

    def _values(self, distance: Tensor) -> Tensor:
        buckets = t5_bucket(distance, self.bidirectional, self.num_buckets, self.max_distance)
        if self.table is None:
            return buckets.to(torch.float64)
        return self.table.detach().to("cpu", torch.float64)[buckets]

    def _knots(self) -> Tensor:
        """Relative positions j - i at which the bucket changes, rising."""
        edges = t5_bucket_lower_edges(self.bidirectional, self.num_buckets, self.max_distance)
        edges = edges.unique()[1:]  # the first edge is distance 0
        past = 1 - edges.flip(0)
        return torch.cat((past, edges)) if self.bidirectional else past
