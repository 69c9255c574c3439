"""Cached keys followed: how they were rotated, how far off that is now, and what a score takes."""

import torch
from torch import Tensor

from posenc.cache.stale_keys import stale_score_error
from posenc.quantity.step import Step, factor, fraction, number, number_sum, words
from posenc.rope.pairs import Layout, pair_of
from posenc.scaling.longrope import LongRoPE


def stale_score_steps(phase: Tensor, value: float) -> tuple[Step, ...]:
    """The error of a score from the angles by which its key is off: `stale_score_error`.

    Args:
        phase: φ, radians (pairs,); their signs do not matter.
        value: The error as it was computed.
    """
    squares = torch.sin(phase.to(torch.float64) / 2) ** 2
    first = number(phase[0].item())
    summed = squares.sum().item()
    channels = 2 * len(squares)
    return (
        Step("s_0", r"\sin^2(\Delta\varphi_0/2)", rf"\sin({first}/2)^2", squares[0].item()),
        Step("S", r"\textstyle\sum_i s_i", number_sum(squares.tolist()), summed),
        Step("e", r"\sqrt{8S/d}", rf"\sqrt{{8 \cdot {number(summed)}/{channels}}}", value),
    )


def stale_mean_steps(phase: Tensor, value: float) -> tuple[Step, ...]:
    """The mean error of the scores of some cached keys.

    Args:
        phase: φ of every key, radians (keys, pairs).
        value: The mean as it was computed.
    """
    errors = stale_score_error(phase).tolist()
    symbol = r"\tfrac{1}{n}\textstyle\sum_\text{keys} e"
    return (
        Step("n", words("keys, evenly spread over the text"), "", len(errors)),
        Step(symbol, "", f"({number_sum(errors)})/{len(errors)}", value),
    )


def cached_key_steps(
    key: Tensor, cached: Tensor, token: int, channel: int, angles: Tensor | None, layout: Layout
) -> tuple[Step, ...]:
    """One channel of a cached key: as the token made it, and rotated.

    Args:
        key: k as the token made it, (head_dim,).
        cached: What lies in the cache, (head_dim,).
        token: Its number, which is its position.
        channel: c.
        angles: p·θ of every pair where RoPE rotates it before it is cached, radians (pairs,).
        layout: Which channels form a pair.
    """
    plain = Step(f"k_{{{token},{channel}}}", words("key of the token"), "", key[channel].item())
    symbol = f"k'_{{{token},{channel}}}"
    value = cached[channel].item()
    if torch.equal(key, cached):
        return (plain,)
    if angles is None or channel >= 2 * len(angles):
        rotated = words("rotated by the encoding at position {0}", token)
        return plain, Step(symbol, rotated, "", value)
    pair, second = pair_of(channel, len(angles), layout)
    apart = 1 if layout == "interleaved" else len(angles)
    other = channel - apart if second else channel + apart
    angle = angles[pair].item()
    k = key[channel].item()
    partner = key[other].item()
    sign = "+" if second else "-"
    return (
        plain,
        Step(rf"p\,\theta_{{{pair}}}", "", "", angle),
        Step(
            symbol,
            rf"k_{{{channel}}} \cos p\theta {sign} k_{{{other}}} \sin p\theta",
            rf"{number(k)} \cos({number(angle)}) {sign} {factor(partner)} \sin({number(angle)})",
            value,
        ),
    )


def told_distance_steps(
    row: int, col: int, places: tuple[int, int], *, in_cache: bool
) -> tuple[Step, ...]:
    """The distance between query and key as a cache tells it to the encoding.

    Args:
        row: Token of the query.
        col: Token of the key.
        places: Positions under which they are rotated.
        in_cache: Whether positions are places in the cache, and not in the text.
    """
    if in_cache:
        where, of_key = words("place in the cache"), words("place of its key in the cache")
    else:
        where, of_key = words("place in the text"), words("place of its key in the text")
    query, key = places
    return (
        Step(f"p_{{{row}}}", where, "", query),
        Step(f"p_{{{col}}}", of_key, "", key),
        Step(
            rf"\delta_{{{row},{col}}}",
            f"p_{{{row}}} - p_{{{col}}}",
            f"{number(query)} - {number(key)}",
            query - key,
        ),
    )


def longrope_list_steps(scaling: LongRoPE, curve: int, pair: int) -> tuple[Step, ...]:
    """A divisor of the short list, of the long list, or their ratio.

    Args:
        scaling: What has the lists.
        curve: 0 for the short list, 1 for the long list, 2 for long over short.
        pair: i.
    """
    by_short, by_long = float(scaling.short_factor[pair]), float(scaling.long_factor[pair])
    short = Step(rf"e_{{{pair}}}^\text{{short}}", "", "", by_short)
    long = Step(rf"e_{{{pair}}}^\text{{long}}", "", "", by_long)
    if curve < 2:
        return ((short, long)[curve],)
    numbers = fraction(number(long.value), short.value)
    value = long.value / short.value
    return short, long, Step(f"{long.symbol}/{short.symbol}", "", numbers, value)
