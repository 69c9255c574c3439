"""Biases on the scores: T5, ALiBi, Shaw, CoPE and FoX against transformers and x-transformers."""

from types import SimpleNamespace

import torch
from hypothesis import given
from hypothesis import strategies as st
from torch import nn
from transformers import T5Config
from transformers.models.bloom.modeling_bloom import build_alibi_tensor
from transformers.models.mpt.modeling_mpt import build_mpt_alibi_tensor
from transformers.models.t5.modeling_t5 import T5Attention
from transformers.models.wav2vec2_bert.modeling_wav2vec2_bert import (
    _apply_relative_key_position_encoding,
)

from posenc import (
    ALiBi,
    Shaw,
    T5Bias,
    alibi_bias,
    alibi_slopes,
    causal_mask,
    cope_logits,
    cope_positions,
    relative_position,
    t5_bucket,
)
from posenc.fox import fox_bias, fox_log_gates
from tests.parity.comparisons import agree
from tests.parity.peers import x_transformers
from tests.tensors import random

SEEDS = st.integers(0, 2**31)
LENGTHS = st.integers(1, 48)
HEADS = st.integers(1, 64)
# Released configurations. At distances on the boundary of two buckets, float32 and float64 agree
# for these; for arbitrary ones the reference's float32 logarithm may fall on the other side.
T5_SIZES = st.sampled_from(
    [(32, 128), (64, 256), (16, 64), (16, 128), (8, 32), (320, 800), (32, 256), (32, 512)]
)


@given(st.booleans(), T5_SIZES, st.lists(st.integers(-100_000, 100_000), min_size=1))
def test_t5_buckets(bidirectional, sizes, relative):
    relative = torch.cat((torch.tensor(relative), torch.arange(-1000, 1001)))
    expected = T5Attention._relative_position_bucket(relative, bidirectional, *sizes)
    agree("hf t5 buckets", t5_bucket(relative, bidirectional, *sizes), expected)


@given(st.booleans(), T5_SIZES, st.integers(1, 16), LENGTHS, LENGTHS)
def test_t5_bias(bidirectional, sizes, num_heads, q_len, past):
    num_buckets, max_distance = sizes
    config = T5Config(
        d_model=8 * num_heads,
        d_kv=8,
        num_heads=num_heads,
        relative_attention_num_buckets=num_buckets,
        relative_attention_max_distance=max_distance,
        is_decoder=not bidirectional,
    )
    peer = T5Attention(config, has_relative_attention_bias=True)
    ours = T5Bias(num_heads, bidirectional, num_buckets, max_distance)
    with torch.no_grad():
        peer.relative_attention_bias.weight.copy_(ours.table)
    queries, keys = torch.arange(past, past + q_len), torch.arange(past + q_len)
    # compute_bias counts the queries from the length of the cache.
    expected = peer.compute_bias(q_len, past + q_len, past_seen_tokens=past)[0]
    q = torch.zeros(1, num_heads, q_len, 8)
    agree("hf t5", ours.bias(q, q, queries, keys), expected)


@given(st.booleans(), T5_SIZES, st.integers(1, 16), LENGTHS, LENGTHS)
def test_t5_bias_of_x_transformers(bidirectional, sizes, num_heads, q_len, past):
    num_buckets, max_distance = sizes
    # It multiplies the bias by `scale`, to suit scores that are divided later; 1 here.
    peer = x_transformers.RelativePositionBias(
        1, not bidirectional, num_buckets, max_distance, num_heads
    )
    ours = T5Bias(num_heads, bidirectional, num_buckets, max_distance)
    with torch.no_grad():
        peer.relative_attention_bias.weight.copy_(ours.table)
    queries, keys = torch.arange(past, past + q_len), torch.arange(past + q_len)
    q = torch.zeros(1, num_heads, q_len, 8)
    agree("xt t5", ours.bias(q, q, queries, keys), peer(q_len, past + q_len))


def causal_weights(bias, scores):
    """Attention of the scores with this bias; a constant added to a row changes nothing."""
    hidden = torch.where(causal_mask(*scores.shape[-2:]), 0.0, -torch.inf)
    return (scores + bias + hidden).softmax(dim=-1)


