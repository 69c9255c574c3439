"""Several encodings in one attention: their terms added by hand, and x-transformers' layer."""

import pytest
import torch

from posenc import (
    ALiBi,
    CoPE,
    KVCache,
    Learned,
    RoPE,
    Shaw,
    T5Bias,
    Together,
    TransformerXL,
    apply_rope,
    attend,
)
from posenc.random_model import randomise
from posenc.scaling import DynamicNTK
from tests.parity.peers import x_transformers
from tests.tensors import random

POSITIONS = torch.arange(7)


def test_rotation_and_a_bias_are_what_x_transformers_computes():
    """Its attention with `rotary_pos_emb` and `rel_pos_bias`: both switched on in one layer."""
    torch.manual_seed(0)
    theirs = x_transformers.apply_rotary_pos_emb
    bias = x_transformers.RelativePositionBias(
        scale=1.0, causal=True, num_buckets=8, max_distance=16, heads=2
    )
    rotary = x_transformers.RotaryEmbedding(8)
    freqs, _ = rotary.forward_from_seq_len(7)
    q, k, v = random(3, 1, 2, 7, 8, dtype=torch.float32).unbind()
    with torch.no_grad():
        scores = theirs(q, freqs) @ theirs(k, freqs).mT / 8**0.5 + bias(7, 7)
        scores = scores.masked_fill(POSITIONS[:, None] < POSITIONS, -torch.inf)
        want = scores.softmax(dim=-1) @ v
        t5 = T5Bias(2, bidirectional=False, num_buckets=8, max_distance=16)
        t5.table.copy_(bias.relative_attention_bias.weight)
        got = attend(q, k, v, Together(RoPE(8), t5), mask="causal")
    torch.testing.assert_close(got, want, atol=2e-6, rtol=0)


def test_each_place_is_the_sum_or_the_chain_of_its_own():
    rope, alibi, shaw = RoPE(8, rotary_dim=4), ALiBi(2), randomise(Shaw(8, 3), 1).double()
    both = Together(rope, alibi, shaw).double()
    q, k, v = random(3, 2, 2, 7, 8).unbind()
    trace = attend(q, k, v, both, mask="causal", trace=True)
    turned = apply_rope(q, POSITIONS, rope.inv_freq), apply_rope(k, POSITIONS, rope.inv_freq)
    torch.testing.assert_close(trace.q, turned[0])
    torch.testing.assert_close(trace.k, turned[1])
    places = (POSITIONS, POSITIONS)
    bias = alibi.bias(q, trace.masked, *places) + shaw.bias(turned[0], trace.masked, *places)
    torch.testing.assert_close(trace.bias, bias.expand_as(trace.bias))
    torch.testing.assert_close(trace.mixed, shaw.mix(trace.weights, v, *places))
    plain = attend(q, k, v, both, mask="causal")
    torch.testing.assert_close(plain, trace.output)
    assert (both.num_heads, both.head_dim, both.scale) == (2, 8, 8**-0.5)


def test_one_alone_is_itself():
    q, k, v = random(3, 2, 2, 7, 8).unbind()
    for one in (RoPE(8), ALiBi(2), randomise(TransformerXL(2, 8, 16), 0).double()):
        got = attend(q, k, v, Together(one), mask="causal")
        torch.testing.assert_close(got, attend(q, k, v, one, mask="causal"), rtol=0, atol=0)


def test_positions_that_are_added_come_one_after_another():
    one, other = Learned(7, 4), Learned(7, 4)
    x = random(1, 7, 4, dtype=torch.float32)
    got = Together(one, other).embed(x, POSITIONS)
    torch.testing.assert_close(got, x + one.table + other.table)


def test_a_cache_decodes_them():
    both = Together(RoPE(8), ALiBi(2)).double()
    q, k, v = random(3, 1, 2, 7, 8).unbind()
    cache = KVCache(both)
    steps = [slice(0, 4), slice(4, 5), slice(5, 7)]
    got = [cache.step(*(x[..., new, :] for x in (q, k, v)), POSITIONS[new]) for new in steps]
    want = attend(q, k, v, both, mask="causal")
    torch.testing.assert_close(torch.cat(got, dim=-2), want, atol=1e-12, rtol=0)
    growing = Together(ALiBi(2), RoPE(8, scaling=DynamicNTK(2.0, 8)))
    assert not KVCache(growing).rotate_on_write


@pytest.mark.parametrize(
    ("encodings", "words"),
    [
        ((), "encodings must hold at least one"),
        (("rope",), "encoding must be a PositionalEncoding"),
        ((ALiBi(2), T5Bias(4)), "made for one num_heads, got ALiBi for 2, T5Bias for 4"),
        ((RoPE(8), CoPE(16, 4)), "made for one head_dim, got RoPE for 8, CoPE for 16"),
        ((TransformerXL(2, 8, 16), RoPE(8)), "TransformerXL behind all that rotate, got RoPE"),
    ],
)
def test_what_cannot_act_together_is_refused(encodings, words):
    with pytest.raises(ValueError, match=words):
        Together(*encodings)
