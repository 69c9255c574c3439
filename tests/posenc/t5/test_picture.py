import math

import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st

from posenc.t5.picture import T5Buckets
from tests.posenc.blocks import assert_block_means
from tests.tensors import random

FAR = 100_000_000


@given(
    st.integers(0, 90),
    st.integers(1, 60),
    st.integers(0, 90),
    st.integers(1, 60),
    st.booleans(),
    st.booleans(),
    st.data(),
)
def test_view_is_the_mean_of_the_built_block(row, rows, col, cols, bidirectional, learned, data):
    table = random(8, seed=4) if learned else None
    quantity = T5Buckets(200, bidirectional, 8, 40, table)
    cells = data.draw(st.tuples(st.integers(1, 20), st.integers(1, 20)))
    assert_block_means(quantity, (row, row + rows), (col, col + cols), cells)
    assert quantity.signed == learned


@pytest.mark.parametrize("bidirectional", [True, False])
def test_view_far_out(bidirectional):
    quantity = T5Buckets(FAR, bidirectional)
    assert_block_means(quantity, (FAR - 1000, FAR), (FAR - 700, FAR - 100), (7, 11))
    assert_block_means(quantity, (FAR - 1000, FAR), (0, 900), (13, 9))


def test_a_table_of_the_wrong_shape_or_with_nan_is_refused():
    with pytest.raises(ValueError, match=r"table must have shape \(8,\), got \(7,\)"):
        T5Buckets(10, True, 8, 16, torch.zeros(7))
    with pytest.raises(ValueError, match="table must hold finite numbers"):
        T5Buckets(10, True, 8, 16, torch.full((8,), math.nan))
