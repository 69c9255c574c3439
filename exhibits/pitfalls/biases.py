"""Mistakes in biases: ALiBi's slopes, T5's buckets, CoPE's gates."""

from collections.abc import Callable

import torch
from torch import Tensor

from exhibits.pitfalls.case import Pitfall, normal, visible
from posenc.attention.masks import causal_mask
from posenc.quantity.step import Step, number_sum
from posenc.t5.formula import t5_bucket
from posenc.words import say

# ALiBi's slopes: num_heads -> (num_heads,)


def wrong_slopes(num_heads: int) -> Tensor:
    """Start the series at exponent 0."""
    h = torch.arange(num_heads, dtype=torch.float64)  # head 0 gets slope 1
    return 2.0 ** (-8 * h / num_heads)


def right_slopes(num_heads: int) -> Tensor:
    """Start the series at its own ratio."""
    h = torch.arange(1, num_heads + 1, dtype=torch.float64)  # head 0 gets the ratio, 2^(-8/n)
    return 2.0 ** (-8 * h / num_heads)


def first_slope_is_the_ratio(slopes: Callable[[int], Tensor]) -> float:
    """m_0 = m_1 / m_0."""
    m = slopes(8)
    return float((m[0] - m[1] / m[0]).abs())


def slopes_share_one_ratio(slopes: Callable[[int], Tensor]) -> float:
    """m_{h+1} / m_h is the same for all heads."""
    ratios = slopes(8)[1:] / slopes(8)[:-1]
    return float((ratios - ratios[0]).abs().max())


def _slope_lines(head: int, distance: int) -> tuple[Step, Step]:
    return (
        Step(
            "",
            r"-2^{-8h/n} \cdot (i - j)",
            rf"-2^{{-8 \cdot {head}/8}} \cdot {distance}",
            -(2.0 ** (-8 * head / 8)) * distance,
        ),
        Step(
            "",
            r"-2^{-8(h + 1)/n} \cdot (i - j)",
            rf"-2^{{-8 \cdot ({head} + 1)/8}} \cdot {distance}",
            -(2.0 ** (-8 * (head + 1) / 8)) * distance,
        ),
    )


SLOPES = Pitfall(
    say("Slopes from 1"),
    wrong=wrong_slopes,
    right=right_slopes,
    check=first_slope_is_the_ratio,
    others=(slopes_share_one_ratio,),
    draw=lambda slopes: -slopes(8)[:, None] * torch.arange(32, dtype=torch.float64),
    lines=_slope_lines,
    rows=say("head h"),
    cols=say("distance i − j"),
    value=say("bias"),
)


# T5's buckets in a decoder: length -> (length, length)


def wrong_sign(length: int) -> Tensor:
    """Count query minus key."""
    p = torch.arange(length)
    relative = p[:, None] - p[None, :]  # i - j: the past is positive
    return t5_bucket(relative, bidirectional=False)


def right_sign(length: int) -> Tensor:
    """Count key minus query, as the buckets expect."""
    p = torch.arange(length)
    relative = p[None, :] - p[:, None]  # j - i: the past is negative
    return t5_bucket(relative, bidirectional=False)


Buckets = Callable[[int], Tensor]


def near_keys_have_their_own_bucket(buckets: Buckets) -> float:
    """Largest error where past keys nearer than 16 have their distance as their bucket."""
    return float((buckets(16)[-1].flip(0) - torch.arange(16)).abs().max())


def buckets_are_in_the_table(buckets: Buckets) -> float:
    """Cells whose bucket is not in 0 … 31."""
    found = buckets(256)
    return float(((found < 0) | (found > 31)).sum())


def _bucket_lines(query: int, key: int) -> tuple[Step, Step]:
    def bucket(relative: int) -> float:
        return float(t5_bucket(torch.tensor(relative), bidirectional=False))

    return (
        Step(
            "",
            r"\text{bucket}(\max(0, -(i - j)))",
            rf"\text{{bucket}}(\max(0, -({query} - {key})))",
            bucket(query - key),
        ),
        Step(
            "",
            r"\text{bucket}(\max(0, -(j - i)))",
            rf"\text{{bucket}}(\max(0, -({key} - {query})))",
            bucket(key - query),
        ),
    )


SIGN = Pitfall(
    say("Distance with the wrong sign"),
    wrong=wrong_sign,
    right=right_sign,
    check=near_keys_have_their_own_bucket,
    others=(buckets_are_in_the_table,),
    draw=lambda buckets: visible(buckets(64)),
    lines=_bucket_lines,
    rows=say("query i"),
    cols=say("key j"),
    value=say("bucket"),
)


# CoPE's gates: scores (n, n), who sees whom (n, n) -> positions (n, n)


def wrong_gates(scores: Tensor, mask: Tensor) -> Tensor:
    """Mask after the sum: gates of later keys have counted by then."""
    gates = torch.sigmoid(scores)  # later keys open gates too
    positions = gates.flip(-1).cumsum(-1).flip(-1)
    return positions.masked_fill(~mask, 0.0)


def right_gates(scores: Tensor, mask: Tensor) -> Tensor:
    """Mask the scores: σ(-∞) = 0."""
    gates = torch.sigmoid(scores.masked_fill(~mask, -torch.inf))  # later keys count 0
    positions = gates.flip(-1).cumsum(-1).flip(-1)
    return positions.masked_fill(~mask, 0.0)


Gates = Callable[[Tensor, Tensor], Tensor]


def later_keys_change_nothing(positions: Gates) -> float:
    """Positions stay when the scores of keys that a query may not see change."""
    scores = normal(24, 24)
    mask = causal_mask(24, 24)
    changed = torch.where(mask, scores, normal(24, 24, seed=1))
    return float((positions(scores, mask) - positions(changed, mask)).abs().max())


def nearer_keys_have_lower_positions(positions: Gates) -> float:
    """Pairs of neighbouring keys of which the nearer one has the higher position."""
    mask = causal_mask(24, 24)
    steps = positions(normal(24, 24), mask).diff(dim=-1)
    return float((steps[mask[:, 1:]] > 0).sum())


def _gate_lines(query: int, key: int) -> tuple[Step, Step]:
    gates = torch.sigmoid(normal(32, 32))[query, key:].tolist()
    seen = gates[: query + 1 - key]
    return (
        Step("", r"\textstyle\sum_{t=j}^{n-1} \sigma(s_{it})", number_sum(gates), sum(gates)),
        Step("", r"\textstyle\sum_{t=j}^{i} \sigma(s_{it})", number_sum(seen), sum(seen)),
    )


GATES = Pitfall(
    say("Mask after the gates"),
    wrong=wrong_gates,
    right=right_gates,
    check=later_keys_change_nothing,
    others=(nearer_keys_have_lower_positions,),
    draw=lambda gates: visible(gates(normal(32, 32), causal_mask(32, 32))),
    lines=_gate_lines,
    rows=say("query i"),
    cols=say("key j"),
    value=say("position"),
)
