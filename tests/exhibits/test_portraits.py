"""Portraits: the numbers that position alone gives."""

import pytest

from exhibits.portraits import portrait
from posenc import NoPE


def test_without_positions_every_visible_key_gets_the_same_share():
    weights = portrait(NoPE(), 4, 5)
    for i in range(5):
        expected = [1 / (i + 1)] * (i + 1) + [0.0] * (4 - i)
        assert weights[i].tolist() == pytest.approx(expected, abs=1e-15)


def test_bad_sizes_are_named():
    with pytest.raises(ValueError, match="length must be an integer of at least 1, got 0"):
        portrait(NoPE(), 4, 0)
