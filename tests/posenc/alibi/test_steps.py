import math

import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st

from posenc import alibi_slopes
from posenc.alibi.other_slopes import SLOPE_SCHEMES
from posenc.alibi.steps import (
    alibi_flat_weight_steps,
    alibi_scheme_steps,
    alibi_slope_steps,
    alibi_window_steps,
)
from posenc.alibi.window import alibi_flat_weights, alibi_window
from tests.posenc.latex import evaluate


@given(st.integers(1, 40), st.data())
def test_slopes_are_followed_for_any_number_of_heads(num_heads, data):
    head = data.draw(st.integers(0, num_heads - 1))
    steps = alibi_slope_steps(num_heads, head)
    assert steps[-1].value == alibi_slopes(num_heads)[head]
    assert evaluate(steps[-1].substituted) == pytest.approx(steps[-1].value, rel=4e-16)


@given(st.floats(0.001, 2), st.integers(1, 5000), st.data())
def test_shares_of_flat_attention_are_followed(slope, length, data):
    distance = data.draw(st.integers(0, length - 1))
    steps = alibi_flat_weight_steps(slope, distance, length)
    slopes, distances = torch.tensor([slope] * 3, dtype=torch.float64), torch.arange(length)
    # torch's expm1 differs in the last bit between the lanes of a vector and what is left over
    built = alibi_flat_weights(slopes, distances, length)[1, distance].item()
    assert steps[-1].value == pytest.approx(built, rel=4e-16)
    for step in steps:
        assert evaluate(step.substituted) == pytest.approx(step.value, rel=1e-2, abs=2e-4)


@given(st.sampled_from(list(SLOPE_SCHEMES)), st.integers(1, 40), st.data())
def test_slopes_are_followed_under_every_rule(scheme, num_heads, data):
    head = data.draw(st.integers(0, num_heads - 1))
    steps = alibi_scheme_steps(scheme, num_heads, head)
    assert steps[-1].value == SLOPE_SCHEMES[scheme](num_heads)[head]
    for step in steps:
        if step.substituted:
            assert evaluate(step.substituted) == pytest.approx(step.value, rel=4e-16)


@given(st.integers(1, 40), st.integers(1, 5000), st.data())
def test_windows_are_followed(num_heads, length, data):
    slopes = alibi_slopes(num_heads)
    head = data.draw(st.integers(0, num_heads - 1))
    closed, tokens = alibi_window_steps(slopes[head].item(), length)
    assert tokens.value == alibi_window(slopes, length)[head]
    assert evaluate(closed.substituted) == pytest.approx(closed.value, rel=1e-3)
    assert tokens.value == min(max(math.ceil(closed.value), 1), length)


@given(st.integers(1, 130), st.floats(0.5, 16), st.data())
def test_slopes_with_another_bias_max_are_followed(num_heads, bias_max, data):
    head = data.draw(st.integers(0, num_heads - 1))
    steps = alibi_slope_steps(num_heads, head, bias_max)
    assert steps[-1].value == alibi_slopes(num_heads, bias_max)[head]
    for step in steps:
        if step.substituted:
            assert evaluate(step.substituted) == pytest.approx(step.value, rel=2e-4)


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
