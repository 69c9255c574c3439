"""Biases that queries mix from profiles, beside Inkling's own module."""

import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st
from transformers.models.inkling.modeling_inkling import InklingRelativeLogits

from posenc.shaw.profiles import profile_bias
from tests.tensors import random


@given(st.integers(1, 5), st.integers(1, 4), st.integers(1, 12), st.integers(0, 40))
def test_it_is_what_inklings_module_computes(profiles, heads, extent, start):
    weights = random(2, 6, heads, profiles, seed=1)
    module = InklingRelativeLogits(profiles, extent)
    module.proj.data = random(profiles, extent, seed=2)
    rows, cols = start + torch.arange(6), torch.arange(start + 8)
    expected = module(weights, rows, cols)
    torch.testing.assert_close(profile_bias(weights, module.proj, rows, cols), expected)


def test_three_profiles_have_the_values_of_inklings_module():
    d = torch.arange(1024, dtype=torch.float64)
    profiles = 4 * torch.stack(
        [torch.exp(-d / 8), torch.exp(-2 * ((d + 1) / 100).log() ** 2), d / 1023]
    )
    weights = torch.tensor([-0.5, 1.0, 0.25], dtype=torch.float64)[None, None, None]
    back = torch.tensor([-1, 0, 1, 8, 99, 512, 1023, 1024])
    found = profile_bias(weights, profiles, torch.tensor([2000]), 2000 - back).flatten()
    golden = [0, -2, -1.764, -0.7279, 4.0968, 0.5195, 1.0001, 0]
    torch.testing.assert_close(found, torch.tensor(golden).double(), rtol=0, atol=1e-4)


@given(st.integers(1, 9))
def test_one_profile_a_distance_is_a_table_by_distance(extent):
    weights = random(1, 4, 2, extent, seed=3)
    found = profile_bias(weights, torch.eye(extent).double(), torch.arange(4), torch.arange(4))
    for i in range(4):
        for j in range(4):
            is_there = 0 <= i - j < extent
            expected = weights[0, i, :, i - j] if is_there else torch.zeros(2).double()
            torch.testing.assert_close(found[0, :, i, j], expected)


def test_every_profile_needs_its_number():
    with pytest.raises(ValueError, match="one number per profile"):
        profile_bias(torch.ones(1, 2, 1, 3), torch.ones(2, 5), torch.arange(2), torch.arange(2))
