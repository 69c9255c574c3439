"""Queries, keys and values, and the largest change of an output, followed."""

import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st

from posenc.attention.steps.projections import largest_difference_steps, projection_steps
from posenc.random_model import RandomProjections
from tests.posenc.latex import evaluate

MODEL = RandomProjections(5, 3, 1, 4)
X = MODEL.embed(range(6)).double()
WEIGHTS = MODEL.project(torch.eye(3, dtype=torch.float64)[None])


@given(st.integers(0, 5), st.integers(0, 3), st.sampled_from([0, 1, 2]), st.booleans())
def test_an_entry_is_a_row_times_a_column(row, channel, part, turned):
    value = MODEL.project(X)[part][0, 0, row, channel].item()
    steps = projection_steps(
        X[0, row], WEIGHTS[part][0, 0], "qkv"[part], row, channel, value, rotated=turned
    )
    assert len(steps) == 1 + turned
    assert steps[-1].value == value
    assert steps[0].value == pytest.approx(value, rel=1e-12)
    assert evaluate(steps[0].substituted) == pytest.approx(value, rel=1e-4, abs=1e-4)


@given(st.integers(0, 99))
def test_the_largest_difference_is_that_of_the_entries_named(seed):
    one, other = torch.randn(2, 5, 3, generator=torch.Generator().manual_seed(seed)).double()
    first, second, last = largest_difference_steps(one, other)
    assert last.value == (one - other).abs().max()
    assert last.value == abs(first.value - second.value)
    assert evaluate(last.substituted) == pytest.approx(last.value, rel=1e-4)
