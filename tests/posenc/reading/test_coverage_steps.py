"""Turns and unseen angles of a pair are followed, down to the bits that are drawn."""

import math

import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st

from posenc import NTK, Linear, Proportional, angle_coverage, rope_inv_freq
from posenc.reading.coverage_steps import CoverageSteps
from tests.posenc.latex import evaluate

PAIRS = 32
scalings = st.sampled_from([None, Linear(4.0), Linear(3.3), NTK(8.0), Proportional(0.5)])


@given(scalings, st.integers(2, 100_000), st.integers(2, 1_000_000), st.integers(0, PAIRS - 1))
def test_every_curve_over_the_pairs_is_followed(scaling, trained, target, pair):
    theta, scaled = (rope_inv_freq(2 * PAIRS, 1e4, one)[0] for one in (None, scaling))
    coverage = angle_coverage(theta, trained, target, scaled)
    circle = 2 * math.pi
    followed = CoverageSteps(coverage, theta, scaled, (trained, target), pair)
    drawn = [
        (followed.seen_turns(), coverage.seen / circle),
        (followed.reached_turns(), coverage.reached / circle),
        (followed.unseen_percent(), 100 * (coverage.unseen / circle)),
        (followed.past(), coverage.excess.where(coverage.is_new, torch.ones(()).double())),
    ]
    for steps, curve in drawn:
        assert steps[-1].value == curve[pair].item()
        for step in steps:
            if step.substituted:
                # θ is rounded to 6 digits, and a million of it stands here
                assert evaluate(step.substituted) == pytest.approx(step.value, rel=1e-4, abs=1e-3)
