import math

import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st

from posenc.temperature.formula import llama4_temperature, log_n_scale, rope_layers
from posenc.temperature.steps import llama4_temperature_steps
from tests.posenc.latex import evaluate


def test_llama4_temperature_first_changes_at_the_end_of_the_first_window():
    values = llama4_temperature(torch.tensor([0, 8190, 8191, 131_071, 10_485_759])).tolist()
    assert values[:2] == [1.0, 1.0]
    assert values[2:] == pytest.approx([1.069314718056, 1.283321334406, 1.715539630190], abs=1e-12)


def test_log_n_is_one_within_the_trained_length():
    values = log_n_scale(torch.tensor([[0, 4095], [4096, 4096**2 - 1]]), 4096)
    assert values[0].tolist() == [1.0, 1.0]
    assert values[1].tolist() == pytest.approx([math.log(4097) / math.log(4096), 2.0], abs=1e-12)


def test_every_fourth_layer_does_without_rotation():
    assert rope_layers(8) == [True, True, True, False] * 2
    assert rope_layers(3, 1) == [False, False, False]


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
