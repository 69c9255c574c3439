"""The benchmark of the app beside a job runs; nothing here asserts a time."""

from statistics import median

from benchmarks import jobs


def test_a_screen_is_run_alone_and_beside_a_training() -> None:
    row = jobs.measure("rope", runs=2)
    assert row["updates meanwhile"] > 0
    assert len(row["alone"]) == 2 <= len(row["beside a job"])
    assert row["ratio of medians"] == median(row["beside a job"]) / median(row["alone"])
