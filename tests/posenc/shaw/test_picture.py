import pytest
from hypothesis import given
from hypothesis import strategies as st

from posenc.shaw.picture import RelativeIds
from tests.posenc.blocks import assert_block_means

FAR = 100_000_000


@given(
    st.integers(1, 60),
    st.integers(0, 50),
    st.integers(1, 40),
    st.sampled_from(["key_minus_query", "query_minus_key"]),
    st.data(),
)
def test_view_of_ids_is_the_mean_of_the_built_block(q_len, more, max_distance, convention, data):
    quantity = RelativeIds(q_len, q_len + more, max_distance, convention)
    cells = data.draw(st.tuples(st.integers(1, 20), st.integers(1, 20)))
    assert_block_means(quantity, None, None, cells)


@pytest.mark.parametrize("max_distance", [3, 40_000, FAR])
def test_view_of_ids_far_out(max_distance):
    quantity = RelativeIds(FAR, FAR, max_distance)
    near = (FAR - 1000, FAR)
    assert_block_means(quantity, near, (FAR - 700, FAR - 100), (7, 11))
    assert_block_means(quantity, near, (0, 900), (13, 9))
