import torch
from hypothesis import given
from hypothesis import strategies as st

from posenc import t5_bucket
from posenc.t5.edges import t5_bucket_lower_edges


@given(st.integers(2, 40), st.integers(1, 3000), st.booleans())
def test_lower_edges_are_the_first_distance_of_each_bucket(half, more, bidirectional):
    num_buckets, max_distance = 2 * half, half + more
    edges = t5_bucket_lower_edges(bidirectional, num_buckets, max_distance)
    buckets = t5_bucket(-torch.arange(max_distance + 1), bidirectional, num_buckets, max_distance)
    expected = [int((buckets >= b).nonzero()[0]) for b in range(len(edges))]
    assert edges.tolist() == expected
    assert len(edges) == (half if bidirectional else num_buckets)
