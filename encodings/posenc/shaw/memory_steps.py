"""The memory of relative positions followed."""

import torch

from posenc.quantity.step import Step, number
from posenc.shaw.memory import INDEX_BYTES, relative_bytes


def relative_bytes_steps(
    method: str,
    length: int,
    num_heads: int,
    head_dim: int,
    max_distance: int = 16,
    num_buckets: int = 32,
    itemsize: int = 4,
) -> tuple[Step, ...]:
    """Bytes of one method at one length: see `relative_bytes`.

    Args:
        method: Id of one of the methods of `relative_bytes`.
        length: L.
        num_heads: H.
        head_dim: d.
        max_distance: k.
        num_buckets: T5's buckets n.
        itemsize: b, bytes of one number.

    Raises:
        KeyError: If there is no such method.
    """
    one_length = torch.tensor([length])
    of_all = relative_bytes(
        one_length, num_heads, head_dim, max_distance, num_buckets, itemsize=itemsize
    )
    value = of_all[method][0].item()
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
