"""Portraits: the numbers that position alone gives."""

import math

import pytest
import torch

from exhibits.portraits import portrait
from posenc import ALiBi, NoPE, RoPE, Sinusoidal, rope_inv_freq, sinusoidal_table


def test_without_positions_every_visible_key_gets_the_same_share():
    weights = portrait(NoPE(), 4, 5)
    for i in range(5):
        expected = [1 / (i + 1)] * (i + 1) + [0.0] * (4 - i)
        assert weights[i].tolist() == pytest.approx(expected, abs=1e-15)


def test_rope_scores_are_sums_of_cosines():
    weights = portrait(RoPE(4), 4, 6)
    theta = rope_inv_freq(4)[0]
    scores = [2 * torch.cos((5 - j) * theta).sum().item() / 2 for j in range(6)]
    total = sum(map(math.exp, scores))
    assert weights[5].tolist() == pytest.approx([math.exp(s) / total for s in scores], abs=1e-12)


def test_an_input_encoding_meets_itself():
    table = sinusoidal_table(6, 8)
    expected = torch.softmax(table[5] @ table.T / 8**0.5, dim=-1)
    torch.testing.assert_close(portrait(Sinusoidal(8), 8, 6)[5], expected, rtol=0, atol=1e-12)


def test_alibi_falls_by_its_slope():
    weights = portrait(ALiBi(1), 4, 6)[5]
    ratio = (weights[1:] / weights[:-1]).tolist()
    assert ratio == pytest.approx([math.exp(2**-8)] * 5, rel=1e-12)


def test_bad_sizes_are_named():
    with pytest.raises(ValueError, match="length must be an integer of at least 1, got 0"):
        portrait(NoPE(), 4, 0)
