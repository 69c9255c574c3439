import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st

from posenc.fox import fox_bias, fox_log_gates
from tests.tensors import random


@settings(max_examples=25)
@given(st.integers(1, 8), st.integers(0, 1000))
def test_bias_is_the_sum_of_log_gates_after_the_key(seq, seed):
    log_gates = torch.nn.functional.logsigmoid(random(2, 3, seq, seed=seed))
    bias = fox_bias(log_gates)
    for i in range(seq):
        for j in range(seq):
            want = log_gates[..., j + 1 : i + 1].sum(-1)
            torch.testing.assert_close(bias[..., i, j], want, atol=1e-13, rtol=0)


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


def test_gates_are_one_sigmoid_per_head():
    x, weight, bias = random(2, 5, 4), random(3, 4, seed=1), random(3, seed=2)
    gates = fox_log_gates(x, weight, bias).exp()
    assert gates.shape == (2, 3, 5)
    for b in range(2):
        for h in range(3):
            for t in range(5):
                want = torch.sigmoid(weight[h] @ x[b, t] + bias[h])
                torch.testing.assert_close(gates[b, h, t], want, atol=1e-14, rtol=0)


def test_gradients():
    inputs = [random(1, 4, 3), random(2, 3, seed=1), random(2, seed=2)]
    inputs = [tensor.requires_grad_() for tensor in inputs]
    assert torch.autograd.gradcheck(lambda *a: fox_bias(fox_log_gates(*a)), inputs)


def test_too_many_queries_get_a_sentence():
    with pytest.raises(ValueError, match=r"q_len must be an integer from 1 to 3, got 4\."):
        fox_bias(torch.zeros(3), q_len=4)
