"""Measures of attention, step by step: entropy, distance, means over queries, differences."""

from collections.abc import Sequence
from dataclasses import replace

import torch
from torch import Tensor

from posenc.attention.measures import mean_by_distance
from posenc.quantity.step import SHOWN_TERMS, Step, factor, no_value, number, total


def entropy_steps(weights: Tensor, query: int, value: float) -> tuple[Step, ...]:
    """The entropy of one query's attention, the largest weights first: see `attention_entropy`.

    Args:
        weights: Its attention, (k_len,).
        query: Query i.
        value: The measure as it was computed.
    """
    shares, keys = _largest(weights)
    lines = [
        Step(
            rf"-\alpha_{{{query},{key}}} \ln \alpha_{{{query},{key}}}",
            "",
            rf"-{number(share)} \cdot \ln({number(share)})",
            torch.special.entr(torch.tensor(share, dtype=torch.float64)).item(),
        )
        for share, key in zip(shares, keys, strict=True)
    ]
    terms = [number(line.value) for line in lines]
    formula = r"-\sum_j \alpha_{ij} \ln \alpha_{ij}"
    return (*lines, Step(f"H_{{{query}}}", formula, total(terms, _seen(weights)), value))


def attended_distance_steps(weights: Tensor, query: int, value: float) -> tuple[Step, ...]:
    """How far one query's attention reaches, the largest weights first: see `attended_distance`.

    Args:
        weights: Its attention over keys 0 … k_len - 1, (k_len,).
        query: Query i.
        value: The measure as it was computed.
    """
    shares, keys = _largest(weights)
    terms = [
        rf"{number(share)} \cdot |{query} - {key}|" for share, key in zip(shares, keys, strict=True)
    ]
    formula = r"\sum_j \alpha_{ij}\,|i - j|"
    return (Step(f"d_{{{query}}}", formula, total(terms, _seen(weights)), value),)


def mean_steps(values: Tensor, symbol: str, value: float, whose: str = "") -> tuple[Step, ...]:
    """The mean over all queries of a measure of each.

    Args:
        values: (queries,).
        symbol: LaTeX of the measure of one query, without its subscript.
        value: The mean as it was computed.
        whose: What stands under the symbol of the mean: a head.
    """
    terms = [number(one) for one in values[:SHOWN_TERMS].tolist()]
    added = values.double().sum().item()
    count = len(values)
    return (
        Step(rf"\textstyle\sum_i {symbol}_i", "", total(terms, count), added),
        Step(
            rf"\overline{{{symbol}}}" + (f"_{{{whose}}}" if whose else ""),
            rf"\textstyle\frac{{1}}{{L}} \sum_i {symbol}_i",
            f"{number(added)} / {count}",
            value,
        ),
    )


def mean_by_distance_steps(values: Tensor, distance: int, symbol: str) -> tuple[Step, ...]:
    """The mean over all queries that have a key `distance` back: see `mean_by_distance`.

    Args:
        values: (length, length).
        distance: δ, 0 … length - 1.
        symbol: LaTeX of one of the values, without its subscript.
    """
    cells = values.diagonal(-distance)
    terms = [number(cell) for cell in cells[:SHOWN_TERMS].tolist()]
    added = cells.double().sum().item()
    count = len(cells)
    key = f"i - {distance}" if distance else "i"
    all_cells = rf"\sum_{{i \ge {distance}}} {symbol}_{{i,\,{key}}}"
    return (
        Step(rf"\textstyle{all_cells}", "", total(terms, count), added),
        Step(
            rf"\overline{{{symbol}}}(\delta = {distance})",
            rf"\textstyle\frac{{1}}{{L - \delta}} {all_cells}",
            f"{number(added)} / {count}",
            mean_by_distance(values)[distance].item(),
        ),
    )


def difference_steps(
    one: Sequence[Step], other: Sequence[Step], names: tuple[str, str], value: float
) -> tuple[Step, ...]:
    """The last steps of two values, and their difference.

    Args:
        one: Steps to what is compared.
        other: Steps to what it is compared with.
        names: A letter for each.
        value: The difference as it was computed; NaN where the mask hides both.
    """
    left, right = one[-1], other[-1]
    symbol = rf"\text{{{names[0]}}} - \text{{{names[1]}}}"
    if value != value:
        return (no_value(symbol, "the mask forbids this key"),)
    lines = (
        replace(step, symbol=rf"\text{{{name}}}\text{{: }}{step.symbol}")
        for name, step in zip(names, (left, right), strict=True)
    )
    numbers = f"{number(left.value)} - {factor(right.value)}"
    return (*lines, Step(symbol, "", numbers, value))


def _largest(weights: Tensor) -> tuple[list[float], list[int]]:
    found = weights.double().topk(min(SHOWN_TERMS, _seen(weights)))
    return found.values.tolist(), found.indices.tolist()


def _seen(weights: Tensor) -> int:
    """Keys with any attention."""
    return int((weights > 0).sum())
