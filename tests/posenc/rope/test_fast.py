"""Turning some rows at a time gives what turning them at once gives."""

import pytest
import torch
from torch.testing import assert_close

from posenc import (
    rope_cos_sin,
    rope_inv_freq,
)
from posenc.rope import fast
from posenc.rope.fast import rotate_pairs
from posenc.rope.pairs import LAYOUTS


@pytest.mark.parametrize("layout", LAYOUTS)
@pytest.mark.parametrize("dtype", [torch.bfloat16, torch.float16, torch.float32])
@pytest.mark.parametrize("batch", [(), (2,)])
@pytest.mark.parametrize("rotary_dim", [16, 24])
def test_blocks_are_equal_to_the_whole(monkeypatch, layout, dtype, batch, rotary_dim):
    generator = torch.Generator().manual_seed(0)
    x = torch.randn(2, 3, 21, 24, generator=generator).to(dtype)
    positions = torch.randint(0, 10**6, (*batch, 21), generator=generator)
    cos, sin = rope_cos_sin(positions, rope_inv_freq(rotary_dim)[0], dtype=torch.float32)
    whole = rotate_pairs(x.float(), cos, sin, layout).to(dtype)
    # float32 products may be fused or not, by their place in memory: one rounding of the result.
    one_rounding = {"rtol": torch.finfo(dtype).eps, "atol": 1e-6}
    monkeypatch.setattr(fast, "MANY", 1)
    for block in (1, 1000, fast.BLOCK):
        monkeypatch.setattr(fast, "BLOCK", block)
        torch.testing.assert_close(rotate_pairs(x, cos, sin, layout), whole, **one_rounding)


@pytest.mark.parametrize("layout", LAYOUTS)
def test_blocks_have_the_batch_of_the_positions(monkeypatch, layout):
    monkeypatch.setattr(fast, "BLOCK", 100)
    x = torch.randn(1, 2, 9, 8, generator=torch.Generator().manual_seed(0)).bfloat16()
    positions = torch.stack((torch.arange(9), torch.arange(9) + 5))
    cos, sin = rope_cos_sin(positions, rope_inv_freq(8)[0], dtype=torch.float32)
    turned = rotate_pairs(x, cos, sin, layout)
    alone = rotate_pairs(x, cos[1], sin[1], layout)
    torch.testing.assert_close(turned[1:], alone, rtol=2**-7, atol=1e-6)


def test_a_gradient_passes_through_narrow_numbers():
    x = torch.ones(1, 4, 8, dtype=torch.bfloat16, requires_grad=True)
    cos, sin = rope_cos_sin(torch.arange(4), rope_inv_freq(8)[0], dtype=torch.float32)
    rotate_pairs(x, cos, sin).sum().backward()
    expected = rotate_pairs(torch.ones(1, 4, 8), cos, -sin)  # the transpose turns back
    torch.testing.assert_close(x.grad.float(), expected, atol=2**-7, rtol=0)


@pytest.mark.parametrize("shape", [(23,), (2, 23)])
@pytest.mark.parametrize("dtype", [torch.float64, torch.bfloat16])
def test_a_long_table_is_computed_in_blocks(monkeypatch, shape, dtype):
    at = torch.randint(-1000, 10**6, shape, generator=torch.Generator().manual_seed(0))
    inv_freq = rope_inv_freq(8)[0]
    whole = rope_cos_sin(at, inv_freq, 1.1, dtype)
    for block in (1, 20, 92):
        monkeypatch.setattr(fast, "BLOCK", block)
        for blocks, expected in zip(rope_cos_sin(at, inv_freq, 1.1, dtype), whole, strict=True):
            assert_close(blocks, expected, rtol=torch.finfo(dtype).eps, atol=1e-15)
    inv_freq.requires_grad_()
    rope_cos_sin(at, inv_freq)[1].sum().backward()
    assert_close(
        inv_freq.grad, (at[..., None] * (at[..., None] * inv_freq).cos()).flatten(0, -2).sum(0)
    )
