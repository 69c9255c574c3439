"""The one attention of the project: rotate, score, scale, mask, bias, softmax, mix.

Shapes in comments: b batch, h heads, i queries, j keys, d channels of a head, e of a value.
"""

from typing import Literal, TypedDict, Unpack, overload

import torch
from torch import Tensor

from posenc.attention.fused import fused
from posenc.attention.masks import Mask, causal_mask
from posenc.attention.shapes import check_mask, check_shapes, positions_of
from posenc.attention.trace import Trace
from posenc.checks import check_bool, check_number
from posenc.places import PositionalEncoding, check_encoding


class Options(TypedDict, total=False):
    """Options of `attend` besides the encoding."""

    mask: Mask
    q_positions: Tensor | None
    k_positions: Tensor | None
    scale: float | None
    softcap: float | None
    rotated: bool


@overload
def attend(
    q: Tensor,
    k: Tensor,
    v: Tensor,
    encoding: PositionalEncoding | None = None,
    *,
    trace: Literal[False] = False,
    **options: Unpack[Options],
) -> Tensor: ...
@overload
def attend(
    q: Tensor,
    k: Tensor,
    v: Tensor,
    encoding: PositionalEncoding | None = None,
    *,
    trace: Literal[True],
    **options: Unpack[Options],
) -> Trace: ...
@overload
def attend(
    q: Tensor,
    k: Tensor,
    v: Tensor,
    encoding: PositionalEncoding | None = None,
    *,
    trace: bool,
    **options: Unpack[Options],
) -> Tensor | Trace: ...
def attend(
    q: Tensor,
    k: Tensor,
    v: Tensor,
    encoding: PositionalEncoding | None = None,
    *,
    mask: Mask = None,
    q_positions: Tensor | None = None,
    k_positions: Tensor | None = None,
    scale: float | None = None,
    softcap: float | None = None,
    rotated: bool = False,
    trace: bool = False,
) -> Tensor | Trace:
    """Scaled dot-product attention: rotate, score, scale, mask, bias, softmax, mix.

    Masking comes before the bias because CoPE's gates must see it.

    Args:
        q: Queries (batch, heads, q_len, head_dim).
        k: Keys (batch, heads, k_len, head_dim).
        v: Values (batch, heads, k_len, value_dim).
        encoding: Where position enters; None is no position at all.
        mask: "causal", None, or bool broadcastable to (batch, heads, q_len, k_len), True where
            the query may attend to the key.
        q_positions: Integers (q_len,) or (batch, q_len); default the last q_len key positions.
        k_positions: Integers (k_len,) or (batch, k_len); default 0 … k_len - 1.
        scale: Factor on q·k; default 1 / sqrt(head_dim). T5 uses 1.
        softcap: c, above 0: scaled scores become c·tanh(score / c), as in Gemma 2.
        rotated: True if q and k have been through `encoding.rotate` already (a cache of rotated
            keys).
        trace: Keep every stage.

    Returns:
        The output (batch, heads, q_len, value_dim), or the `Trace` that ends in it.

    Raises:
        ValueError: If shapes do not fit together or positions are not integers.

    Source: Vaswani et al. 2017, section 3.2.1, arXiv:1706.03762.
    """
    encoding = check_encoding(encoding if encoding is not None else PositionalEncoding())
    check_shapes(q, k, v)
    q_positions, k_positions = positions_of(q, k, q_positions, k_positions)
    check_mask(mask, (*q.shape[:-1], k.shape[-2]))
    scale = q.shape[-1] ** -0.5 if scale is None else check_number("scale", scale)
    if softcap is not None:
        check_number("softcap", softcap, above=0)
    check_bool("rotated", rotated)
    check_bool("trace", trace)

    content_q = q
    content_k = k
    if not rotated:
        q, k = encoding.rotate(q, k, q_positions, k_positions)
    if not trace and softcap is None and not encoding.reads_scores:
        # fused.py: the same numbers faster
        return fused(q, k, v, encoding, mask, q_positions, k_positions, scale)

    if isinstance(mask, str):
        mask = causal_mask(q.shape[-2], k.shape[-2], q.device)
    dot = q @ k.mT  # [b, h, i, d] @ [b, h, d, j] -> [b, h, i, j]
    scaled = capped(dot * scale, softcap)
    masked = scaled if mask is None else scaled.masked_fill(~mask, -torch.inf)
    bias = encoding.bias(q, masked, q_positions, k_positions)
    logits = masked if bias is None else masked + bias.to(q.dtype)
    weights = _softmax(logits)
    mixed = encoding.mix(weights, v, q_positions, k_positions)
    # [b, h, i, j] @ [b, h, j, e] -> [b, h, i, e]
    output = weights @ v if mixed is None else weights @ v + mixed
    if not trace:
        return output
    return Trace(
        q=q,
        k=k,
        content=capped(content_q @ content_k.mT * scale, softcap),
        dot=dot,
        scaled=scaled,
        masked=masked,
        bias=torch.zeros_like(scaled) if bias is None else bias.expand_as(scaled),
        logits=logits,
        weights=weights,
        mixed=torch.zeros_like(output) if mixed is None else mixed,
        output=output,
        scale=scale,
        softcap=softcap,
    )


def attention_weights(
    q: Tensor,
    k: Tensor,
    encoding: PositionalEncoding,
    mask: Tensor | None,
    q_positions: Tensor,
    k_positions: Tensor,
    scale: float,
    softcap: float | None = None,
) -> Tensor:
    """The weights of `attend` alone, where no other stage is needed.

    Args:
        q: Queries after place 2, (batch, heads, q_len, head_dim).
        k: Keys after place 2, (batch, heads, k_len, head_dim).
        encoding: Where position enters.
        mask: As for `attend`, but bool or None.
        q_positions: Integers (q_len,) or (batch, q_len).
        k_positions: Integers (k_len,) or (batch, k_len).
        scale: Factor on q·k.
        softcap: As for `attend`.

    Returns:
        (batch, heads, q_len, k_len).
    """
    scores = capped(q @ k.mT * scale, softcap)
    if mask is not None:
        scores = scores.masked_fill(~mask, -torch.inf)
    bias = encoding.bias(q, scores, q_positions, k_positions)
    return _softmax(scores if bias is None else scores + bias.to(q.dtype))


def capped(scores: Tensor, softcap: float | None) -> Tensor:
    """Scores kept within ±softcap by c·tanh(score / c); the scores themselves for None.

    Source: Gemma Team 2024 (Gemma 2), section 2, arXiv:2408.00118.
    """
    return scores if softcap is None else torch.tanh(scores / softcap) * softcap


def _softmax(logits: Tensor) -> Tensor:
    """Softmax over keys; a row of -inf (a query that may see nothing) gives zeros, not NaN."""
    empty = (logits == -torch.inf).all(dim=-1, keepdim=True)
    return torch.softmax(logits.masked_fill(empty, 0.0), dim=-1).masked_fill(empty, 0.0)
