from hypothesis import given
from hypothesis import strategies as st

from exhibits.rotations.layouts import layout_check
from tests.tensors import random

PAIRS, SEEDS = st.integers(1, 8), st.integers(0, 2**31)


@given(st.integers(4, 24), st.integers(0, 8), SEEDS)
def test_the_check_measures_the_three_ways(pairs, passing, seed):
    head_dim, rotary_dim = 2 * (pairs + passing), 2 * pairs
    query, key = random(2, head_dim, 16, seed=seed) / 4
    x = random(40, 16, seed=seed + 1)
    check = layout_check(query, key, x, 100.0, rotary_dim)
    assert check.converted < 1e-12
    assert 0.1 < check.skipped < 3
    assert 0.01 < check.moved < 1
    same = layout_check(query, key, x[:1], 100.0, rotary_dim)
    assert same.skipped < 1e-12, "at distance 0 the layouts agree"
    assert same.moved == 0
