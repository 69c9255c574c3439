import torch
from hypothesis import given
from hypothesis import strategies as st

from posenc.transformer_xl.distance_alone import sinusoidal_relative_bias
from posenc.transformer_xl.picture import SinusoidalBiasMatrix
from tests.posenc.blocks import assert_block_means
from tests.tensors import random

FAR = 100_000_000


def test_quantity_is_the_bias_of_one_head():
    weight, positions = random(3, 8), torch.arange(40)
    curve = sinusoidal_relative_bias(weight, torch.arange(-39, 40))[1]
    values = SinusoidalBiasMatrix(weight[1], 40).at(positions, positions)
    expected = curve[positions[:, None] - positions[None, :] + 39]
    torch.testing.assert_close(values, expected, atol=1e-12, rtol=0)


@given(st.integers(0, 90), st.integers(1, 60), st.integers(0, 90), st.integers(1, 60), st.data())
def test_view_is_the_mean_of_the_built_block(row, rows, col, cols, data):
    quantity = SinusoidalBiasMatrix(random(10), 200, 100.0)
    cells = data.draw(st.tuples(st.integers(1, 20), st.integers(1, 20)))
    assert_block_means(quantity, (row, row + rows), (col, col + cols), cells)


def test_view_far_out():
    """Angles of 10⁸ radians hold eight digits after the point."""
    quantity = SinusoidalBiasMatrix(random(10), FAR)
    assert_block_means(quantity, (FAR - 1000, FAR), (0, 900), (13, 9), atol=1e-6)
