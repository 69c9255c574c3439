import math

import pytest
import torch
from hypothesis import strategies as st
from torch.testing import assert_close

from posenc import RoPE, apply_rope, rope_angles, rope_inv_freq
from posenc.scaling import DynamicNTK
from posenc.study import rope_wavelengths
from tests.tensors import random

LAYOUTS = ("interleaved", "half")
positions = st.integers(-1000, 100_000)


def test_wavelength_of_a_pair_at_rest_is_infinite():
    assert rope_wavelengths(torch.tensor([0.0])).item() == math.inf


@pytest.mark.parametrize("layout", LAYOUTS)
def test_memory_order_of_the_input_does_not_matter(layout):
    inv_freq, at = rope_inv_freq(6)[0], torch.arange(4)
    plain = random(2, 3, 4, 6)
    expected = apply_rope(plain, at, inv_freq, layout)
    wide = torch.zeros(2, 3, 4, 8, dtype=torch.float64)
    wide[..., 1:7] = plain
    orders = {
        "heads inside": plain.transpose(1, 2).contiguous().transpose(1, 2),
        "channels outside": plain.mT.contiguous().mT,
        "odd offset": wide[..., 1:7],
        "contiguous, odd offset": torch.cat((plain.new_zeros(1), plain.flatten()))[1:].view(
            plain.shape
        ),
        "expanded": plain[:1].expand(2, -1, -1, -1),
    }
    for name, x in orders.items():
        wanted = expected[:1].expand(2, -1, -1, -1) if name == "expanded" else expected
        before = x.clone()
        assert_close(apply_rope(x, at, inv_freq, layout), wanted, rtol=0, atol=1e-15, msg=name)
        assert torch.equal(x, before), name


@pytest.mark.parametrize("dtype", [torch.float32, torch.bfloat16, torch.float16])
@pytest.mark.parametrize("layout", LAYOUTS)
def test_low_precision_input_loses_only_its_own_rounding(dtype, layout):
    inv_freq, at = rope_inv_freq(64, 500000.0)[0], torch.tensor([0, 15_962, 131_071])
    x = random(2, 3, 64).to(dtype)
    turned = apply_rope(x, at, inv_freq, layout)
    assert turned.dtype == dtype
    exact = apply_rope(x.double(), at, inv_freq, layout)
    # One rounding of the result (half a unit in the last place of values up to 8), and for
    # float32 those of the table and the products.
    limit = 8 * torch.finfo(dtype).eps / (1 if dtype == torch.float32 else 2)
    assert (turned.double() - exact).abs().max() <= limit


def test_moving_the_module_to_bfloat16_leaves_its_frequencies():
    encoding = RoPE(64, layout="half")
    before = encoding.inv_freq.clone()
    encoding.to(torch.bfloat16).half()
    assert encoding.inv_freq.dtype == torch.float64
    assert torch.equal(encoding.inv_freq, before)
    q, at = random(1, 2, 4, 64, dtype=torch.float32), torch.tensor([0, 257, 4095, 131_071])
    turned, _ = encoding.rotate(q, q, at, at)
    assert torch.equal(turned, RoPE(64, layout="half").rotate(q, q, at, at)[0])


def test_gradients_pass_through_the_rotation():
    x = random(1, 2, 3, 6).requires_grad_()
    inv_freq, at = rope_inv_freq(4)[0], torch.arange(3)
    for layout in LAYOUTS:
        assert torch.autograd.gradcheck(lambda y, kind=layout: apply_rope(y, at, inv_freq, kind), x)


def test_angles_are_computed_in_float64():
    angle = rope_angles(torch.tensor([100_000_000]), torch.tensor([0.1], dtype=torch.float64))
    assert angle.dtype == torch.float64
    assert_close(angle.item(), 1e7, rtol=0, atol=1e-6)


def test_a_text_of_no_tokens_has_a_length():
    nothing = torch.zeros(1, 2, 0, 8)
    encoding = RoPE(8, scaling=DynamicNTK(2.0, 16))
    assert encoding.rotate(nothing, nothing, torch.arange(0), torch.arange(0))[0].shape == (
        nothing.shape
    )
