"""Steps of the errors of low precision: true lines, ending in the error that is drawn."""

import math

import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st

from posenc import rope_inv_freq
from posenc.precision.formula import STAGES, cos_sin_error, max_angle_error
from posenc.precision.steps import cos_sin_error_steps, max_angle_error_steps
from tests.posenc.latex import evaluate

THETA = rope_inv_freq(24, 1e4)[0]
dtypes = st.sampled_from([torch.bfloat16, torch.float16, torch.float32])
positions = st.integers(0, 300) | st.integers(0, 2**27)


def check(steps, drawn):
    assert steps[-1].value == drawn.item()
    for step in steps:
        if step.substituted and math.isfinite(step.value):
            # all digits stand in a difference; six of the last root's
            assert evaluate(step.substituted) == pytest.approx(step.value, rel=1e-4, abs=1e-12)


@given(positions, dtypes, st.integers(0, 20))
def test_the_largest_error_of_an_angle_is_followed(position, dtype, more):
    drawn = max_angle_error(torch.arange(position, position + 1 + more), THETA, dtype)[0]
    check(max_angle_error_steps(position, THETA, dtype), drawn)


@given(positions, dtypes, st.sampled_from(STAGES), st.integers(0, 20))
def test_the_largest_error_of_cos_and_sin_is_followed(position, dtype, stage, more):
    at = torch.arange(position, position + 1 + more)
    drawn = cos_sin_error(at, THETA, dtype, {stage}).amax(dim=1)[0]
    check(cos_sin_error_steps(position, THETA, dtype, stage), drawn)
