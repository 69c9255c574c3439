import math

import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st

from posenc import rope_inv_freq
from posenc.precision.formula import STAGES, angle_error, cos_sin_error, max_angle_error
from posenc.precision.rounding import (
    distinct_positions,
    first_colliding_position,
    positions_rounded_alike,
    round_positions,
)
from posenc.precision.steps import cos_sin_error_steps, max_angle_error_steps
from tests.posenc.latex import evaluate


def test_float64_has_no_error_and_lower_precision_ever_more():
    positions, inv_freq = torch.tensor([1000, 4095]), rope_inv_freq(128)[0]
    assert angle_error(positions, inv_freq, torch.float64).max() == 0
    single, half, brain = (
        max_angle_error(positions, inv_freq, dtype)
        for dtype in (torch.float32, torch.float16, torch.bfloat16)
    )
    assert (single > 0).all()
    assert (single < half).all()
    assert (half < brain).all()
    assert brain.tolist() == pytest.approx([2.1057906675441727, 5.876095840532382], rel=1e-12)


def test_a_position_out_of_reach_is_infinite():
    assert round_positions(torch.tensor([70_000]), torch.float16).item() == math.inf
    assert max_angle_error(torch.tensor([70_000]), torch.ones(1), torch.float16).item() == math.inf


def test_a_late_cast_costs_little_one_of_positions_all():
    """bfloat16 at position 15 962, read as 15 936: the first pair is 26 radians off."""
    position, one = torch.tensor([15_962]), torch.ones(1)
    late, early = (
        float(cos_sin_error(position, one, torch.bfloat16, {stage}))
        for stage in ("cos_sin", "positions")
    )
    assert early == pytest.approx(2 * abs(math.sin(26 / 2)), rel=1e-12)
    assert late <= 2**-8


@pytest.mark.parametrize("dtype", [torch.float32, torch.bfloat16, torch.float16])
def test_the_error_of_each_stage(dtype):
    positions, inv_freq = torch.tensor([0, 1, 255, 4095]), rope_inv_freq(64)[0]
    assert cos_sin_error(positions, inv_freq, torch.float64).max() == 0
    assert cos_sin_error(positions, inv_freq, dtype, ()).max() == 0
    all_but_last = cos_sin_error(positions, inv_freq, dtype, STAGES[:3])
    chord = 2 * (angle_error(positions, inv_freq, dtype) / 2).sin().abs()
    torch.testing.assert_close(all_but_last, chord, atol=1e-9, rtol=0)
    frequencies = cos_sin_error(positions, inv_freq, dtype, ["inv_freq"])
    assert frequencies[0].max() == 0
    assert frequencies[1].max() < frequencies[3].max()
    table = cos_sin_error(positions, inv_freq, dtype, ["cos_sin"])
    assert table.max() <= torch.finfo(dtype).eps, "a late cast does not grow with the position"


def test_stages_out_of_reach_and_unknown():
    assert cos_sin_error(torch.tensor([70_000]), torch.ones(1), torch.float16).item() == math.inf
    with pytest.raises(ValueError, match="stages must be one of 'positions', 'inv_freq'"):
        cos_sin_error(torch.arange(3), torch.ones(1), torch.float16, ["sine"])


THETA = rope_inv_freq(24, 1e4)[0]
dtypes = st.sampled_from([torch.bfloat16, torch.float16, torch.float32])
positions = st.integers(0, 300) | st.integers(0, 2**27)


def check(steps, drawn):
    assert steps[-1].value == drawn.item()
    for step in steps:
        if step.substituted and math.isfinite(step.value):
            # all digits stand in a difference; six of the last root's
            assert evaluate(step.substituted) == pytest.approx(step.value, rel=1e-4, abs=1e-12)


@given(positions, dtypes, st.integers(0, 20))
def test_the_largest_error_of_an_angle_is_followed(position, dtype, more):
    drawn = max_angle_error(torch.arange(position, position + 1 + more), THETA, dtype)[0]
    check(max_angle_error_steps(position, THETA, dtype), drawn)


@given(positions, dtypes, st.sampled_from(STAGES), st.integers(0, 20))
def test_the_largest_error_of_cos_and_sin_is_followed(position, dtype, stage, more):
    at = torch.arange(position, position + 1 + more)
    drawn = cos_sin_error(at, THETA, dtype, {stage}).amax(dim=1)[0]
    check(cos_sin_error_steps(position, THETA, dtype, stage), drawn)


@pytest.mark.parametrize(
    ("dtype", "first"),
    [(torch.bfloat16, 257), (torch.float16, 2049), (torch.float32, 16_777_217)],
)
def test_first_position_that_meets_its_neighbour(dtype, first):
    assert first_colliding_position(dtype) == first
    before, at = round_positions(torch.tensor([first - 1, first]), dtype)
    assert before == at
    assert round_positions(torch.tensor(first - 2), dtype) == first - 2


@pytest.mark.parametrize("dtype", [torch.bfloat16, torch.float16])
def test_distinct_positions_are_those_that_remain_after_rounding(dtype):
    for length in (1, 2, 256, 257, 258, 259, 260, 2049, 2050, 2051, 4096, 65_520, 65_521, 70_000):
        counted = round_positions(torch.arange(length), dtype).unique().numel()
        assert distinct_positions(length, dtype) == counted, length


def test_bad_arguments_get_a_sentence():
    with pytest.raises(ValueError, match="dtype must be one of float64, float32, bfloat16"):
        round_positions(torch.arange(3), torch.int8)
    with pytest.raises(ValueError, match="positions must be an integer tensor"):
        round_positions(torch.arange(3.0), torch.float32)


@pytest.mark.parametrize(
    ("position", "dtype", "alike"),
    [
        (15_962, torch.bfloat16, (15_905, 15_967)),
        (257, torch.bfloat16, (256, 257)),
        (256, torch.bfloat16, (256, 257)),
        (15_962, torch.float16, (15_957, 15_963)),
        (16_777_217, torch.float32, (16_777_216, 16_777_217)),
        (1000, torch.float32, (1000, 1000)),
        (0, torch.bfloat16, (0, 0)),
    ],
)
def test_positions_that_are_stored_as_one_number(position, dtype, alike):
    first, last = positions_rounded_alike(position, dtype)
    rounded = round_positions(torch.arange(max(first - 1, 0), last + 2), dtype)
    assert (rounded == round_positions(torch.tensor(position), dtype)).sum() == last - first + 1
    assert (first, last) == alike


def test_a_position_that_the_type_does_not_reach_is_named():
    with pytest.raises(ValueError, match="position must be at most 65504 in float16, got 70000"):
        positions_rounded_alike(70_000, torch.float16)
