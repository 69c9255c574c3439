"""Cached keys under other frequencies, as a quantity."""

import pytest
import torch

from posenc import DynamicNTK, LongRoPE, view
from posenc.cache.picture import StaleKeys
from posenc.cache.policy import decode_work


def test_crossing_the_trained_length_of_longrope_turns_every_cached_key_too_far():
    scaling = LongRoPE([1.0, 2.0], [1.0, 8.0], 100, factor=2.0)
    before = StaleKeys(scaling, 4, 10000.0, 60, 100)
    after = StaleKeys(scaling, 4, 10000.0, 60, 101)
    assert view(before).values.abs().max() == 0
    phase = after.at(torch.tensor([50, 99, 100]), torch.tensor([0, 1]))
    expected = [[0, 50 * 0.01 * (1 / 2 - 1 / 8)], [0, 99 * 0.01 * 3 / 8], [0, 0]]
    torch.testing.assert_close(phase, torch.tensor(expected, dtype=torch.float64))


@pytest.mark.parametrize("cache", ["on_read", "recomputed"])
def test_the_remedies_leave_no_error(cache):
    stale = StaleKeys(DynamicNTK(2.0, 16), 8, 10000.0, 10, 64, cache)
    assert view(stale).values.abs().max() == 0


def test_bad_arguments_get_a_sentence():
    with pytest.raises(ValueError, match="length must be an integer of at least 10, got 9"):
        StaleKeys(DynamicNTK(2.0, 16), 8, 10000.0, 10, 9)
    with pytest.raises(ValueError, match="cache must be one of 'on_write', 'on_read'"):
        decode_work("never", 1, 2, 3)
