import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st

from posenc.cope.formula import cope_logits_direct, cope_positions
from posenc.cope.interpolation import cope_interpolation, cope_logits
from tests.tensors import random


@settings(max_examples=25)
@given(st.integers(1, 6), st.integers(1, 6), st.integers(2, 7), st.integers(0, 1000))
def test_the_efficient_form_equals_the_direct_one(q_len, k_len, cap, seed):
    query, embedding = random(2, q_len, 3, seed=seed), random(3, cap, seed=seed + 1)
    positions = cope_positions(random(2, q_len, k_len, seed=seed + 2) * 3, cap)
    fast = cope_logits(query, positions, embedding)
    direct = cope_logits_direct(query, positions, embedding)
    torch.testing.assert_close(fast, direct, atol=1e-12, rtol=1e-12)


def test_interpolation_by_hand():
    query = torch.tensor([[2.0]])
    embedding = torch.tensor([[1.0, 3.0, -1.0]])
    positions = torch.tensor([[0.0, 0.25, 1.0, 1.5, 2.0]])
    # e = 1, 1.5, 3, 1, -1 times the query's 2
    assert cope_logits(query, positions, embedding).tolist() == [[2.0, 3.0, 6.0, 2.0, -2.0]]


def test_steps_of_the_interpolation_by_hand():
    query = torch.tensor([[2.0]])
    embedding = torch.tensor([[1.0, 3.0, -1.0]])
    steps = cope_interpolation(query, torch.tensor([[0.25, 1.5, 2.0]]), embedding)
    assert steps.low.tolist() == [[0, 1, 2]]
    assert steps.high.tolist() == [[1, 2, 2]]
    assert steps.weight.tolist() == [[0.25, 0.5, 0.0]]
    assert steps.z_low.tolist() == [[2.0, 6.0, -2.0]]
    assert steps.z_high.tolist() == [[6.0, -2.0, -2.0]]
    assert steps.logits.tolist() == [[3.0, 2.0, -2.0]]


@pytest.mark.parametrize("logits_of", [cope_logits, cope_logits_direct])
def test_gradients_of_query_embedding_and_weight(logits_of):
    query = random(4, 3).requires_grad_()
    embedding = random(3, 5, seed=1).requires_grad_()
    logits = random(4, 4, seed=2).requires_grad_()

    def through_the_gates(query, logits, embedding):
        return logits_of(query, cope_positions(logits, 5), embedding)

    assert torch.autograd.gradcheck(through_the_gates, (query, logits, embedding))
