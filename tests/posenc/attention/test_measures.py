"""Entropy and reach of attention, against cases that can be worked out by hand."""

import math

import pytest
import torch

from posenc import attend, causal_mask
from posenc.attention.measures import (
    attended_distance,
    attention_entropy,
    attention_moved,
    attention_surplus,
    mean_by_distance,
    share_from_distance,
)


def test_entropy_of_known_rows():
    weights = torch.tensor(
        [[1.0, 0.0, 0.0, 0.0], [0.25, 0.25, 0.25, 0.25], [0.5, 0.25, 0.25, 0.0]],
        dtype=torch.float64,
    )
    expected = [0.0, math.log(4), 0.5 * math.log(2) + 0.5 * math.log(4)]
    assert attention_entropy(weights).tolist() == pytest.approx(expected, abs=1e-15)


def test_flat_scores_under_a_causal_mask():
    """Row i spreads 1 / (i + 1) over i + 1 keys: entropy ln(i + 1), mean distance i / 2."""
    zeros, length = torch.zeros(1, 1, 6, 2, dtype=torch.float64), 6
    weights = attend(zeros, zeros, zeros, mask="causal", trace=True).weights
    positions = torch.arange(length)
    entropy = attention_entropy(weights)[0, 0].tolist()
    distance = attended_distance(weights, positions, positions)[0, 0].tolist()
    assert entropy == pytest.approx([math.log(i + 1) for i in range(length)], abs=1e-15)
    assert distance == pytest.approx([i / 2 for i in range(length)], abs=1e-15)


def test_surplus_is_a_logarithm_and_does_not_underflow():
    q, k = torch.randn(2, 1, 2, 7, 3, generator=torch.Generator().manual_seed(0)).double()
    trace = attend(q, k, k, mask="causal", trace=True)
    even = torch.arange(1.0, 8.0).double()[:, None]
    torch.testing.assert_close(attention_surplus(trace.logits), (trace.weights * even).log())
    far = attention_surplus(torch.tensor([[0.0, -2000.0]], dtype=torch.float64))
    assert far[0, 1].item() == pytest.approx(-2000 + math.log(2))


def test_distance_follows_the_positions_not_the_indices():
    weights = torch.tensor([[0.5, 0.5]], dtype=torch.float64)
    far = attended_distance(weights, torch.tensor([110]), torch.tensor([10, 100]))
    assert far.tolist() == [0.5 * 100 + 0.5 * 10]


def test_distance_with_a_batch_of_positions():
    weights = torch.eye(2, dtype=torch.float64).expand(2, 3, 2, 2)
    positions = torch.tensor([[0, 1], [5, 9]])
    shifted = positions + torch.tensor([[0], [2]])
    distance = attended_distance(weights, shifted, positions)
    assert distance.shape == (2, 3, 2)
    assert distance[:, 0].tolist() == [[0.0, 0.0], [2.0, 2.0]]


def test_attention_that_moved():
    one = torch.tensor([[1.0, 0.0, 0.0], [0.5, 0.5, 0.0], [0.2, 0.3, 0.5]])
    other = torch.tensor([[0.0, 0.0, 1.0], [0.5, 0.5, 0.0], [0.3, 0.3, 0.4]])
    assert attention_moved(one, other).tolist() == pytest.approx([1.0, 0.0, 0.1])


def test_mean_by_distance_is_the_mean_of_each_diagonal():
    values = torch.randn(2, 3, 7, 7, generator=torch.Generator().manual_seed(0)).double()
    masked = values.masked_fill(~causal_mask(7, 7), -torch.inf)
    expected = [values.diagonal(-d, -2, -1).mean(dim=-1) for d in range(7)]
    found = mean_by_distance(masked)
    assert torch.allclose(found, torch.stack(expected, dim=-1), atol=1e-15)


def test_mean_by_distance_needs_a_square():
    with pytest.raises(ValueError, match="length, length"):
        mean_by_distance(torch.zeros(3, 4))


def test_the_share_of_far_keys():
    weights = torch.tensor([[1.0, 0.0, 0.0], [0.25, 0.75, 0.0], [0.5, 0.125, 0.375]])
    assert share_from_distance(weights, 0) == 1
    assert share_from_distance(weights, 1) == (0.25 + 0.625) / 2
    assert share_from_distance(weights, 2) == 0.5
    assert math.isnan(share_from_distance(weights, 3))
