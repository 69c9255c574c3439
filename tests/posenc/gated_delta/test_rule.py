"""The recurrence beside that of transformers, and what it leaves of each token."""

import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st
from torch import Tensor
from transformers.models.qwen3_5.modeling_qwen3_5 import (
    torch_recurrent_gated_delta_rule as of_qwen3_5,
)
from transformers.models.qwen3_next.modeling_qwen3_next import torch_chunk_gated_delta_rule
from transformers.models.qwen3_next.modeling_qwen3_next import (
    torch_recurrent_gated_delta_rule as of_qwen3_next,
)

from posenc import fox_bias, gated_delta_influence, gated_delta_rule
from tests.tensors import random

LENGTH, KEY, VALUE = 9, 4, 3


def drawn(seed: int, length: int = LENGTH) -> list[Tensor]:
    """Queries, keys of length 1, values, logarithms of gates, and what is replaced."""
    q, k = random(2, 1, 2, length, KEY, seed=seed)
    v = random(1, 2, length, VALUE, seed=seed + 1)
    log_gates, beta = random(2, 1, 2, length, seed=seed + 2)
    return [q, torch.nn.functional.normalize(k, dim=-1), v, -log_gates.abs(), beta.sigmoid()]


def theirs(rule, q, k, v, log_gates, beta) -> Tensor:
    """A function of transformers, which has heads after tokens and divides queries by √key_dim."""
    q, k, v, g, b = (x.transpose(1, 2) for x in (q * KEY**0.5, k, v, log_gates, beta))
    return rule(q.float(), k.float(), v.float(), g.float(), b.float())[0].transpose(1, 2).double()


@pytest.mark.parametrize("rule", [of_qwen3_next, of_qwen3_5, torch_chunk_gated_delta_rule])
@settings(max_examples=20, deadline=None)
@given(seed=st.integers(0, 1000), length=st.integers(1, 12))
def test_outputs_are_those_of_transformers(rule, seed: int, length: int) -> None:
    parts = drawn(seed, length)
    torch.testing.assert_close(gated_delta_rule(*parts), theirs(rule, *parts), rtol=1e-5, atol=1e-5)


@settings(max_examples=20)
@given(seed=st.integers(0, 1000), length=st.integers(1, 12))
def test_outputs_are_sums_of_what_is_left_of_each_token(seed: int, length: int) -> None:
    q, k, v, log_gates, beta = drawn(seed, length)
    left = gated_delta_influence(k, log_gates, beta)
    shares = torch.einsum("bhic,bhijc->bhij", q, left)
    assert torch.equal(shares, shares.tril())
    torch.testing.assert_close(
        shares @ v, gated_delta_rule(q, k, v, log_gates, beta), rtol=0, atol=1e-12
    )


def test_influence_is_the_derivative_of_what_transformers_reads() -> None:
    q, k, v, log_gates, beta = drawn(3)
    left = gated_delta_influence(k, log_gates, beta)
    values = v.float().requires_grad_()
    for head in range(2):
        read = theirs(of_qwen3_next, q, k, values, log_gates, beta)[0, head, -1, 0]
        (gradient,) = torch.autograd.grad(read, values)
        expected = left[0, head, -1] @ q[0, head, -1]
        torch.testing.assert_close(gradient[0, head, :, 0].double(), expected, rtol=0, atol=1e-6)


def test_keys_at_right_angles_leave_the_product_of_the_gates() -> None:
    log_gates = -random(5, seed=1).abs()
    left = gated_delta_influence(
        torch.eye(5, dtype=torch.float64), log_gates, torch.ones(5).double()
    )
    torch.testing.assert_close(left.norm(dim=-1), fox_bias(log_gates).exp().tril())


def test_an_equal_key_replaces_the_value_and_leaves_nothing() -> None:
    k = torch.tensor([[1.0, 0.0], [0.6, 0.8], [1.0, 0.0]], dtype=torch.float64)
    v, one = torch.tensor([[3.0], [1.0], [4.0]]).double(), torch.ones(3).double()
    left = gated_delta_influence(k, 0 * one, one)
    assert left[2, 0].norm() > 0.3  # the key between turned it aside, and 0.8 of that was left
    assert gated_delta_rule(k, k, v, 0 * one, one)[2].item() == pytest.approx(4.0)
    twice = k[[0, 2]]
    assert gated_delta_influence(twice, 0 * one[:2], one[:2])[1, 0].norm() == 0


def test_gradients() -> None:
    parts = [part[..., :4, :] if part.dim() == 4 else part[..., :4] for part in drawn(5)]
    parts = [part.requires_grad_() for part in parts]
    assert torch.autograd.gradcheck(gated_delta_rule, parts)
    assert torch.autograd.gradcheck(gated_delta_influence, [parts[1], *parts[3:]])


@pytest.mark.parametrize("at", [0, 2, 3, 4])
def test_parts_of_other_tokens_are_refused(at: int) -> None:
    parts = drawn(1)
    parts[at] = parts[at][:, :, :-1]
    name = ("q", "k", "v", "log_gates", "beta")[at]
    with pytest.raises(ValueError, match=f"{name} must be of the tokens of k"):
        gated_delta_rule(*parts)
    if at > 2:
        with pytest.raises(ValueError, match=f"{name} must be of the tokens of k"):
            gated_delta_influence(parts[1], *parts[3:])
