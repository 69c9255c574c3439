"""Which positions a floating-point type stores as one number."""

import pytest
import torch

from posenc.precision.rounding import (
    distinct_positions,
    first_colliding_position,
    positions_rounded_alike,
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
