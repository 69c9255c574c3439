"""Attention over texts of several lengths without padding: torch's jagged nested tensors."""

from itertools import pairwise
from typing import Any, Unpack

import torch
from torch import Tensor

from posenc.attention.formula import Softmax, attend
from posenc.attention.masks import Mask
from posenc.checks import check_tensors, shown
from posenc.places import PositionalEncoding


def attend_jagged(
    q: Tensor,
    k: Tensor,
    v: Tensor,
    encoding: PositionalEncoding | None = None,
    *,
    mask: Mask = None,
    dropout: float = 0.0,
    **softmax: Unpack[Softmax],
) -> Tensor:
    """`attend` for every text of a jagged batch, each with positions from 0 on.

    The texts are gone through one by one, whatever the encoding; nothing of one reaches another.

    Args:
        q: Queries, jagged (batch, heads, seq, head_dim), seq of each text its own.
        k: Keys, jagged (batch, kv_heads, seq, head_dim), as long as the queries.
        v: Values, jagged (batch, kv_heads, seq, value_dim).
        encoding: Where position enters; None is no position at all.
        mask: "causal", or None as for `attend`: every token sees its whole text.
        dropout: As for `attend`.
        softmax: `scale`, `softcap` and `sinks` as for `attend`.

    Returns:
        Jagged (batch, heads, seq, value_dim).

    Raises:
        ValueError: If they are not jagged in this way, lengths differ, or `attend` refuses a text.

    Source: torch.nested, layout torch.jagged.
    """
    check_tensors(q=q, k=k, v=v)
    if mask is not None and not (isinstance(mask, str) and mask == "causal"):
        raise ValueError(f"mask must be 'causal' or None for jagged texts, got {shown(mask)}.")
    parts: dict[str, Any] = {
        name: _packed(name, part) for name, part in (("q", q), ("k", k), ("v", v))
    }
    offsets = parts["q"].offsets()
    starts = offsets.tolist()
    for name, part in parts.items():
        if part.offsets() is not offsets and part.offsets().tolist() != starts:
            raise ValueError(f"{name} must have texts as long as those of q, got others.")
    packed_q, packed_k, packed_v = (part.values() for part in parts.values())
    outputs = []
    for start, stop in pairwise(starts):
        text = slice(start, stop)
        output = attend(
            _text(packed_q[text]),
            _text(packed_k[text]),
            _text(packed_v[text]),
            encoding,
            mask=mask,
            dropout=dropout,
            **softmax,
        )
        outputs.append(output[0].transpose(0, 1))
    return torch.nested.nested_tensor_from_jagged(torch.cat(outputs), offsets).transpose(1, 2)


def _text(tokens: Tensor) -> Tensor:
    """From (tokens, heads, dim) to a batch of one text, (1, heads, tokens, dim)."""
    return tokens.transpose(0, 1)[None]


def _packed(name: str, part: Tensor) -> Tensor:
    """The same tensor as (batch, seq, heads, dim), whose values are (tokens, heads, dim)."""
    if not part.is_nested or part.layout != torch.jagged or part.dim() != 4:
        raise ValueError(
            f"{name} must be a jagged nested tensor (batch, heads, seq, dim), got {part.layout} "
            f"of {part.dim()} dimensions."
        )
    packed = part.transpose(1, 2)
    if packed.values().dim() != 3 or packed.size(2) != packed.values().shape[1]:
        raise ValueError(f"{name} must be jagged along seq alone.")
    return packed
