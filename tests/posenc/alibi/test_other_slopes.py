import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st

from posenc import alibi_slopes
from posenc.alibi.other_slopes import (
    SLOPE_SCHEMES,
    alibi_slopes_from_above,
    alibi_slopes_from_one,
    alibi_slopes_one_series,
)


@given(st.integers(1, 256), st.floats(0.5, 16))
def test_from_below_and_from_above_are_one_list(num_heads, bias_max):
    below, above = alibi_slopes(num_heads, bias_max), alibi_slopes_from_above(num_heads, bias_max)
    torch.testing.assert_close(below, above, atol=0, rtol=1e-14)


@given(st.integers(0, 8))
def test_powers_of_two_agree_everywhere_but_in_the_mistake(power):
    num_heads = 2**power
    torch.testing.assert_close(alibi_slopes(num_heads), alibi_slopes_one_series(num_heads))
    wrong = alibi_slopes_from_one(num_heads)
    assert wrong[0] == 1
    torch.testing.assert_close(wrong[1:], alibi_slopes(num_heads)[:-1])


@given(st.integers(3, 256).filter(lambda n: n & (n - 1)))
def test_other_head_counts_do_not(num_heads):
    ratio = alibi_slopes(num_heads) / alibi_slopes_one_series(num_heads)
    assert (ratio - 1).abs().max() > 0.01
    assert (alibi_slopes_one_series(num_heads).diff() < 0).all()
    assert not (alibi_slopes(num_heads).diff() < 0).all(), "the authors' list is not sorted"


def test_baichuan_has_40_heads():
    """Head 32 is the first that its code takes from the 64-head list."""
    authors, series = (SLOPE_SCHEMES[name](40) for name in ("authors", "one_series"))
    assert float(authors[32]) == pytest.approx(2**-0.125, rel=1e-15)
    assert float(series[32]) == pytest.approx(2**-6.6, rel=1e-15)
