import math

import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st

from posenc import apply_rope, rope_inv_freq
from posenc.cache.picture import StaleKeys
from posenc.cache.stale_keys import stale_phase, stale_score_error, written_inv_freq
from posenc.quantity.view import view
from posenc.scaling import DynamicNTK, LongRoPE
from posenc.scaling.ntk import ntk_base

LLAMA = {"head_dim": 128, "base": 10000.0}


def test_each_key_has_the_base_of_the_length_it_was_written_at():
    positions = torch.tensor([0, 5999, 6000, 8191])
    written = written_inv_freq(positions, 6000, **LLAMA, scaling=DynamicNTK(2.0, 4096))
    for row, length in zip(written, (6000, 6000, 6001, 8192), strict=True):
        base = ntk_base(128, 10000.0, length / 4096, alpha=2.0)
        torch.testing.assert_close(row, rope_inv_freq(128, base)[0], atol=0, rtol=1e-15)


@given(st.integers(1, 400), st.integers(0, 300), st.integers(1, 300), st.floats(1, 8))
def test_no_error_at_both_ends_and_within_the_training(prompt, steps, original, alpha):
    length = prompt + steps
    stale = StaleKeys(DynamicNTK(alpha, original), 16, 100.0, prompt, length)
    phase = stale.at(torch.arange(length), torch.arange(8))
    assert phase[0].abs().max() == 0
    assert phase[-1].abs().max() == 0
    assert phase[:, 0].abs().max() == 0, "the first pair has frequency 1 under every base"
    if length <= original:
        assert phase.abs().max() == 0


@given(st.integers(0, 2**31), st.integers(2, 40), st.integers(2, 60))
def test_the_phase_is_what_the_score_is_off_by(seed, key, query):
    """Score of a stale key = score of a right key whose pairs are turned on by the phase."""
    generator = torch.Generator().manual_seed(seed)
    q, k = torch.randn(2, 1, 8, generator=generator, dtype=torch.float64)
    then, now = rope_inv_freq(8, 50.0)[0], rope_inv_freq(8, 90.0)[0]
    n, m = torch.tensor([key]), torch.tensor([query])
    stale = (apply_rope(q, m, now) * apply_rope(k, n, then)).sum()
    turned_on = apply_rope(k, torch.tensor([1]), stale_phase(n, then, now)[0])
    right = (apply_rope(q, m, now) * apply_rope(turned_on, n, now)).sum()
    torch.testing.assert_close(stale, right, atol=1e-11, rtol=1e-11)


def test_the_score_error_is_that_of_random_queries_and_keys():
    generator = torch.Generator().manual_seed(0)
    q, k = torch.randn(2, 200_000, 12, generator=generator, dtype=torch.float64)
    phase = torch.tensor([0.3, 1.0, 2.5, 4.0], dtype=torch.float64)  # 8 of 12 channels turn
    turned = apply_rope(k, torch.ones(200_000, dtype=torch.int64), phase)
    error = ((q * (turned - k)).sum(-1) / math.sqrt(12)).square().mean().sqrt()
    assert float(error) == pytest.approx(float(stale_score_error(phase, 12)), rel=0.01)
    assert float(stale_score_error(torch.full((5,), math.pi))) == pytest.approx(2, rel=1e-15)
    assert float(stale_score_error(torch.zeros(5))) == 0


@given(st.integers(1, 300), st.integers(0, 300), st.integers(1, 300), st.floats(1, 8))
def test_under_a_growing_base_cached_keys_are_turned_too_far(prompt, steps, original, alpha):
    scaling, positions = DynamicNTK(alpha, original), torch.arange(prompt + steps)
    written = written_inv_freq(positions, prompt, 16, 100.0, scaling)
    phase = stale_phase(positions, written, rope_inv_freq(16, 100.0, scaling, prompt + steps)[0])
    assert (phase >= -1e-9).all()
    shown = StaleKeys(scaling, 16, 100.0, prompt, prompt + steps).at(positions, torch.arange(8))
    assert torch.equal(shown, phase.abs())


def test_past_longropes_length_cached_keys_are_turned_too_far():
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
