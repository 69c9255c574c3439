import pytest
import torch

from posenc.fox import fox_bias, fox_log_gates
from tests.tensors import random


def test_a_constant_gate_is_alibi():
    bias = fox_bias(torch.full((6,), -0.25))
    i, j = torch.arange(6)[:, None], torch.arange(6)
    assert torch.equal(bias, (-0.25 * (i - j)).tril())


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
