from fractions import Fraction

import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st

from posenc import T5Bias, t5_bucket
from posenc.quantity.view import view
from posenc.t5.edges import t5_bucket_lower_edges
from posenc.t5.unclamped import T5BucketsUnclamped, t5_bucket_unclamped

SIZES = [(32, 128), (64, 256), (16, 64), (8, 32), (320, 800), (4, 3), (32, 9), (12, 100)]


def _slow_bucket(relative, bidirectional, num_buckets, max_distance):
    """The rule in whole numbers: D reaches step t when (D/m)^(n-m) >= (M/m)^t."""
    n = num_buckets // 2 if bidirectional else num_buckets
    offset = n if bidirectional and relative > 0 else 0
    distance = abs(relative) if bidirectional else max(-relative, 0)
    m = n // 2
    if distance < m:
        return offset + distance
    step = 0
    while step + 1 < n - m and (
        Fraction(distance, m) ** (n - m) >= Fraction(max_distance, m) ** (step + 1)
    ):
        step += 1
    return offset + m + step


@pytest.mark.parametrize(("num_buckets", "max_distance"), SIZES)
@pytest.mark.parametrize("bidirectional", [True, False])
def test_buckets_equal_exact_arithmetic(bidirectional, num_buckets, max_distance):
    max_distance = max(max_distance, num_buckets // 2 + 1)
    near = torch.arange(-140, 141) if num_buckets < 300 else torch.arange(-900, 901, 20)
    edges = t5_bucket_lower_edges(bidirectional, num_buckets, max_distance)
    near = torch.cat((near, -edges, 1 - edges, edges)) if num_buckets < 300 else near
    actual = t5_bucket(near, bidirectional, num_buckets, max_distance)
    expected = [_slow_bucket(r, bidirectional, num_buckets, max_distance) for r in near.tolist()]
    assert actual.tolist() == expected


@given(st.integers(2, 40), st.integers(1, 3000), st.booleans())
def test_lower_edges_are_the_first_distance_of_each_bucket(half, more, bidirectional):
    num_buckets, max_distance = 2 * half, half + more
    edges = t5_bucket_lower_edges(bidirectional, num_buckets, max_distance)
    buckets = t5_bucket(-torch.arange(max_distance + 1), bidirectional, num_buckets, max_distance)
    expected = [int((buckets >= b).nonzero()[0]) for b in range(len(edges))]
    assert edges.tolist() == expected
    assert len(edges) == (half if bidirectional else num_buckets)


RULES = st.tuples(st.booleans(), st.integers(2, 40).map(lambda n: 2 * n), st.integers(0, 300))


@given(RULES)
def test_right_to_the_largest_distance_and_then_wrong(rule):
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


def test_the_matrix_has_these_buckets():
    shown = view(T5BucketsUnclamped(300, True))
    positions = torch.arange(300)
    expected = t5_bucket_unclamped(positions - positions[:, None], True)
    assert torch.equal(shown.values, expected.float())


@given(st.booleans(), st.integers(2, 40), st.integers(1, 2000))
def test_a_modules_edges_are_those_of_the_formula(bidirectional, half, further):
    per_side, exact = (half, half // 2) if bidirectional else (2 * half, half)
    encoding = T5Bias(1, bidirectional, 2 * half, exact + further)
    encoding.table.data = torch.arange(2.0 * half)[:, None]
    distances = torch.arange(-exact - further - 9, exact + further + 10)
    want = t5_bucket(distances, bidirectional, 2 * half, exact + further)
    assert encoding.curve(distances, torch.float32)[0].long().equal(want)
    assert len(encoding._edges) == per_side - exact - 1
