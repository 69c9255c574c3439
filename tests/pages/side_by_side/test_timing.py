"""Measured cost, on work whose cost is known."""

import time
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager

import pytest
import torch
from torch.profiler import profile

from pages.side_by_side import timing as cost

CPU = torch.device("cpu")


class Clock:
    """Time that passes while work is done, and only then, whatever else the machine does."""

    def __init__(self, *seconds):
        self.now, self.seconds = 0.0, seconds
        self.calls = 0

    def perf_counter(self):
        return self.now

    def work(self):
        self.now += self.seconds[min(self.calls, len(self.seconds) - 1)]
        self.calls += 1


@pytest.mark.parametrize(
    ("seconds", "median", "calls"),
    [
        ([0.02], 20, 8),  # as many as fit into 150 ms
        ([0.1], 100, 3),  # three at least
        ([0.0001], 0.1, 50),  # fifty at most
        ([9.0, 0.1, 0.3, 0.1], 100, 3),  # the first does not count, one slow one neither
    ],
)
def test_time_is_the_median_of_as_many_calls_as_fit(monkeypatch, seconds, median, calls):
    clock = Clock(*seconds)
    monkeypatch.setattr(cost, "time", clock)
    found, measured = cost.milliseconds(clock.work, CPU)
    assert (pytest.approx(found), measured) == (median, calls)
    assert clock.calls == calls + 1


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


def test_memory_is_measured_by_one_at_a_time(monkeypatch):
    """Two readers at once ended the server: a torch that measures twice reads where nothing is."""
    inside, counts = [], []

    @contextmanager
    def watched(**named):
        inside.append(1)
        counts.append(len(inside))
        time.sleep(0.05)
        with profile(**named) as run:
            yield run
        inside.pop()

    monkeypatch.setattr(cost, "profile", watched)
    with ThreadPoolExecutor(4) as pool:
        found = [pool.submit(cost.peak_bytes, lambda: torch.zeros(1000), CPU) for _ in range(4)]
    assert [one.result() for one in found] == [4000] * 4
    assert counts == [1] * 4
