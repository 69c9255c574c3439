"""Channels in another order followed."""

import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st

from posenc import layout_permutation
from posenc.rope.steps import permutation_steps
from tests.posenc.latex import evaluate


def check(steps, drawn):
    assert steps[-1].value == drawn.item()
    for step in steps:
        if step.substituted:
            assert evaluate(step.substituted) == pytest.approx(step.value, rel=2e-4)


@given(st.integers(1, 20).map(lambda pairs: layout_permutation(2 * pairs)), st.data())
def test_a_permutation_is_followed(order, data):
    places = st.integers(0, len(order) - 1)
    row, col = data.draw(places), data.draw(places)
    matrix = torch.eye(len(order), dtype=torch.float64)[order]
    check(permutation_steps(order, row, col), matrix[row, col])
