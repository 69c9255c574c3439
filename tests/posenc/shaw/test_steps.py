"""Shaw's value term, followed to the numbers that are computed."""

import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st

from posenc import Shaw, attend
from posenc.random_model import RandomProjections, randomise
from posenc.shaw.steps import shaw_value_steps
from tests.posenc.latex import evaluate

LENGTH, WIDTH = 3, 4  # no sum is cut off


@given(st.integers(0, LENGTH - 1), st.integers(0, WIDTH - 1), st.integers(1, 4))
def test_the_value_term_is_its_sum_over_all_keys(row, channel, reach):
    model = RandomProjections(1, WIDTH, 1, WIDTH)
    shaw = randomise(Shaw(WIDTH, reach), 1).double()
    with torch.no_grad():
        q, k, v = model.project(model.embed(range(LENGTH)).double())
        trace = attend(q, k, v, shaw, trace=True)
    value = trace.mixed[0, 0, row, channel].item()
    (step,) = shaw_value_steps(shaw, trace.weights[0, 0, row], row, channel, value)
    assert step.value == value
    assert evaluate(step.substituted) == pytest.approx(value, rel=1e-4, abs=1e-5)


def test_without_value_embeddings_there_is_no_value_term():
    with pytest.raises(ValueError, match="must have value embeddings"):
        shaw_value_steps(Shaw(4, 2, values=False), torch.ones(3) / 3, 0, 0, 0.0)
