"""The one attention of the project: rotate, score, scale, mask, bias, softmax, mix.

Shapes in comments: b batch, h heads, i queries, j keys, d channels of a head, e of a value.
"""

from typing import Literal, TypedDict, Unpack, overload

import torch
from torch import Tensor
from torch.nn.functional import scaled_dot_product_attention

from posenc.attention.masks import Mask, causal_mask
from posenc.attention.trace import Trace
from posenc.checks import check_bool, check_number, check_places, check_tensors
from posenc.places import PositionalEncoding, check_encoding, check_sizes, scale_of


def fused(
    q: Tensor,
    k: Tensor,
    v: Tensor,
    encoding: PositionalEncoding,
    mask: Mask,
    q_positions: Tensor,
    k_positions: Tensor,
    scale: float,
    last: bool,
    dropout: float = 0.0,
) -> Tensor:
    """The same result through torch's fused kernel, for encodings that never read the scores."""
    shape = (*q.shape[:-1], k.shape[-2])
    # A bias that does not read the scores needs only their shape: nothing of that size is built.
    scores = q.new_zeros(()).expand(shape)
    square = q.shape[-2] == k.shape[-2]
    grouped = False
    if q.shape[1] != k.shape[1]:  # with free numbers of heads the comparison itself is no bool
        grouped = True
    if last and not isinstance(mask, Tensor) and _views_pay(q):
        view = encoding._view_of_last(q, scores, mask is not None)
        if view is not None:
            backwards = scaled_dot_product_attention(
                q.flip(-2),
                k,
                v,
                attn_mask=view.to(q.dtype).expand(shape),
                dropout_p=dropout,
                scale=scale,
                enable_gqa=grouped,
            )
            return backwards.flip(-2)
    if last:
        causal = isinstance(mask, str)
        bias = encoding._bias_of_last(q, scores, causal)
        if bias is not None and causal:
            mask = None
    else:
        bias = encoding.bias(q, scores, q_positions, k_positions)
    if bias is None and isinstance(mask, str) and square:
        return scaled_dot_product_attention(
            q, k, v, dropout_p=dropout, is_causal=True, scale=scale, enable_gqa=grouped
        )
    if isinstance(mask, str):
        mask = causal_mask(q.shape[-2], k.shape[-2], q.device)
    if bias is not None:
        bias = bias.to(q.dtype)
        mask = bias if mask is None else torch.where(mask, bias, -torch.inf)
    if mask is not None:
        mask = mask.expand(shape)
    return scaled_dot_product_attention(
        q, k, v, attn_mask=mask, dropout_p=dropout, scale=scale, enable_gqa=grouped
    )


def _views_pay(q: Tensor) -> bool:
    """On a CPU, whose kernel reads a bias where it lies; others want rows that are apart."""
    return q.device.type == "cpu" and not torch.compiler.is_compiling()


def check_shapes(q: Tensor, k: Tensor, v: Tensor) -> None:
    """Batch, heads and widths must fit together, and all be of one dtype on one device."""
    check_tensors(q=q, k=k, v=v)
    shapes = f"{tuple(q.shape)}, {tuple(k.shape)} and {tuple(v.shape)}"
    if not (q.dim() == k.dim() == v.dim() == 4):
        raise ValueError(f"q, k and v must have shape (batch, heads, seq, head_dim), got {shapes}.")
    same = q.dtype == k.dtype == v.dtype and q.device == k.device == v.device
    if not same or not q.is_floating_point():
        given = ", ".join(f"{x.dtype} on {x.device}" for x in (q, k, v))
        raise ValueError(
            f"q, k and v must be of one floating-point dtype and on one device, got {given}."
        )
    if q.shape[0] != k.shape[0] or q.shape[-1] != k.shape[-1] or k.shape[:3] != v.shape[:3]:
        raise ValueError(
            "q and k must agree in batch and head_dim, k and v in batch, heads and seq; got "
            f"{shapes}."
        )
    heads, kv_heads = q.shape[1], k.shape[1]
    if heads != kv_heads and (kv_heads == 0 or heads % kv_heads):
        raise ValueError(
            f"The heads of k and v must divide those of q, got {kv_heads} and {heads}."
        )


