import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st

from posenc.temperature.formula import llama4_temperature
from posenc.temperature.steps import llama4_temperature_steps
from tests.posenc.latex import evaluate


def check(steps, drawn):
    assert steps[-1].value == drawn.item()
    for step in steps:
        if step.substituted:
            assert evaluate(step.substituted) == pytest.approx(step.value, rel=2e-4)


@given(st.integers(0, 3000), st.sampled_from([1, 7, 512]), st.sampled_from([0.1, 1.0]))
def test_llama_4s_scale_is_followed(position, floor, scale):
    drawn = llama4_temperature(torch.arange(3001), floor, scale)[position]
    check(llama4_temperature_steps(position, floor, scale), drawn)
