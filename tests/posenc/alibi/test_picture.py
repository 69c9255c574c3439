import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st

from posenc import view
from posenc.alibi.picture import ALiBiBias, ALiBiTwoSided
from tests.posenc.blocks import assert_block_means

FAR = 100_000_000


@given(
    st.integers(0, 80),
    st.integers(1, 70),
    st.integers(0, 80),
    st.integers(1, 70),
    st.booleans(),
    st.data(),
)
def test_view_is_the_mean_of_the_visible_cells(row, rows, col, cols, symmetric, data):
    quantity = ALiBiBias(0.25, 200, symmetric)
    cells = data.draw(st.tuples(st.integers(1, 20), st.integers(1, 20)))
    assert_block_means(quantity, (row, row + rows), (col, col + cols), cells)


@pytest.mark.parametrize("symmetric", [True, False])
def test_view_far_out(symmetric):
    quantity = ALiBiBias(2.0**-8, FAR, symmetric)
    near = (FAR - 1000, FAR)
    assert_block_means(quantity, near, (FAR - 700, FAR - 100), (7, 11))
    assert_block_means(quantity, near, (0, 900), (13, 9))


def test_a_block_with_few_visible_cells_loses_no_digits():
    """Of n by n cells three are visible, at distances 0, 0 and 1."""
    for n in (3, 500_000, FAR // 2):
        edges = torch.tensor([0, n]), torch.tensor([n - 2, 2 * n - 2])
        assert float(ALiBiBias(0.5, FAR).mean(*edges)) == pytest.approx(-0.5 / 3, rel=1e-12)


def test_what_the_mask_hides_is_marked():
    seen = view(ALiBiBias(0.5, 6), cells=(3, 3))
    assert seen.values.isnan().tolist() == [[False, True, True], [False, False, True], [False] * 3]
    # rows 0 1, columns 0 1: 0, hidden, -0.5, 0
    assert float(seen.values[0, 0]) == pytest.approx(-0.5 / 3)
    whole = view(ALiBiBias(0.5, FAR), cells=(1, 1))
    assert float(whole.values[0, 0]) == pytest.approx(-0.5 * (FAR - 1) / 3)


@given(st.floats(0, 2), st.floats(0, 2), st.integers(1, 60), st.integers(1, 9), st.integers(1, 9))
def test_two_sided_blocks(slope, future_slope, length, high, wide):
    bias = ALiBiTwoSided(slope, future_slope, length)
    assert_block_means(bias, (0, length), (0, length), (high, wide))
    at = bias.at(torch.arange(length), torch.arange(length))
    torch.testing.assert_close(
        at.mT,
        ALiBiTwoSided(future_slope, slope, length).at(torch.arange(length), torch.arange(length)),
    )


def test_equal_slopes_are_the_symmetric_form():
    places = torch.arange(12)
    both = ALiBiTwoSided(0.25, 0.25, 12).at(places, places)
    assert torch.equal(both, ALiBiBias(0.25, 12, symmetric=True).at(places, places))
    assert float(ALiBiTwoSided(0.5, 0.125, 12).at(places, places)[3, 7]) == -0.5
    assert float(ALiBiTwoSided(0.5, 0.125, 12).at(places, places)[7, 3]) == -2.0
