"""A traced step of the cache: the stages are those of the step that it makes."""

import pytest
import torch

from posenc import KVCache, RoPE, attend


def _qkv():
    generator = torch.Generator().manual_seed(5)
    return torch.randn(3, 1, 2, 6, 8, dtype=torch.float64, generator=generator).unbind()


@pytest.mark.parametrize("rotate_on_write", [True, False])
def test_a_traced_step_has_the_weights_of_its_row(rotate_on_write):
    q, k, v = _qkv()
    full = attend(q, k, v, RoPE(8), mask="causal", trace=True)
    cache = KVCache(RoPE(8), rotate_on_write=rotate_on_write)
    for t in range(6):
        new = slice(t, t + 1)
        step = cache.step(
            q[..., new, :], k[..., new, :], v[..., new, :], torch.tensor([t]), trace=True
        )
        torch.testing.assert_close(step.weights[..., 0, :], full.weights[..., t, : t + 1])
        torch.testing.assert_close(step.output, full.output[..., new, :])


def test_the_trace_ends_in_what_an_untraced_step_returns():
    q, k, v = _qkv()
    traced = KVCache(RoPE(8)).step(q, k, v, torch.arange(6), trace=True)
    plain = KVCache(RoPE(8)).step(q, k, v, torch.arange(6))
    torch.testing.assert_close(traced.output, plain, atol=1e-12, rtol=0)
