import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st

from posenc.fox import fox_bias, fox_log_gates
from posenc.stick_breaking import stick_breaking_weights
from tests.tensors import random


def _logits(length, seed=0, scale=2.0):
    generator = torch.Generator().manual_seed(seed)
    logits = torch.randn(2, length, length, generator=generator, dtype=torch.float64) * scale
    forbidden = torch.ones(length, length, dtype=torch.bool).triu()  # the own token too
    return logits.masked_fill(forbidden, -torch.inf)


@settings(max_examples=25)
@given(st.integers(1, 8), st.integers(0, 1000))
def test_the_product_of_the_definition(length, seed):
    logits = _logits(length, seed)
    weights = stick_breaking_weights(logits)
    share = torch.sigmoid(logits)
    for i in range(length):
        for j in range(length):
            want = share[:, i, j] * (1 - share[:, i, j + 1 :]).prod(-1)
            torch.testing.assert_close(weights[:, i, j], want, atol=1e-14, rtol=0)


def test_far_logits_neither_overflow_nor_vanish():
    logits = torch.tensor([[1e4, -1e4, 1e4, -1e4]])
    assert stick_breaking_weights(logits).tolist() == [[0.0, 0.0, 1.0, 0.0]]


def test_gradients_are_finite_under_the_mask():
    logits = _logits(5)
    free = logits.masked_fill(logits == -torch.inf, 0.0).requires_grad_()

    def weights(free):
        return stick_breaking_weights(free.masked_fill(logits == -torch.inf, -torch.inf))

    assert torch.autograd.gradcheck(weights, free)


def test_a_cache_sees_the_last_rows():
    log_gates = -random(2, 3, 7).abs()
    assert torch.equal(fox_bias(log_gates, q_len=2), fox_bias(log_gates)[..., -2:, :])


def test_float32_keeps_small_differences_of_large_sums():
    # 4096 tokens at ln f = -1: a float32 running sum would leave errors of 5e-4 near the end.
    log_gates = torch.full((4096,), -1.001)
    torch.testing.assert_close(fox_bias(log_gates)[-1, -2], log_gates[0], atol=0, rtol=1e-6)


def test_gradients():
    inputs = [random(1, 4, 3), random(2, 3, seed=1), random(2, seed=2)]
    inputs = [tensor.requires_grad_() for tensor in inputs]
    assert torch.autograd.gradcheck(lambda *a: fox_bias(fox_log_gates(*a)), inputs)


def test_too_many_queries_get_a_sentence():
    with pytest.raises(ValueError, match=r"q_len must be an integer from 1 to 3, got 4\."):
        fox_bias(torch.zeros(3), q_len=4)
