import pytest
import torch

from exhibits.two_ways.all import two_ways
from exhibits.two_ways.steps import furthest_steps, largest_steps


@pytest.mark.parametrize("dtype", [torch.float64, torch.float32])
def test_the_two_numbers_are_as_far_apart_as_the_bar_is_high(dtype):
    for ways in two_ways(dtype=dtype):
        a, b, last = furthest_steps(ways)
        assert last.value == ways.difference
        # Two numbers so close differ by a number of their own dtype: nothing is rounded.
        assert abs(a.value - b.value) == ways.difference
        for step in (a, b):
            assert repr(step.value) in step.substituted


def test_the_largest_of_several_and_of_one():
    steps = largest_steps({"buckets, t5 of x": 0.0, "bias_of": 2e-7, "table": 3e-8})
    assert [step.value for step in steps] == [0.0, 2e-7, 3e-8, 2e-7]
    assert r"bias\_of" in steps[1].formula
    assert steps[-1].substituted == r"\max(0,\; 2 \cdot 10^{-7},\; 3 \cdot 10^{-8})"
    assert [step.value for step in largest_steps({"table": 0.25})] == [0.25]
