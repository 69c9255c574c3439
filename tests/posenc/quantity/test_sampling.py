"""Positions chosen for curves."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from posenc.quantity.sampling import even_positions, log_positions

LENGTHS = st.integers(2, 2**40)
POINTS = st.integers(2, 4096)


@given(LENGTHS, POINTS)
def test_positions_increase_from_end_to_end(length: int, points: int) -> None:
    for positions, first in (
        (even_positions(length, points), 0),
        (log_positions(length, points), 1),
    ):
        assert len(positions) <= points
        assert (positions[0], positions[-1]) == (first, length - 1)
        assert bool((positions.diff() > 0).all())


def test_all_of_them_if_points_allow() -> None:
    assert even_positions(5, 5).tolist() == [0, 1, 2, 3, 4]
    assert even_positions(9, 5).tolist() == [0, 2, 4, 6, 8]
    assert even_positions(1, 5).tolist() == [0]
    assert log_positions(17, 5).tolist() == [1, 2, 4, 8, 16]
    assert log_positions(5, 400).tolist() == [1, 2, 3, 4]


@pytest.mark.parametrize(("length", "points"), [(0, 5), (5, 1), (2.5, 5)])
def test_what_is_out_of_range_is_named(length, points) -> None:
    with pytest.raises(ValueError, match="must be an integer of at least"):
        even_positions(length, points)
    with pytest.raises(ValueError, match="must be an integer of at least"):
        log_positions(length, points)
