"""Dropout, sinks and flex attention, against torch's and transformers' own."""

import warnings
from types import SimpleNamespace

import pytest
import torch
from torch.nn.attention.flex_attention import create_block_mask, flex_attention
from transformers.models.gpt_oss.modeling_gpt_oss import eager_attention_forward

from posenc import (
    ALiBi,
    HeadSlice,
    RoPE,
    Together,
    attend,
    causal_mask,
    document_mask,
    document_mask_mod,
)
from posenc.catalogue import CATALOGUE
from tests.posenc.laws import SHAPE, build
from tests.tensors import random

HEADS = SHAPE.num_heads
DISTANCE = ["alibi", "t5", "kerple", "sandwich"]


@pytest.mark.parametrize("kv_heads", [1, 2, 4])
def test_sinks_are_those_of_gpt_oss(kv_heads):
    q = random(2, 4, 5, 8, dtype=torch.float32)
    k, v = random(2, 2, kv_heads, 5, 8, seed=1, dtype=torch.float32).unbind()
    sinks = random(4, seed=2, dtype=torch.float32)
    layer = SimpleNamespace(sinks=sinks, num_key_value_groups=4 // kv_heads, training=False)
    hidden = torch.zeros(5, 5).masked_fill(~causal_mask(5, 5), -torch.inf)
    want, weights = eager_attention_forward(layer, q, k, v, hidden, 8**-0.5)
    got = attend(q, k, v, mask="causal", sinks=sinks)
    torch.testing.assert_close(got.transpose(1, 2), want, atol=1e-6, rtol=0)
    trace = attend(q, k, v, mask="causal", sinks=sinks, trace=True)
    torch.testing.assert_close(trace.weights, weights, atol=1e-6, rtol=0)


@pytest.mark.parametrize("name", CATALOGUE)
def test_a_sink_is_one_key_more_without_a_value(name):
    encoding = build(name)
    q, k, v = random(3, 2, HEADS, 5, 6).unbind()
    sinks = random(HEADS, seed=3)
    trace = attend(q, k, v, encoding, mask="causal", trace=True)
    with_sinks = attend(q, k, v, encoding, mask="causal", trace=True, sinks=sinks)
    total = trace.logits.logsumexp(dim=-1).exp()
    share = total / (total + sinks.exp()[:, None])
    torch.testing.assert_close(with_sinks.weights, trace.weights * share[..., None])
    none = torch.full((HEADS,), -torch.inf, dtype=torch.float64)
    plain = attend(q, k, v, encoding, mask="causal", sinks=none)
    torch.testing.assert_close(plain, trace.output, atol=1e-12, rtol=0)


def test_a_query_that_sees_nothing_gives_its_sink_everything():
    q, k, v = random(3, 1, 2, 3, 4).unbind()
    mask = torch.zeros(3, 3, dtype=torch.bool)
    out = attend(q, k, v, mask=mask, sinks=torch.zeros(2, dtype=torch.float64))
    assert out.eq(0).all()


@pytest.mark.parametrize("name", CATALOGUE)
def test_dropout_keeps_the_mean(name):
    encoding = build(name)
    q, k, v = (x[:1] for x in random(3, 1, HEADS, 4, 6).unbind())
    many = [x.expand(4000, -1, -1, -1) for x in (q, k, v)]
    plain = attend(q, k, v, encoding, mask="causal")
    torch.manual_seed(0)
    dropped = attend(*many, encoding, mask="causal", dropout=0.25)
    if not encoding.reads_scores or encoding.mix(q @ k.mT, v, *[torch.arange(4)] * 2) is None:
        assert dropped.std(dim=0).mean() > 0.05
    mean = dropped.mean(dim=0)
    torch.testing.assert_close(mean[None], plain, atol=6 * 4000**-0.5, rtol=0)
    assert attend(q, k, v, encoding, mask="causal", dropout=0.0).equal(plain)


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ({"dropout": 1.5}, "dropout must be a finite number from 0 to 1"),
        ({"dropout": 0.5, "trace": True}, "dropout must be 0 where the stages are kept"),
        ({"sinks": torch.zeros(3)}, "sinks must be a floating-point number for each of the 2"),
        ({"sinks": torch.zeros(2).long()}, "sinks must be a floating-point number"),
        ({"sinks": 3}, "sinks must be a torch tensor"),
    ],
)
def test_other_options_are_refused(options, words):
    q = torch.ones(1, 2, 3, 4)
    with pytest.raises(ValueError, match=words):
        attend(q, q, q, **options)


def flex(q, k, v, score_mod, block_mask=None):
    with warnings.catch_warnings():
        warnings.filterwarnings("ignore", "flex_attention called without torch.compile")
        return flex_attention(q, k, v, score_mod=score_mod, block_mask=block_mask)


@pytest.mark.parametrize("name", DISTANCE)
@pytest.mark.parametrize(("q_len", "cached"), [(1, 0), (1, 7), (9, 0), (4, 3)])
def test_flex_attention_adds_the_same_bias(name, q_len, cached):
    encoding = build(name, torch.float32)
    k_len = q_len + cached
    q, k, v = random(3, 2, HEADS, k_len, 16, dtype=torch.float32).unbind()
    q = q[:, :, cached:]
    with torch.no_grad():
        want = attend(q, k, v, encoding)
        got = flex(q, k, v, encoding.score_mod(q_len, k_len))
        torch.testing.assert_close(got, want, atol=2e-6, rtol=0)
        some = HeadSlice(encoding, 1, 3)
        part = flex(q[:, 1:3], k[:, 1:3], v[:, 1:3], some.score_mod(q_len, k_len))
        torch.testing.assert_close(part, want[:, 1:3], atol=2e-6, rtol=0)
        both = Together(RoPE(16), encoding)
        at = torch.arange(k_len)
        turned = both.rotate(q, k, at[cached:], at)
        got = flex(*turned, v, both.score_mod(q_len, k_len))
        torch.testing.assert_close(got, attend(q, k, v, both), atol=2e-6, rtol=0)


def test_every_encoding_has_a_score_mod_or_says_why_not():
    for name in CATALOGUE:
        encoding = build(name, torch.float32)
        if name in DISTANCE:
            assert encoding.score_mod(4, 4) is not None
        elif "bias" in CATALOGUE[name].places:
            with pytest.raises(ValueError, match="score_mod takes a bias that depends on the dist"):
                encoding.score_mod(4, 4)
        else:
            assert encoding.score_mod(4, 4) is None
    assert Together(RoPE(8)).score_mod(4, 4) is None
    with pytest.raises(ValueError, match="q_len must be an integer from 1 to 4"):
        ALiBi(2).score_mod(5, 4)


@pytest.mark.parametrize("causal", [True, False])
@pytest.mark.parametrize("rows", [True, False])
def test_documents_are_hidden_from_each_other_in_flex_attention(causal, rows):
    documents = torch.tensor([[0] * 5 + [1] * 3 + [2] * 4, [0] * 2 + [1] * 10])
    documents = documents if rows else documents[0]
    q, k, v = random(3, 2, 2, 12, 16, dtype=torch.float32).unbind()
    mask = document_mask(documents)
    want = attend(q, k, v, mask=mask & causal_mask(12, 12) if causal else mask)
    visible = document_mask_mod(documents, causal=causal)
    blocks = create_block_mask(visible, 2 if rows else None, None, 12, 12, device="cpu")
    torch.testing.assert_close(flex(q, k, v, None, blocks), want, atol=2e-6, rtol=0)
