"""The benchmark of many readers runs and adds up; nothing here asserts how long they wait."""

import pytest

from benchmarks.moves import FLOOR
from benchmarks.readers import measure, slope, table


@pytest.mark.slow
def test_smoke() -> None:
    found = measure("benchmarks/floor_page.py", (FLOOR,), 2, 1.0, 0.1, stays=4)
    assert found["problems"] == []
    assert found["moves"] > 4  # some of those who came after the first had left
    assert 0 < found["median, s"] <= found["95%, s"] <= found["most, s"]
    assert found["CPU, s"] > 0
    assert found["memory, MB"][0][1] > 50
    assert table([{"name": "empty page"} | found]).count("\n") == 2


def test_memory_that_grows_is_told_by_its_later_half() -> None:
    memory = [(0.0, 0.0), (1.0, 90.0), (2.0, 100.0), (3.0, 101.0), (4.0, 102.0)]
    assert slope(memory) == pytest.approx(10)
    assert slope(memory[:1]) == 0
