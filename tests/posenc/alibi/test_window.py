import math

import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st

from posenc import alibi_slopes
from posenc.alibi.window import alibi_flat_weights, alibi_window

FAR = 100_000_000


@given(st.integers(1, 12), st.integers(1, 300))
def test_flat_weights_are_the_softmax_of_the_bias(heads, length):
    slopes, distances = alibi_slopes(heads), torch.arange(length)
    expected = torch.softmax(-slopes[:, None] * distances, dim=-1)
    actual = alibi_flat_weights(slopes, distances, length)
    torch.testing.assert_close(actual, expected, atol=1e-13, rtol=1e-12)


@given(
    st.floats(0, 1).map(lambda m: round(m, 4)),
    st.integers(1, 400),
    st.floats(0.05, 0.999).map(lambda share: round(share, 3)),
)
def test_window_is_the_first_cumulative_sum_past_the_mass(slope, length, mass):
    slopes = torch.tensor([slope], dtype=torch.float64)
    window = int(alibi_window(slopes, length, mass)[0])
    held = alibi_flat_weights(slopes, torch.arange(length), length)[0].cumsum(0)
    assert float(held[window - 1]) >= mass - 1e-9
    assert window == 1 or float(held[window - 2]) < mass + 1e-9


def test_windows_of_the_published_slopes():
    # An endless context: w = ceil(ln 10 / m).
    assert alibi_window(alibi_slopes(8), 10**9).tolist() == [5, 10, 19, 37, 74, 148, 295, 590]
    assert alibi_window(torch.zeros(1), 1000).tolist() == [900]
    assert alibi_window(torch.tensor([1e-12]), FAR).tolist() == [pytest.approx(0.9 * FAR, rel=1e-4)]
    with pytest.raises(ValueError, match="slopes must be at least 0, got -1"):
        alibi_window(torch.tensor([-1.0]), 10)
    with pytest.raises(ValueError, match="slopes must hold finite numbers"):
        alibi_flat_weights(torch.tensor([math.nan]), torch.arange(3), 3)
