import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st

from posenc.temperature.formula import llama4_temperature, log_n_scale, rope_layers
from posenc.temperature.steps import llama4_temperature_steps
from tests.posenc.latex import evaluate


@pytest.mark.parametrize(
    ("call", "sentence"),
    [
        (lambda: llama4_temperature(torch.ones(3)), "positions must be an integer tensor"),
        (
            lambda: llama4_temperature(torch.arange(3), 0),
            "floor_scale must be an integer of at least 1, got 0",
        ),
        (
            lambda: log_n_scale(torch.arange(3), 1),
            "trained_length must be an integer of at least 2, got 1",
        ),
        (lambda: rope_layers(0), "num_layers must be an integer of at least 1, got 0"),
        (lambda: rope_layers(4, 0), "interval must be an integer of at least 1, got 0"),
    ],
)
def test_bad_arguments_get_a_sentence(call, sentence):
    with pytest.raises(ValueError, match=sentence):
        call()


def check(steps, drawn):
    assert steps[-1].value == drawn.item()
    for step in steps:
        if step.substituted:
            assert evaluate(step.substituted) == pytest.approx(step.value, rel=2e-4)


@given(st.integers(0, 3000), st.sampled_from([1, 7, 512]), st.sampled_from([0.1, 1.0]))
def test_llama_4s_scale_is_followed(position, floor, scale):
    drawn = llama4_temperature(torch.arange(3001), floor, scale)[position]
    check(llama4_temperature_steps(position, floor, scale), drawn)