def positions_of(
    q: Tensor, k: Tensor, q_positions: Tensor | None, k_positions: Tensor | None, axes: int = 1
) -> tuple[Tensor, Tensor]:
    """The positions given, checked; by default keys count from 0 and queries are the last keys."""
    q_len, k_len = q.shape[-2], k.shape[-2]
    if k_positions is None:
        k_positions = torch.arange(k_len, device=k.device)
    if q_positions is None:
        if q_len > k_len:
            raise ValueError(
                f"q_positions must be given where queries outnumber keys, got {q_len} queries and "
                f"{k_len} keys."
            )
        # The very same tensor where lengths agree: rotations then build one table for both.
        q_positions = k_positions if q_len == k_len else k_positions[..., k_len - q_len :]
    keys = _checked_positions("k_positions", k_positions, q.shape[0], k_len, axes)
    if q_positions is k_positions and q_len == k_len:
        return keys, keys
    return _checked_positions("q_positions", q_positions, q.shape[0], q_len, axes), keys


def _checked_positions(name: str, positions: Tensor, batch: int, length: int, axes: int) -> Tensor:
    positions = check_places(name, positions, axes)
    count = positions.shape[-1]
    if count != length:
        raise ValueError(f"{name} must hold {length} positions, got {count}.")
    if positions.dim() > 1 and positions.shape[-2] not in (1, batch):
        raise ValueError(
            f"{name} must have one row for each of the {batch} sequences of the batch, or one for "
            f"all, got {positions.shape[-2]} rows."
        )
    return positions


def check_mask(mask: Mask, shape: tuple[int, ...], device: torch.device) -> None:
    """A mask must be "causal", None, or bool and broadcastable to (batch, heads, q_len, k_len)."""
    if isinstance(mask, str):
        if mask != "causal":
            raise ValueError(f"mask must be 'causal', None or a bool tensor, got {mask!r}.")
    elif mask is not None:
        check_tensors(mask=mask)
        sizes = zip(reversed(mask.shape), reversed(shape), strict=False)
        fits = mask.dim() <= len(shape) and all(size == 1 or size == full for size, full in sizes)
        if mask.dtype != torch.bool or not fits:
            raise ValueError(
                f"mask must be 'causal', None or a bool tensor broadcastable to {shape}, got "
                f"{mask.dtype} of shape {tuple(mask.shape)}."
            )
        if mask.device != device:
            raise ValueError(f"mask must be on the device of q, {device}, got {mask.device}.")


class Softmax(TypedDict, total=False):
    """Options of `attend` that a cache takes too."""

    scale: float | None
    softcap: float | None
    sinks: Tensor | None


