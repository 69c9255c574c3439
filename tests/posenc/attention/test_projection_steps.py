"""Queries, keys and values, and the largest change of an output, followed."""

import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st

from posenc import CATALOGUE, ModelShape
from posenc.attention.projection_steps import largest_difference_steps, projection_steps
from posenc.attention.random_model import RandomProjections
from posenc.quantity.parameters import parameter_steps
from tests.posenc.latex import evaluate

MODEL = RandomProjections(5, 3, 1, 4)
X = MODEL.embed(range(6)).double()
WEIGHTS = MODEL.project(torch.eye(3, dtype=torch.float64)[None])


@given(st.integers(0, 5), st.integers(0, 3), st.sampled_from([0, 1, 2]), st.booleans())
def test_an_entry_is_a_row_times_a_column(row, channel, part, turned):
    value = MODEL.project(X)[part][0, 0, row, channel].item()
    steps = projection_steps(
        X[0, row], WEIGHTS[part][0, 0], "qkv"[part], row, channel, value, turned=turned
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


@given(st.sampled_from(list(CATALOGUE)), st.integers(1, 4), st.integers(1, 8), st.integers(2, 40))
def test_parameters_are_counted_from_their_shapes(name, heads, pairs, length):
    shape = ModelShape(heads * 2 * pairs, heads, 2 * pairs, length)
    encoding = CATALOGUE[name].build(shape)
    *each, count = parameter_steps(encoding)
    assert (
        count.value == sum(p.numel() for p in encoding.parameters()) == sum(s.value for s in each)
    )
    for step in each:
        assert not step.substituted or evaluate(step.substituted) == step.value
