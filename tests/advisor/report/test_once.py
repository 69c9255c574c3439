"""A report says a thing once, and no numbers that nobody has a use for."""

import json

import pytest
from typer.testing import CliRunner

from advisor.__main__ import app


def report(*arguments: str) -> str:
    return CliRunner().invoke(app, ["explain", *arguments]).stdout


def test_what_the_makers_trained_with_is_not_said_to_be_in_doubt() -> None:
    told = report("gpt-oss-120b", "--target", "300k")
    assert "The makers extended the model with the scaling in its file." in told
    assert "If the weights were trained further" not in told


@pytest.mark.parametrize("model", ["Phi-4-mini", "Qwen3-8B"])
def test_gpus_that_are_too_small_are_said_once(model: str) -> None:
    told = report(model, "--target", "150k", "--gpus", "3090")
    assert told.count("1 × RTX 3090 cannot hold it") == 1


def test_when_a_server_cuts_is_said_once() -> None:
    told = report("Qwen3-8B", "--target", "128k", "--engine", "llama_cpp")
    assert told.count("Since cd5e3b5") == 1


def test_layers_without_attention_have_no_heads() -> None:
    told = report("Nemotron-3-Nano-30B-A3B")
    assert told.count(" heads\n") == 1


def test_room_beyond_what_was_asked_for_is_no_news() -> None:
    told = report("Qwen3-8B", "--target", "64k")
    (line,) = [one for one in told.splitlines() if "memory leaves room for" in one]
    assert "RTX 4090" in line
    assert "H100" not in line


def test_where_nothing_is_written_no_more_engines_are_offered() -> None:
    made_up = json.dumps({"model_type": "made_up", "head_dim": 64, "rope_theta": 10000.0})
    told = CliRunner().invoke(app, ["explain", "-", "--target", "8192"], input=made_up)
    assert told.exit_code == 3
    assert "more engines" not in told.stdout
