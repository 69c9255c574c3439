import math

import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st
from torch.testing import assert_close

from posenc import RoPE, apply_rope, rope_inv_freq
from posenc.scaling import DynamicNTK, Linear, Llama3, LongRoPE, NTKByParts, Proportional, YaRN
from posenc.scaling.yarn import yarn_mscale

head_dims = st.integers(4, 64).map(lambda pairs: 2 * pairs)
bases = st.floats(1000.0, 1e7)
factors = st.floats(1.0, 128.0)
lengths = st.integers(256, 65536)


@given(head_dims, bases, factors, lengths, st.sampled_from([NTKByParts, YaRN]))
def test_by_parts_keeps_fast_pairs_and_interpolates_slow_ones(head_dim, base, factor, length, kind):
    plain, _ = rope_inv_freq(head_dim, base)
    scaled, _ = rope_inv_freq(head_dim, base, kind(factor, length))
    divisor = plain / scaled
    assert (divisor >= 1 - 1e-12).all()
    assert (divisor <= factor * (1 + 1e-12)).all()
    assert (torch.diff(divisor) >= -1e-9).all()  # the slower the pair, the more it is stretched
    turns = length * plain / (2 * math.pi)
    # YaRN rounds its bounds outwards by up to one pair, a ratio of base^(2/d) in turns.
    margin = base ** (2 / head_dim) if kind is YaRN else 1.0
    kept, stretched = turns > 32 * margin, turns < 1 / margin
    assert_close(divisor[kept], torch.ones_like(divisor[kept]), rtol=1e-12, atol=0)
    assert_close(
        divisor[stretched], torch.full_like(divisor[stretched], factor), rtol=1e-12, atol=0
    )


def test_yarn_bounds_that_meet_make_a_step():
    scaling = YaRN(4.0, 4096, beta_fast=8.0, beta_slow=8.0, truncate=False)
    plain, _ = rope_inv_freq(128, 1e4)
    scaled, _ = rope_inv_freq(128, 1e4, scaling)
    turns = 4096 * plain / (2 * math.pi)
    expected = torch.where(turns > 8, plain, plain / 4)
    assert_close(scaled, expected, rtol=1e-12, atol=0)


def test_one_mscale_alone_or_zero_counts_as_not_set():
    plain = YaRN(40, 4096)
    assert plain.softmax_multiplier == 1.0
    for options in ({"mscale": 1.0}, {"mscale_all_dim": 1.0}, {"mscale": 0.0, "mscale_all_dim": 1}):
        assert YaRN(40, 4096, **options).cos_sin_factor == plain.cos_sin_factor
    assert yarn_mscale(1.0) == yarn_mscale(0.5) == 1.0


def test_without_a_length_scalings_are_those_of_the_training():
    assert torch.equal(rope_inv_freq(16, 1e4, DynamicNTK(2.0, 64))[0], rope_inv_freq(16, 1e4)[0])
    lists = LongRoPE((2.0,) * 8, (3.0,) * 8, 4096, 32.0)
    assert torch.equal(rope_inv_freq(16, 1e4, lists)[0], rope_inv_freq(16, 1e4)[0] / 2)


def test_rope_takes_the_length_from_the_largest_position():
    encoding = RoPE(16, scaling=DynamicNTK(2.0, 64))
    x = torch.randn(1, 1, 3, 16, dtype=torch.float64)
    at = torch.tensor([0, 5, 199])
    query, key = encoding.rotate(x[:, :, :1], x, at[:1], at)
    inv_freq, _ = rope_inv_freq(16, scaling=DynamicNTK(2.0, 64), length=200)
    assert torch.equal(key, apply_rope(x, at, inv_freq))
    assert torch.equal(query, apply_rope(x[:, :, :1], at[:1], inv_freq))
    fixed = RoPE(16, scaling=DynamicNTK(2.0, 64), length=1000)
    expected, _ = rope_inv_freq(16, scaling=DynamicNTK(2.0, 64), length=1000)
    assert torch.equal(fixed.rotate(x, x, at, at)[0], apply_rope(x, at, expected))


def test_proportional_is_not_partial_rotary():
    x = torch.ones(1, 8, dtype=torch.float64)
    inv_freq, _ = rope_inv_freq(8, scaling=Proportional(0.5))
    turned = apply_rope(x, torch.tensor([3]), inv_freq, "half")
    assert (turned != x).tolist() == [[True, True, False, False] * 2]
    assert inv_freq[1].item() == pytest.approx(0.1)  # partial rotary would have 0.01


@given(head_dims, bases, st.integers(256, 8192))
def test_factor_one_changes_nothing(head_dim, base, length):
    plain, _ = rope_inv_freq(head_dim, base)
    scalings = [
        Linear(1.0),
        NTKByParts(1.0, length),
        YaRN(1.0, length),
        Llama3(1.0, original_length=length),
        Proportional(1.0),
    ]
    for scaling in scalings:
        scaled, attention_factor = rope_inv_freq(head_dim, base, scaling)
        assert_close(scaled, plain, rtol=1e-15, atol=0)
        assert attention_factor == 1.0
