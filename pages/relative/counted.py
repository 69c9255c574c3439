"""How much memory each way of using relative positions takes, counted and not measured."""

import torch
from torch import Tensor

from posenc.checks import check_int
from posenc.quantity.step import Step, number

INDEX_BYTES = 8
"""Ids and buckets are int64."""


def relative_bytes(
    lengths: Tensor,
    num_heads: int,
    head_dim: int,
    max_distance: int = 16,
    num_buckets: int = 32,
    itemsize: int = 4,
) -> dict[str, Tensor]:
    """Bytes of what each method builds for one text in one layer, queries = keys = L.

    Args:
        lengths: L, integers (n,).
        num_heads: Heads H.
        head_dim: Width of a head d.
        max_distance: Shaw's k.
        num_buckets: T5's buckets.
        itemsize: Bytes of one number: 4 in float32, 2 in bfloat16.

    Returns:
        Id of the method to bytes, float64 (n,):
        "scores": the attention matrix itself, H·L² numbers;
        "ids": the id matrix, L² indices;
        "gathered": Shaw, a vector for each pair of tokens, L²·d numbers;
        "by_id": Shaw, each query against each of 2k + 1 embeddings, H·L·(2k + 1) numbers;
        "skew": each query against each distance and a column to pad, H·L·(L + 1) numbers;
        "t5_bias": T5, one number for each head and pair, H·L², and the table;
        "t5_table": T5, what is stored and trained, H · num_buckets numbers.

    Raises:
        ValueError: If a size is not an integer of at least 1.

    Source: counted from Shaw et al. 2018, arXiv:1803.02155; Huang et al. 2018 (skew),
        arXiv:1809.04281; Raffel et al. 2019, arXiv:1910.10683.
    """
    names = "num_heads", "head_dim", "max_distance", "num_buckets", "itemsize"
    sizes = num_heads, head_dim, max_distance, num_buckets, itemsize
    for name, size in zip(names, sizes, strict=True):
        check_int(name, size, 1)
    length = lengths.double()
    scores = num_heads * length**2 * itemsize
    table = num_heads * num_buckets * itemsize
    return {
        "scores": scores,
        "ids": length**2 * INDEX_BYTES,
        "gathered": length**2 * head_dim * itemsize,
        "by_id": num_heads * length * (2 * max_distance + 1) * itemsize,
        "skew": num_heads * length * (length + 1) * itemsize,
        "t5_bias": scores + table,
        "t5_table": length * 0 + table,
    }


def relative_bytes_steps(
    method: str,
    length: int,
    num_heads: int,
    head_dim: int,
    max_distance: int = 16,
    num_buckets: int = 32,
    itemsize: int = 4,
) -> tuple[Step, ...]:
    """Bytes of one method, by its id, at one length L, for the sizes that `relative_bytes` takes.

    Raises:
        KeyError: If there is no such method.
    """
    sizes = num_heads, head_dim, max_distance, num_buckets, itemsize
    value = relative_bytes(torch.tensor([length]), *sizes)[method][0].item()
    heads = number(num_heads)
    square = rf"{length}^2"
    formula, numbers = {
        "scores": (r"H L^2 b", rf"{heads} \cdot {square} \cdot {itemsize}"),
        "ids": (r"L^2 \cdot \text{bytes of an index}", rf"{square} \cdot {INDEX_BYTES}"),
        "gathered": (r"L^2 d\,b", rf"{square} \cdot {head_dim} \cdot {itemsize}"),
        "by_id": (
            "H L\\,(2k + 1)\\,b",
            rf"{heads} \cdot {length} \cdot (2 \cdot {max_distance} + 1) \cdot {itemsize}",
        ),
        "skew": (
            "H L\\,(L + 1)\\,b",
            rf"{heads} \cdot {length} \cdot ({length} + 1) \cdot {itemsize}",
        ),
        "t5_bias": (
            r"H L^2 b + H n\,b",
            rf"{heads} \cdot {square} \cdot {itemsize}"
            rf" + {heads} \cdot {num_buckets} \cdot {itemsize}",
        ),
        "t5_table": (r"H n\,b", rf"{heads} \cdot {num_buckets} \cdot {itemsize}"),
    }[method]
    return (Step(r"\text{bytes}", formula, numbers, value),)
