import torch
from hypothesis import given
from hypothesis import strategies as st

from posenc import relative_position_ids
from posenc.shaw.formula import relative_position_ids_at


@given(st.integers(1, 9), st.integers(1, 9), st.integers(1, 12))
def test_ids_are_as_defined_and_the_other_sign_mirrors(q_len, more, k):
    k_len = q_len + more - 1
    ids = relative_position_ids(q_len, k_len, k)
    for row in range(q_len):
        i = k_len - q_len + row
        for j in range(k_len):
            assert int(ids[row, j]) == min(max(j - i, -k), k) + k
    mirrored = relative_position_ids(q_len, k_len, k, "query_minus_key")
    assert torch.equal(mirrored, 2 * k - ids)
    if q_len == k_len:
        assert torch.equal(mirrored, ids.mT)


def test_ids_of_positions_with_gaps_and_batches():
    q, k = torch.tensor([[4], [9]]), torch.tensor([[0, 3, 4], [7, 9, 30]])
    assert relative_position_ids_at(q, k, 2).tolist() == [[[[0, 1, 2]]], [[[0, 2, 4]]]]
