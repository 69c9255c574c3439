"""A reading's logits and how far they move: closed forms against draws and against attention."""

import math

import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st
from torch.testing import assert_close

from posenc import rope_inv_freq
from posenc.quantity.sampling import log_positions
from posenc.reading.formula import (
    Reading,
    decay_bound,
    logit_change,
    logit_draws,
    mean_cosine,
    neighbour_change,
)
from posenc.rope.score import rope_decay_bound, rope_score_at_distance
from posenc.scaling import Linear, NTKByParts, YaRN
from posenc.scaling.yarn import yarn_mscale
from posenc.study import DualChunk, LeakyReRoPE, ReRoPE, SelfExtend
from tests.posenc.scaling.remapped import remapped_scores

PAIRS, LENGTH, WIDTH = 8, 200, 20
PLAIN = Reading(rope_inv_freq(2 * PAIRS, 500.0)[0])
YARN = Reading(*rope_inv_freq(2 * PAIRS, 500.0, YaRN(4.0, 50)), softmax_multiplier=1.3)
AT = torch.tensor([0, 1, 2, 7, 63, LENGTH - 2])
REMAPPED = [
    Reading(PLAIN.inv_freq, remapping=remapping)
    for remapping in (ReRoPE(9), LeakyReRoPE(9, 3.5), SelfExtend(9, 4), DualChunk(40, 7))
]
READINGS = [PLAIN, YARN, *REMAPPED]


def normal(draws: int) -> tuple[torch.Tensor, torch.Tensor]:
    generator = torch.Generator().manual_seed(5)
    return tuple(torch.randn(2, draws, WIDTH, generator=generator, dtype=torch.float64))


@pytest.mark.parametrize("layout", ["half", "interleaved"])
def test_logits_are_those_of_rotated_vectors(layout):
    query, key = normal(3)
    query[:, 2 * PAIRS :] = 0  # what is not rotated is left out
    found = logit_draws(YARN, query, key, AT, LENGTH, width=WIDTH, layout=layout)
    for q, k, row in zip(query, key, found, strict=True):
        arguments = q, k, YARN.inv_freq, AT, layout, YARN.attention_factor
        expected = rope_score_at_distance(*arguments) * 1.3 / math.sqrt(WIDTH)
        assert_close(row, expected, rtol=0, atol=1e-12)


@pytest.mark.parametrize("reading", REMAPPED, ids=lambda r: type(r.remapping).__name__)
def test_last_logits_are_those_of_the_remapped_scores(reading):
    query, key = (v[:1, : 2 * PAIRS] for v in normal(1))
    keys = key.expand(LENGTH, -1)
    last, positions = torch.tensor([LENGTH - 1]), torch.arange(LENGTH)
    expected = remapped_scores(
        query, keys, reading.remapping, reading.inv_freq, last, positions, "half"
    )
    found = logit_draws(reading, query, key, LENGTH - 1 - positions, LENGTH, width=2 * PAIRS)
    assert_close(found, expected / math.sqrt(2 * PAIRS), rtol=0, atol=1e-12)


def whole(reading: Reading, query, key, distances):
    """Logits with the channels that are not rotated: these know the softmax multiplier alone."""
    turned = logit_draws(reading, query, key, distances, LENGTH, width=WIDTH)
    passed = (query[:, 2 * PAIRS :] * key[:, 2 * PAIRS :]).sum(dim=1) / math.sqrt(WIDTH)
    return turned + reading.softmax_multiplier * passed[:, None]


@pytest.mark.parametrize("after", READINGS[1:])
def test_the_change_is_the_root_mean_square_over_draws(after):
    query, key = normal(40_000)
    difference = whole(after, query, key, AT) - whole(PLAIN, query, key, AT)
    expected = logit_change(PLAIN, after, AT, LENGTH, width=WIDTH)
    assert_close(difference.square().mean(dim=0).sqrt(), expected, rtol=0.03, atol=1e-9)


@pytest.mark.parametrize("reading", READINGS)
def test_the_step_to_a_neighbour_is_the_rms_over_draws(reading):
    query, key = normal(40_000)
    difference = whole(reading, query, key, AT + 1) - whole(reading, query, key, AT)
    expected = neighbour_change(reading, AT, LENGTH, width=WIDTH)
    assert_close(difference.square().mean(dim=0).sqrt(), expected, rtol=0.03, atol=1e-9)


def test_nothing_moves_without_a_change():
    for reading in READINGS:
        assert not logit_change(reading, reading, AT, LENGTH, width=WIDTH).any()


def test_unrelated_logits_differ_by_the_root_of_two():
    far = logit_change(PLAIN, Reading(2.0**0.5 * PLAIN.inv_freq), AT[-1:], 10**9, width=16)
    assert 0.5 < float(far) < 2
    many = Reading(torch.rand(4096, generator=torch.Generator().manual_seed(1)).double())
    other = Reading(many.inv_freq.flip(0))
    change = logit_change(many, other, torch.tensor([10**6]), 10**7, width=8192)
    assert float(change) == pytest.approx(math.sqrt(2), rel=0.05)


def test_equal_tokens_behind_the_window_cannot_be_told_apart():
    steps = neighbour_change(REMAPPED[0], torch.arange(LENGTH - 1), LENGTH, width=WIDTH)
    assert (steps[:9] > 0).all()
    assert not steps[9:].any()


def test_linear_scaling_of_the_peak_is_a_stretch():
    distances = torch.arange(0, 40)
    slow = Reading(*rope_inv_freq(2 * PAIRS, 500.0, Linear(4.0)))
    ones = torch.ones(2 * PAIRS)
    expected = rope_score_at_distance(ones, ones, PLAIN.inv_freq, distances) / (2 * PAIRS)
    assert_close(mean_cosine(PLAIN, distances, LENGTH), expected)
    assert_close(mean_cosine(slow, 4 * distances, LENGTH), expected)


@given(st.integers(0, 10**6))
def test_the_bound_without_remapping_is_the_papers(distance):
    at = torch.tensor([distance])
    expected = rope_decay_bound(PLAIN.inv_freq, at)
    assert_close(decay_bound(PLAIN, at, 10**6 + 1), expected)


def test_the_gain_is_the_square_times_the_multiplier():
    assert YARN.gain == pytest.approx(yarn_mscale(4.0) ** 2 * 1.3)
    assert PLAIN.gain == 1
    softened = NTKByParts(4.0, 50, attention_factor=yarn_mscale(4.0))
    inv_freq, factor = rope_inv_freq(16, 500.0, softened)
    assert factor == yarn_mscale(4.0)
    assert torch.equal(inv_freq, rope_inv_freq(16, 500.0, NTKByParts(4.0, 50))[0])


def test_coverage_of_a_remapping_counts_the_distances_seen():
    coverage = REMAPPED[0].coverage(PLAIN.inv_freq, 50, 10**6)
    assert_close(coverage.reached, 9 * PLAIN.inv_freq)
    assert not coverage.unseen.any()
    plain = PLAIN.coverage(PLAIN.inv_freq, 50, LENGTH)
    assert_close(plain.reached, (LENGTH - 1) * PLAIN.inv_freq)


def test_far_distances_stay_finite():
    distances = log_positions(10**12, 64)
    for reading in READINGS:
        assert logit_change(PLAIN, reading, distances, 10**12, width=WIDTH).isfinite().all()
