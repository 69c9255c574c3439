"""Shaw's value term and the memory of relative positions followed."""

import torch
from torch import Tensor

from posenc.quantity.step import Step, dot_step, number
from posenc.shaw.formula import Shaw, relative_position_ids_at
from posenc.shaw.memory import INDEX_BYTES, relative_bytes


def shaw_value_steps(
    shaw: Shaw, weights: Tensor, row: int, channel: int, value: float
) -> tuple[Step, ...]:
    """What the value embeddings add to one entry of the output: weights times embeddings.

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


def relative_bytes_steps(
    name: str,
    length: int,
    num_heads: int,
    head_dim: int,
    max_distance: int = 16,
    num_buckets: int = 32,
    itemsize: int = 4,
) -> tuple[Step, ...]:
    """Bytes of one method at one length: see `relative_bytes`.

    Args:
        name: One of the methods of `relative_bytes`.
        length: L.
        num_heads: H.
        head_dim: d.
        max_distance: k.
        num_buckets: T5's buckets n.
        itemsize: b, bytes of one number.

    Raises:
        KeyError: If there is no such method.
    """
    sizes = (num_heads, head_dim, max_distance, num_buckets, itemsize)
    value = relative_bytes(torch.tensor([length]), *sizes)[name][0].item()
    heads, square = number(num_heads), rf"{length}^2"
    formula, numbers = {
        "scores": (r"H L^2 b", rf"{heads} \cdot {square} \cdot {itemsize}"),
        "ids": (r"L^2 \cdot \text{bytes of an index}", rf"{square} \cdot {INDEX_BYTES}"),
        "Shaw, gathered": (r"L^2 d\,b", rf"{square} \cdot {head_dim} \cdot {itemsize}"),
        "Shaw, by id": (
            "H L\\,(2k + 1)\\,b",
            rf"{heads} \cdot {length} \cdot (2 \cdot {max_distance} + 1) \cdot {itemsize}",
        ),
        "skew": (
            "H L\\,(L + 1)\\,b",
            rf"{heads} \cdot {length} \cdot ({length} + 1) \cdot {itemsize}",
        ),
        "T5 bias": (
            r"H L^2 b + H n\,b",
            rf"{heads} \cdot {square} \cdot {itemsize}"
            rf" + {heads} \cdot {num_buckets} \cdot {itemsize}",
        ),
        "T5 table": (r"H n\,b", rf"{heads} \cdot {num_buckets} \cdot {itemsize}"),
    }[name]
    return (Step(r"\text{bytes}", formula, numbers, value),)
