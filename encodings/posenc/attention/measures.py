"""Measures of attention weights: how spread they are and how far they reach."""

import torch
from torch import Tensor

from posenc.places import relative_position


def attention_entropy(weights: Tensor) -> Tensor:
    """Entropy of each query's attention, H_i = -Σ_j a_ij ln a_ij.

    Args:
        weights: Attention (..., q_len, k_len), rows that sum to 1.

    Returns:
        Nats, (..., q_len): 0 where one key has all the attention, ln n where n keys share it
        equally. A query that may see nothing (a row of zeros) has 0.

    Source: Shannon 1948, section 6.
    """
    return torch.special.entr(weights).sum(dim=-1)


def attention_surplus(logits: Tensor) -> Tensor:
    """How far each share is from an even one, ln(a_ij · n_i) with n_i the keys that query i sees.

    Shares of long rows differ by orders of magnitude; their logarithm against the even share
    1 / n_i is 0 where a query pays no more and no less attention than to the average key.

    Args:
        logits: Input of the softmax (..., q_len, k_len), -inf where the mask forbids attention.

    Returns:
        Nats, the same shape: positive above the even share, -inf where the mask forbids attention,
        NaN in the row of a query that may see nothing.
    """
    seen = (logits > -torch.inf).sum(dim=-1, keepdim=True).to(logits.dtype)
    return torch.log_softmax(logits, dim=-1) + torch.log(seen)


def attended_distance(weights: Tensor, q_positions: Tensor, k_positions: Tensor) -> Tensor:
    """Mean distance that each query's attention reaches, Σ_j a_ij |j - i|.

    Args:
        weights: Attention (batch, heads, q_len, k_len), or (q_len, k_len) without a batch.
        q_positions: Integers, (q_len,) or (batch, q_len).
        k_positions: Integers, (k_len,) or (batch, k_len).

    Returns:
        Tokens, the shape of the weights without the last axis.

    Raises:
        ValueError: If positions are not integers of one of these shapes.
    """
    distance = relative_position(q_positions, k_positions).abs()
    return (weights * distance).sum(dim=-1)


def attention_moved(weights: Tensor, other: Tensor) -> Tensor:
    """Share of each query's attention that lands on other keys, ½ Σ_j |a_ij - b_ij|.

    The total variation distance of two rows of attention.

    Args:
        weights: Attention (..., q_len, k_len), rows that sum to 1.
        other: The same shape.

    Returns:
        (..., q_len), from 0 (the same attention) to 1 (no key in common).
    """
    return (weights - other).abs().sum(dim=-1) / 2


def mean_by_distance(values: Tensor) -> Tensor:
    """Mean over all queries of what they have at each distance δ = i - j to a past key.

    Args:
        values: Scores or attention (..., length, length) of queries and keys of one text.

    Returns:
        (..., length): entry δ is the mean of the length - δ cells with j = i - δ.

    Raises:
        ValueError: If there are not as many keys as queries.
    """
    if values.dim() < 2 or values.shape[-1] != values.shape[-2]:
        raise ValueError(
            f"values must have shape (..., length, length), got {tuple(values.shape)}."
        )
    position = torch.arange(values.shape[-1], device=values.device)
    key = position[:, None] - position  # (query i, distance δ)
    at = values.gather(-1, key.clamp(min=0).expand_as(values))
    return at.masked_fill(key < 0, 0.0).sum(dim=-2) / (key >= 0).sum(dim=0)


def share_from_distance(weights: Tensor, distance: int) -> float:
    """Share of attention on keys at `distance` or farther back, mean over queries that have some.

    Args:
        weights: Attention (length, length) of queries and keys of one text, rows that sum to 1.
        distance: At least 0, in tokens.

    Returns:
        From 0 to 1; NaN where the text has no such key.
    """
    return float(weights.tril(-distance)[distance:].sum(dim=-1).mean())
