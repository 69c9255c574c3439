import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st
from torch.nn.functional import softmax

from posenc import CoPE, attend, causal_mask
from posenc.cope.formula import cope_logits_direct, cope_positions
from posenc.cope.interpolation import cope_logits
from tests.tensors import random

SHAPE = (2, 3, 6, 4)  # batch, heads, length, head_dim


def _random_cope(max_positions=5, **options):
    encoding = CoPE(SHAPE[-1], max_positions, **options).double()
    with torch.no_grad():
        encoding.embedding.copy_(random(SHAPE[-1], max_positions, seed=9))
    return encoding


def _slow_positions(gates, cap):
    """The definition, one pair at a time."""
    q_len, k_len = gates.shape
    out = torch.zeros(q_len, k_len, dtype=gates.dtype)
    for i in range(q_len):
        for j in range(k_len):
            out[i, j] = min(sum(float(gates[i, t]) for t in range(j, k_len)), cap - 1)
    return out


@settings(max_examples=25)
@given(st.integers(1, 7), st.integers(2, 6), st.integers(0, 1000))
def test_positions_are_the_sum_of_gates_from_key_to_query(length, cap, seed):
    logits = random(length, length, seed=seed).masked_fill(~causal_mask(length, length), -torch.inf)
    want = _slow_positions(torch.sigmoid(logits), cap)
    torch.testing.assert_close(cope_positions(logits, cap), want, atol=1e-12, rtol=0)


@pytest.mark.parametrize("scale", [None, 1.0, 0.3])
@pytest.mark.parametrize("scale_gates", [True, False])
@pytest.mark.parametrize("scale_sum", [True, False])
def test_variants_follow_their_formula(scale, scale_gates, scale_sum):
    encoding = _random_cope(scale_gates=scale_gates, scale_sum=scale_sum, scale=scale)
    q, k, v = (random(*SHAPE, seed=s) for s in range(3))
    factor = SHAPE[-1] ** -0.5 if scale is None else scale
    dot = (q @ k.mT).masked_fill(~causal_mask(6, 6), -torch.inf)
    positions = cope_positions(dot * factor if scale_gates else dot, 5)
    c = cope_logits_direct(q, positions, encoding.embedding)
    logits = (dot + c) * factor if scale_sum else dot * factor + c
    want = softmax(logits, dim=-1) @ v
    got = attend(q, k, v, encoding, mask="causal", scale=scale)
    torch.testing.assert_close(got, want, atol=1e-12, rtol=0)


def test_the_published_start_is_attention_without_position():
    q, k, v = (random(*SHAPE, seed=s) for s in range(3))
    with_cope = attend(q, k, v, CoPE(SHAPE[-1], 8), mask="causal")
    torch.testing.assert_close(with_cope, attend(q, k, v, mask="causal"), atol=1e-12, rtol=0)


@settings(max_examples=25)
@given(st.integers(1, 6), st.integers(1, 6), st.integers(2, 7), st.integers(0, 1000))
def test_the_efficient_form_equals_the_direct_one(q_len, k_len, cap, seed):
    query, embedding = random(2, q_len, 3, seed=seed), random(3, cap, seed=seed + 1)
    positions = cope_positions(random(2, q_len, k_len, seed=seed + 2) * 3, cap)
    fast = cope_logits(query, positions, embedding)
    direct = cope_logits_direct(query, positions, embedding)
    torch.testing.assert_close(fast, direct, atol=1e-12, rtol=1e-12)


@pytest.mark.parametrize("logits_of", [cope_logits, cope_logits_direct])
def test_gradients_of_query_embedding_and_weight(logits_of):
    query = random(4, 3).requires_grad_()
    embedding = random(3, 5, seed=1).requires_grad_()
    logits = random(4, 4, seed=2).requires_grad_()

    def through_the_gates(query, logits, embedding):
        return logits_of(query, cope_positions(logits, 5), embedding)

    assert torch.autograd.gradcheck(through_the_gates, (query, logits, embedding))
