import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st

from posenc import t5_bucket, view
from posenc.t5.unclamped import T5BucketsUnclamped, t5_bucket_unclamped

RULES = st.tuples(st.booleans(), st.integers(2, 40).map(lambda n: 2 * n), st.integers(0, 300))


@given(RULES)
def test_right_up_to_the_largest_distance_and_wrong_from_there_on(rule):
    bidirectional, buckets, more = rule
    largest = buckets // (4 if bidirectional else 2) + 1 + more
    distance = torch.arange(-4 * largest, 4 * largest + 1)
    right = t5_bucket(distance, bidirectional, buckets, largest)
    wrong = t5_bucket_unclamped(distance, bidirectional, buckets, largest)
    assert (wrong >= right).all()
    inside = distance.abs() < largest
    assert torch.equal(wrong[inside], right[inside])
    past = -distance > largest
    assert (wrong[past] > right[past]).all()
    if not bidirectional:
        assert (wrong[distance >= 0] == 0).all()


def test_the_far_past_of_an_encoder_reads_rows_of_the_future():
    distance = torch.tensor([-127, -128, -512, 127, 128])
    assert t5_bucket(distance, True).tolist() == [15, 15, 15, 31, 31]
    assert t5_bucket_unclamped(distance, True).tolist() == [15, 16, 20, 31, 32]


def test_the_far_past_of_a_decoder_reads_behind_the_table():
    assert t5_bucket_unclamped(torch.tensor([-127, -128, -4096]), False).tolist() == [31, 32, 58]


def test_the_matrix_has_these_buckets():
    shown = view(T5BucketsUnclamped(300, True))
    positions = torch.arange(300)
    expected = t5_bucket_unclamped(positions - positions[:, None], True)
    assert torch.equal(shown.values, expected.float())
    with pytest.raises(ValueError, match="num_buckets must be an even integer of at least 4"):
        T5BucketsUnclamped(300, True, 7)