@given(HEADS, LENGTHS, SEEDS)
def test_bloom(num_heads, length, seed):
    # BLOOM adds +m·j, a function of the key alone: other numbers than the paper's -m·(i - j), by a
    # constant for each row, so that attention is the same and the bias tensors are not.
    scores = random(num_heads, length, length, seed=seed)
    mask = torch.ones(1, length, dtype=torch.int64)
    theirs = build_alibi_tensor(mask, num_heads, torch.float32)
    relative = relative_position(torch.arange(length), torch.arange(length))
    ours = alibi_bias(alibi_slopes(num_heads), relative, dtype=torch.float64)
    agree("hf bloom", causal_weights(ours, scores), causal_weights(theirs, scores))
    rows = (theirs - ours).tril()
    assert length == 1 or float(rows.abs().max()) > 1e-3


@given(HEADS, LENGTHS, st.floats(1, 16), SEEDS)
def test_mpt(num_heads, length, bias_max, seed):
    # MPT takes every second slope of the next power of two, then the others. With the paper's
    # maximum of 8 that is the paper's list for every number of heads; with another maximum
    # it is for powers of two only, and MPT's own rule elsewhere.
    if num_heads & (num_heads - 1):
        bias_max = 8.0
    scores = random(num_heads, length, length, seed=seed)
    theirs = build_mpt_alibi_tensor(num_heads, length, bias_max)
    relative = relative_position(torch.arange(length), torch.arange(length))
    ours = alibi_bias(alibi_slopes(num_heads, bias_max), relative, dtype=torch.float64)
    agree("hf mpt", causal_weights(ours, scores), causal_weights(theirs, scores))


@given(HEADS, LENGTHS, LENGTHS)
def test_alibi_of_x_transformers(num_heads, q_len, past):
    expected = x_transformers.AlibiPositionalBias(num_heads)(q_len, past + q_len)
    queries, keys = torch.arange(past, past + q_len), torch.arange(past + q_len)
    q = torch.zeros(1, num_heads, q_len, 8, dtype=torch.float64)
    agree("xt alibi", ALiBi(num_heads, symmetric=True).bias(q, q, queries, keys), expected)


@given(st.integers(1, 16), st.integers(1, 32), LENGTHS, SEEDS)
def test_shaw(max_distance, head_dim, length, seed):
    q = random(1, 2, length, head_dim, seed=seed)
    ours = Shaw(head_dim, max_distance, values=False).double()
    peer = SimpleNamespace(
        left_max_position_embeddings=max_distance,
        right_max_position_embeddings=max_distance,
        distance_embedding=nn.Embedding.from_pretrained(ours.key_embedding.detach()),
        scaling=head_dim**-0.5,
    )
    _, expected = _apply_relative_key_position_encoding(peer, q, q)
    positions = torch.arange(length)
    agree("hf shaw", ours.bias(q, q, positions, positions), expected)


@given(st.integers(1, 32), st.integers(2, 64), LENGTHS, SEEDS)
def test_cope(head_dim, max_positions, length, seed):
    # x-transformers hands its scaled scores to the gates and adds the position logits as they are:
    # the paper's formula, where the official code scales the sum. In posenc that is scale_sum.
    query, key = random(2, 1, 2, length, head_dim, seed=seed)
    hidden = torch.where(causal_mask(length, length), 0.0, -torch.inf)
    scores = query @ key.mT + hidden
    peer = x_transformers.CoPE(head_dim, 2, max_positions).double()
    embedding = random(max_positions, head_dim, seed=seed + 1)
    with torch.no_grad():
        peer.pos_emb.copy_(embedding)
    ours = cope_logits(query, cope_positions(scores, max_positions), embedding.mT)
    agree("xt cope", ours, peer(query, scores))


@given(st.integers(1, 8), st.integers(1, 16), LENGTHS, SEEDS)
def test_fox(num_heads, d_model, length, seed):
    x = random(1, length, d_model, seed=seed)
    peer = x_transformers.DataDependentAlibi(d_model, num_heads).double()
    linear = peer.to_forget_gates[0]
    ours = fox_bias(fox_log_gates(x, linear.weight, linear.bias))
    # Its upper triangle is positive and left to the mask; ours is zero there.
    agree("xt fox", ours, peer(x).tril())
