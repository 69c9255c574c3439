import pytest
from hypothesis import given
from hypothesis import strategies as st

from posenc.sandwich.picture import SandwichBias
from tests.posenc.blocks import assert_block_means

FAR = 100_000_000


@given(st.integers(0, 90), st.integers(1, 60), st.integers(0, 90), st.integers(1, 60), st.data())
def test_view_is_the_mean_of_the_built_block(row, rows, col, cols, data):
    quantity = SandwichBias(1, 3, 200, 12, 100.0)
    cells = data.draw(st.tuples(st.integers(1, 20), st.integers(1, 20)))
    assert_block_means(quantity, (row, row + rows), (col, col + cols), cells, atol=1e-10)


def test_view_far_out():
    """Angles of 10⁸ radians hold eight digits after the point."""
    quantity = SandwichBias(0, 8, FAR, 16)
    assert_block_means(quantity, (FAR - 1000, FAR), (FAR - 700, FAR - 100), (7, 11), atol=1e-6)
    assert_block_means(quantity, (FAR - 1000, FAR), (0, 900), (13, 9), atol=1e-6)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ((2, 2, 9), "head must be an integer from 0 to 1, got 2"),
        ((0, 0, 9), "num_heads must be an integer of at least 1, got 0"),
        ((0, 1, 0), "length must be an integer of at least 1, got 0"),
        ((0, 1, 9, 7), "d_bar must be an even integer of at least 2, got 7"),
        ((0, 1, 9, 8, 1.0), r"base must be a finite number above 1, got 1\.0"),
    ],
)
def test_bad_arguments_are_named(arguments, message):
    with pytest.raises(ValueError, match=message):
        SandwichBias(*arguments)
