"""Shaw followed: the id of a pair, what the embeddings add to its score and to the output."""

import torch
from torch import Tensor

from posenc.quantity.lines import dot_step
from posenc.quantity.step import Step, number
from posenc.shaw.formula import Convention, Shaw, relative_position_ids_at


def id_steps(
    query: int, key: int, max_distance: int, convention: Convention, value: float
) -> tuple[Step, ...]:
    """Distance, clipped, counted from 0: the id of one pair."""
    k = max_distance
    i, j = (number(query), number(key))
    forward = convention == "key_minus_query"
    symbols, numbers = ("j - i", f"{j} - {i}") if forward else ("i - j", f"{i} - {j}")
    distance = key - query if forward else query - key
    return (
        Step("x", symbols, numbers, distance),
        Step(
            rf"\text{{id}}_{{{query},{key}}}",
            r"\text{clip}(x, -k, k) + k",
            rf"\text{{clip}}({number(distance)}, -{number(k)}, {number(k)}) + {number(k)}",
            int(value),
        ),
    )


def shaw_key_steps(shaw: Shaw, query: Tensor, row: int, col: int, value: float) -> tuple[Step, ...]:
    """The key embedding's part of one pair's score: its id, the product, the scale.

    Args:
        shaw: The encoding.
        query: q_i of the row, (head_dim,).
        row: i.
        col: j.
        value: q_i·a^K[id] / sqrt(head_dim) as it was computed.
    """
    clipped = max(-shaw.max_distance, min(col - row, shaw.max_distance))
    ids = id_steps(row, col, shaw.max_distance, "key_minus_query", clipped + shaw.max_distance)
    dot = dot_step("q_i \\cdot a^K", query, shaw.key_embedding[int(ids[-1].value)], "q", "a")
    numbers = rf"{number(dot.value)} / \sqrt{{{shaw.head_dim}}}"
    symbol = f"b_{{{row},{col}}}"
    return (*ids, dot, Step(symbol, r"q_i \cdot a^K / \sqrt d", numbers, value))


def shaw_value_steps(
    shaw: Shaw, weights: Tensor, row: int, channel: int, value: float
) -> tuple[Step, ...]:
    """The value embeddings' part of one entry of the output: weights times embeddings.

    Args:
        shaw: The encoding, with value embeddings.
        weights: Attention of query `row`, (k_len,).
        row: Query i.
        channel: Channel c.
        value: Σ_j α_ij a^V[id_ij]_c as it was computed.

    Raises:
        ValueError: If the encoding has no value embeddings.
    """
    if shaw.value_embedding is None:
        raise ValueError("shaw must have value embeddings, got values=False.")
    keys = torch.arange(len(weights))
    ids = relative_position_ids_at(torch.tensor([row]), keys, shaw.max_distance)[0]
    embeddings = shaw.value_embedding.detach()[ids, channel]
    summed = dot_step("", weights, embeddings, r"\alpha", "a").substituted
    formula = rf"\sum_j \alpha_{{{row},j}}\,a^V[\text{{id}}_{{{row},j}}]_{{{channel}}}"
    return (Step(f"r_{{{row},{channel}}}", formula, summed, value),)
