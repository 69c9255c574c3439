import math

import pytest
import torch

from posenc import (
    angle_error,
    distinct_positions,
    first_colliding_position,
    max_angle_error,
    rope_inv_freq,
    round_positions,
)


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


def test_769_positions_of_4096_remain_in_bfloat16():
    assert distinct_positions(4096, torch.bfloat16) == 769
    assert distinct_positions(1_000_000, torch.float64) == 1_000_000


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


def test_error_of_one_pair_is_the_rounding_of_its_position():
    error = angle_error(torch.tensor([257, 15_962]), torch.tensor([1.0]), torch.bfloat16)
    assert error.flatten().tolist() == [1.0, 26.0]


def test_a_position_out_of_reach_is_infinite():
    assert round_positions(torch.tensor([70_000]), torch.float16).item() == math.inf
    assert max_angle_error(torch.tensor([70_000]), torch.ones(1), torch.float16).item() == math.inf


def test_bad_arguments_get_a_sentence():
    with pytest.raises(ValueError, match="dtype must be one of float64, float32, bfloat16"):
        round_positions(torch.arange(3), torch.int8)
    with pytest.raises(ValueError, match="positions must be an integer tensor"):
        round_positions(torch.arange(3.0), torch.float32)
