"""Moved passages and keys in few bits, on numbers that can be worked out by hand."""

import numpy as np
import pytest

from models.results.cached import Rounding, moved, quantised
from models.results.tables import Measured


def passage(number: int, place: int, **bits: float) -> list[dict[str, str | int | float]]:
    same = {"text": "a", "passage": number, "place": place}
    return [same | {"way": way, "bits": value} for way, value in bits.items()]


ROWS = (
    *passage(0, 0, recomputed=3.0, turned=3.5),
    *passage(0, 64, recomputed=3.25, turned=3.5),
    *passage(1, 64, recomputed=4.0, turned=3.75),
)
MADE = Measured(
    "smollm2-135m-instruct",
    (),
    (),
    (),
    moved=ROWS,
    quantised=tuple(
        {"scale": "token", "bits": 2, "when": when, "rounded_bits": rounded, "exact_bits": 3.0}
        for when, rounded in (("before", 4.0), ("before", 5.0), ("after", 3.5))
    ),
)


def test_a_moved_passage_is_paired_with_one_read_there() -> None:
    np.testing.assert_array_equal(moved(MADE, "turned", 0).values, [0.5])
    found = moved(MADE, "turned", 64)
    np.testing.assert_array_equal(found.values, [0.25, -0.25])
    assert (found.mean, found.low, found.high) == (0, -0.25, 0.25)
    with pytest.raises(KeyError):
        moved(MADE, "turned", 128)


def test_bits_lost_are_those_over_exact_keys() -> None:
    np.testing.assert_array_equal(quantised(MADE, Rounding("token", 2, "before")).values, [1, 2])
    np.testing.assert_array_equal(quantised(MADE, Rounding("token", 2, "after")).values, [0.5])
    with pytest.raises(KeyError):
        quantised(MADE, Rounding("token", 3, "after"))
