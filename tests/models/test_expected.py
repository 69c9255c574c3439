"""A model's answers to the prompts of posenc check: the numbers of transformers alone."""

import json
from pathlib import Path

import pytest
import torch
from typer.testing import CliRunner

from advisor import RopeConfig
from advisor.endpoint.prompts import SHORT
from advisor.endpoint.scaling import Expected, distance
from models.cli import app
from models.expected import KEPT, expected
from tests.models.tiny import alone, opened, save

PARAMETERS = {
    "rope_type": "yarn",
    "factor": 4.0,
    "rope_theta": 500.0,
    "original_max_position_embeddings": 64,
}


def test_file_and_none_are_what_transformers_gives(tmp_path: Path) -> None:
    folder = save("llama", tmp_path)
    given = json.loads((folder / "config.json").read_text())
    config = RopeConfig.from_hf(given | {"rope_parameters": PARAMETERS})
    model = opened(folder)
    found = expected(model, config)
    assert list(found.readings) == [
        "file",
        "none",
        "base 10000",
        "half the factor",
        "twice the factor",
    ]
    ids = model.tokens(SHORT[0]).ids
    for name, changes in (("file", {"rope_parameters": PARAMETERS}), ("none", {})):
        logits = alone(folder, **changes)(torch.tensor([ids])).logits[0, -1]
        values, tokens = logits.double().log_softmax(-1).topk(5)
        top = found.readings[name][0]
        told = {}
        for token, value in zip(tokens.tolist(), values.tolist(), strict=True):
            text = model.vocabulary.tokenizer.decode([token], skip_special_tokens=False)
            told.setdefault(text, value)  # parts of characters have one text: the likeliest counts
        for text, value in told.items():
            assert top[text] == pytest.approx(value, abs=2e-4)
        assert len(top) <= KEPT
    apart = distance(found.readings["file"], found.readings["none"])
    assert apart is not None
    assert apart > 0.03
    again = Expected.read(json.dumps(found.document()))
    assert again == Expected("Tiny", found.readings)


def test_a_model_that_is_not_here_gets_a_sentence() -> None:
    result = CliRunner().invoke(app, ["expected", "no-such-model"])
    assert (result.exit_code, result.stdout) == (2, "")
    assert "no-such-model is not here; these are: " in result.stderr
