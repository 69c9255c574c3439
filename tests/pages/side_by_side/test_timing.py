"""Measured cost, on work whose cost is known."""

import time

import pytest
import torch

from pages.side_by_side import timing as cost

CPU = torch.device("cpu")


def test_time_is_that_of_the_work():
    found, calls = cost.milliseconds(lambda: time.sleep(0.02), CPU)
    assert 20 <= found < 60
    assert 3 <= calls <= 8


def test_few_calls_of_slow_work():
    assert cost.milliseconds(lambda: time.sleep(0.1), CPU)[1] == 3


@pytest.mark.parametrize("size", [1 << 10, 1 << 20])
def test_memory_is_the_peak_and_not_the_sum(size):
    def work():
        first = torch.ones(size, dtype=torch.uint8)
        del first
        second, third = (torch.ones(size, dtype=torch.uint8) for _ in range(2))
        return second + third

    assert cost.peak_bytes(work, CPU) == 3 * size


def test_work_without_tensors_holds_nothing():
    assert cost.peak_bytes(lambda: None, CPU) == 0
