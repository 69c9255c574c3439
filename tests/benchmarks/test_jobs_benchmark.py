"""The benchmark of the app beside a job runs; nothing here asserts a time."""

import math

from benchmarks import jobs


def test_a_screen_is_run_alone_and_beside_a_training() -> None:
    row = jobs.measure("rope", runs=2)
    assert len(row["alone"]) == len(row["beside a job"]) == 2
    assert 0 < row["ratio of medians"] < math.inf