class Options(Softmax, total=False):
    """Options of `attend` besides the encoding."""

    mask: Mask
    q_positions: Tensor | None
    k_positions: Tensor | None
    rotated: bool
    dropout: float


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
    dropout: float = 0.0,
    sinks: Tensor | None = None,
    trace: bool = False,
) -> Tensor | Trace:
    """Scaled dot-product attention: rotate, score, scale, mask, bias, softmax, mix.

    Masking comes before the bias because CoPE's gates must see it.

    >>> q, k, v = torch.randn(3, 1, 8, 10, 64)  # (batch, heads, tokens, head_dim)
    >>> out = attend(q, k, v, RoPE(64), mask="causal")
    >>> last = attend(q[:, :, -1:], k, v, RoPE(64))  # one query, at the end of the keys
    >>> torch.testing.assert_close(last, out[:, :, -1:])
    >>> stages = attend(q, k, v, ALiBi(8), mask="causal", trace=True)
    >>> stages.bias[0, 0, 9, 6].item()  # three tokens before, in the head whose slope is 1/2
    -1.5

    Args:
        q: Queries (batch, heads, q_len, head_dim).
        k: Keys (batch, kv_heads, k_len, head_dim). kv_heads divides heads: neighbouring heads of
            queries share one of keys and values (grouped-query attention).
        v: Values (batch, kv_heads, k_len, value_dim).
        encoding: Where position enters; None is no position at all. What `Sinusoidal` and
            `Learned` do was done to the embeddings, by a call of theirs: here they change nothing.
        mask: "causal", None, or bool broadcastable to (batch, heads, q_len, k_len), True where
            the query may attend to the key. "causal" goes by the order of the tokens, whatever
            their positions, and takes the queries for the last of the keys. By default every query
            sees every key, as in torch's own attention; what decodes, `KVCache`, is causal by
            default.
        q_positions: Integers (q_len,) or (batch, q_len); default the last q_len key positions. For
            waves (`RoPE`, `Sandwich`, `TransformerXL`) also numbers in float32 or float64: pixels,
            seconds; for `MRoPE` and `AxialRoPE` also (axes, batch, q_len).
        k_positions: The same (k_len,) or (batch, k_len); default 0 … k_len - 1, whatever those of
            the queries are: packed documents, whose positions begin anew, need both.
        scale: Factor on q·k; default 1 / sqrt(head_dim). T5 uses 1. The biases of Shaw,
            Transformer-XL and CoPE are scaled as well: with them it must be `encoding.scale`,
            which is then the default.
        softcap: c, above 0: scaled scores become c·tanh(score / c), as in Gemma 2.
        rotated: True if q and k have been through `encoding.rotate` already (a cache of rotated
            keys).
        dropout: Probability with which a weight is dropped, 0 to 1; give 0 outside training. The
            stages of a trace are those without dropout: it is refused there.
        sinks: Logit of each head that takes part in the softmax and has no value, (heads,): a
            query may attend to nothing (gpt-oss).
        trace: Keep every stage.

    Returns:
        The output (batch, heads, q_len, value_dim), or the `Trace` that ends in it.

    Raises:
        ValueError: If shapes, dtypes or devices do not fit together, the encoding was made for
            others or for another scale, or positions are not integers.

    Source: Vaswani et al. 2017, section 3.2.1, arXiv:1706.03762; shared keys and values: Ainslie
    et al. 2023, section 2.2, arXiv:2305.13245; sinks: transformers,
    models/gpt_oss/modeling_gpt_oss.py, eager_attention_forward.
    """
    encoding = check_encoding(encoding if encoding is not None else PositionalEncoding())
    check_shapes(q, k, v)
    check_sizes(encoding, q.shape[1], q.shape[-1])
    last = q_positions is None and k_positions is None  # their numbers are known without reading
    q_positions, k_positions = positions_of(q, k, q_positions, k_positions, encoding.axes)
    check_mask(mask, (*q.shape[:-1], k.shape[-2]), q.device)
    scale = check_softmax(encoding, q, scale, softcap, sinks)
    check_bool("rotated", rotated)
    check_bool("trace", trace)
    check_number("dropout", dropout, 0, maximum=1)
    if trace and dropout:
        raise ValueError(f"dropout must be 0 where the stages are kept, got {dropout:g}.")

    content_q = q
    content_k = k
    if not rotated:
        q, k = encoding.rotate(q, k, q_positions, k_positions)
    if not trace and softcap is None and sinks is None and not encoding.reads_scores:
        return fused(q, k, v, encoding, mask, q_positions, k_positions, scale, last, dropout)

    if q.shape[1] != k.shape[1]:
        share = q.shape[1] // k.shape[1]
        k, content_k, v = (x.repeat_interleave(share, dim=1) for x in (k, content_k, v))
    if isinstance(mask, str):
        mask = causal_mask(q.shape[-2], k.shape[-2], q.device)
    dot = q @ k.mT  # [b, h, i, d] @ [b, h, d, j] -> [b, h, i, j]
    scaled = capped(dot * scale, softcap)
    masked = scaled if mask is None else scaled.masked_fill(~mask, -torch.inf)
    if last:
        bias = encoding._bias_of_last(q, masked)
    else:
        bias = encoding.bias(q, masked, q_positions, k_positions)
    logits = masked if bias is None else masked + bias.to(q.dtype)
    weights = _softmax(logits, sinks)
    if dropout:
        weights = torch.nn.functional.dropout(weights, dropout)
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


def check_softmax(
    encoding: PositionalEncoding,
    q: Tensor,
    scale: float | None = None,
    softcap: float | None = None,
    sinks: Tensor | None = None,
) -> float:
    """Return the factor on q·k if these options of `attend` fit the encoding and the queries."""
    if softcap is not None:
        check_number("softcap", softcap, above=0)
    if sinks is not None:
        check_sinks(sinks, q)
    return scale_of(encoding, q.shape[-1], scale)


def check_sinks(sinks: Tensor, q: Tensor) -> None:
    """Sinks must be one floating-point number for each head, on the device of q."""
    check_tensors(sinks=sinks)
    if sinks.shape != q.shape[1:2] or not sinks.is_floating_point() or sinks.device != q.device:
        raise ValueError(
            f"sinks must be a floating-point number for each of the {q.shape[1]} heads on "
            f"{q.device}, got {sinks.dtype} of shape {tuple(sinks.shape)} on {sinks.device}."
        )


def _softmax(logits: Tensor, sinks: Tensor | None = None) -> Tensor:
    """Softmax over keys; a row of -inf (a query that may see nothing) gives zeros, not NaN."""
    if sinks is not None:  # one column more, which has no value
        column = sinks.to(logits.dtype)[:, None, None].expand(*logits.shape[:-1], 1)
        return torch.softmax(torch.cat((logits, column), dim=-1), dim=-1)[..., :-1]
    empty = (logits == -torch.inf).all(dim=-1, keepdim=True)
    return torch.softmax(logits.masked_fill(empty, 0.0), dim=-1).masked_fill(empty, 0.0)
