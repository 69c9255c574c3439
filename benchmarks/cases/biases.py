"""Biases: ALiBi, T5, Shaw and CoPE; and a whole prompt attended with one."""

from types import SimpleNamespace

import torch
from torch import Tensor, nn
from torch.nn.functional import scaled_dot_product_attention

from benchmarks import peers
from benchmarks.cases.case import HEADS, Case, Size, when
from posenc import (
    ALiBi,
    PositionalEncoding,
    Shaw,
    T5Bias,
    alibi_bias,
    alibi_slopes,
    attend,
    cope_logits,
    cope_positions,
)


def alibi_row(size: Size) -> Case:
    """The bias of one query to all keys, in the form that BLOOM and MPT add to every row."""
    slopes = alibi_slopes(32).to(size.device, torch.float32)
    relative = torch.arange(1 - size.length, 1, device=size.device)
    mask = torch.ones(1, size.length, dtype=torch.int64, device=size.device)
    bloom, mpt = peers.model("bloom"), peers.model("mpt")
    return Case(
        "ALiBi, one query",
        f"32 heads, {size}",
        lambda: alibi_bias(slopes, relative).to(size.dtype),
        {
            "transformers (BLOOM)": when(
                bloom, lambda: bloom.build_alibi_tensor(mask, 32, size.dtype)
            ),
            "transformers (MPT)": when(
                mpt,
                lambda: mpt.build_mpt_alibi_tensor(32, size.length, device=size.device).to(
                    size.dtype
                ),
            ),
        },
        32 * size.length * size.dtype.itemsize,
    )


def square(size: Size, heads: int) -> tuple[Tensor, Tensor]:
    """Positions, and a stand-in for queries that carries heads, dtype and device."""
    positions = torch.arange(size.length, device=size.device)
    shape = (1, heads, size.length, size.head_dim)
    return positions, torch.randn(shape, device=size.device).to(size.dtype)


def alibi_square(size: Size) -> Case:
    positions, q = square(size, HEADS)
    ours = ALiBi(HEADS, symmetric=True)
    xt = peers.x_transformers
    return Case(
        "ALiBi, all pairs",
        f"{HEADS} heads, {size}",
        lambda: ours.bias(q, q, positions, positions),
        {
            "x-transformers": when(
                xt,
                lambda: (
                    xt.AlibiPositionalBias(HEADS)
                    .to(size.device)(size.length, size.length)
                    .to(size.dtype)
                ),
            )
        },
        HEADS * size.length**2 * size.dtype.itemsize,
    )


def t5(size: Size) -> Case:
    """T5's bias of all queries to all keys, from the buckets on."""
    positions, q = square(size, HEADS)
    ours = T5Bias(HEADS).to(size.device, size.dtype)
    hf = peers.model("t5")
    xt = peers.x_transformers
    config = hf and peers.transformers.T5Config(d_model=64, d_kv=8, num_heads=HEADS)
    theirs = hf and hf.T5Attention(config, has_relative_attention_bias=True).to(
        size.device, size.dtype
    )
    lucid = xt and xt.RelativePositionBias(1, heads=HEADS).to(size.device, size.dtype)
    return Case(
        "T5 bias",
        f"{HEADS} heads, {size}",
        lambda: ours.bias(q, q, positions, positions),
        {
            "transformers": when(hf, lambda: theirs.compute_bias(size.length, size.length)),
            "x-transformers": when(xt, lambda: lucid(size.length, size.length)),
        },
        HEADS * size.length**2 * size.dtype.itemsize,
    )


def shaw(size: Size) -> Case:
    """q·a of all pairs; transformers looks up a vector for each pair."""
    positions, q = square(size, HEADS)
    ours = Shaw(size.head_dim, 64, values=False).to(size.device, size.dtype)
    hf = peers.model("wav2vec2_bert")
    theirs = SimpleNamespace(
        left_max_position_embeddings=64,
        right_max_position_embeddings=64,
        distance_embedding=nn.Embedding.from_pretrained(ours.key_embedding.detach()),
        scaling=size.head_dim**-0.5,
    )
    return Case(
        "Shaw scores",
        f"{HEADS} heads, {size}",
        lambda: ours.bias(q, q, positions, positions),
        {"transformers": when(hf, lambda: hf._apply_relative_key_position_encoding(theirs, q, q))},
        q.nbytes + HEADS * size.length**2 * size.dtype.itemsize,
    )


def cope(size: Size) -> Case:
    """Gates, positions and logits of CoPE with 64 positions, from masked scores."""
    _, q = square(size, HEADS)
    future = torch.ones(size.length, size.length, dtype=torch.bool, device=size.device).triu(1)
    scores = (q @ q.mT).masked_fill(future, -torch.inf)
    xt = peers.x_transformers
    theirs = xt and xt.CoPE(size.head_dim, HEADS, 64).to(size.device, size.dtype)
    embedding = torch.randn(size.head_dim, 64, device=size.device).to(size.dtype)
    return Case(
        "CoPE",
        f"{HEADS} heads, {size}",
        lambda: cope_logits(q, cope_positions(scores, 64), embedding),
        {"x-transformers": when(xt, lambda: theirs(q, scores))},
        2 * scores.nbytes,
    )


def prefill(name: str, encoding: PositionalEncoding, size: Size) -> Case:
    """A causal prompt attended; torch's own attention has the bias and the mask ready."""
    positions, _ = square(size, HEADS)
    shape = (3, 1, HEADS, size.length, size.head_dim)
    q, k, v = torch.randn(shape, device=size.device).to(size.dtype)
    encoding = encoding.to(size.device, size.dtype)
    future = positions[:, None] < positions[None, :]
    with torch.no_grad():
        bias = encoding.bias(q, q @ k.mT, positions, positions).masked_fill(future, -torch.inf)
    bias = bias.expand(1, HEADS, *future.shape)  # of four axes: for others SDPA is slow
    return Case(
        f"attention with {name}, prompt",
        f"{HEADS} heads, {size}",
        lambda: attend(q, k, v, encoding, mask="causal"),
        {"SDPA with a ready bias": lambda: scaled_dot_product_attention(q, k, v, bias)},
        4 * q.nbytes + bias.nbytes,
    )


def alibi_prefill(size: Size) -> Case:
    return prefill("ALiBi", ALiBi(HEADS), size)


def t5_prefill(size: Size) -> Case:
    return prefill("T5", T5Bias(HEADS), size)
