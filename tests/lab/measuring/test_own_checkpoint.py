"""A checkpoint of the reader's own, here one that the lab made: read safely, measured rightly."""

import json

import pytest
import torch

from lab.measuring import own_checkpoint as own
from lab.measuring import own_losses
from lab.measuring.text import token_losses
from lab.model.methods import reader
from lab.spec import text_spec
from lab.training.checkpoints import save_checkpoint
from lab.training.export_hf import export
from lab.training.loop import new_model


@pytest.fixture(scope="module")
def directory(tmp_path_factory):
    """A small untrained model of bytes as a transformers directory."""
    folder = tmp_path_factory.mktemp("own")
    spec = text_spec("rope").changed(d_model=16, ffn=24, head_dim=8, train_length=32)
    model = new_model(spec)
    with torch.no_grad():
        model.lm_head.weight.mul_(50)  # far from uniform, so that methods differ
    save_checkpoint(folder / "run.safetensors", spec, model, {}, torch.float32)
    export(str(folder / "run.safetensors"), folder / "model")
    return folder / "model", model, spec


TEXT = bytes(range(256)) * 8


def measured(folder, tmp_path, rows=None, stop=lambda: False, **payload):
    (tmp_path / "text").write_bytes(TEXT)
    rows, saved, reports = rows if rows is not None else [], [], []
    payload = {
        "folder": str(folder), "longest": 128, "methods": ["linear", "yarn"],
        "text": str(tmp_path / "text"), **payload,
    }  # fmt: skip
    ended = own_losses.measure_own(
        payload, rows, lambda r: saved.append(len(r)), lambda *r: reports.append(r), stop
    )
    return ended, rows, saved, reports


def test_losses_are_those_of_the_labs_own_model(directory, tmp_path):
    folder, model, spec = directory
    ended, rows, saved, reports = measured(folder, tmp_path)
    assert ended
    assert [(r["method"], r["length"]) for r in rows[::4]] == [
        ("slide", 32), ("none", 32), ("none", 64), ("linear", 64), ("yarn", 64),
        ("none", 128), ("linear", 128), ("yarn", 128),
    ]  # fmt: skip
    assert saved == list(range(4, 33, 4))
    assert [r[:2] for r in reports] == [(n, 8) for n in range(1, 9)]
    tokens = torch.tensor(list(TEXT))[: 4 * 129].view(4, 129)
    for row in rows[4:]:
        ready = reader(model, spec, row["length"], row["method"])
        bits = token_losses(ready, tokens[:, -row["length"] - 1 :])[row["chunk"]]
        # The tail is no longer than the training length, here 32.
        assert row["bits"] == pytest.approx(float(bits[-32:].mean()), abs=1e-3)
    by = {(r["method"], r["length"], r["chunk"]): r["bits"] for r in rows}
    assert abs(by["linear", 128, 0] - by["none", 128, 0]) > 0.01


def test_what_was_measured_is_not_measured_again(directory, tmp_path):
    folder, *_ = directory
    asked = iter([False, False, True])
    ended, rows, *_ = measured(folder, tmp_path, stop=lambda: next(asked))
    assert not ended
    assert len(rows) == 8
    ended, rows, saved, _ = measured(folder, tmp_path, rows=rows)
    assert ended
    assert saved == list(range(12, 33, 4))


def test_a_model_is_known_without_loading_it(directory):
    folder, model, _ = directory
    found = own.look(folder)
    assert found.parameters == model.size
    assert found.length == 32
    assert found.methods == own.methods()
    cost = own_losses.estimate(found, (32, 64), ("none", "yarn"))
    assert cost.memory > 4 * model.size
    assert cost.operations > 2 * model.size * 4 * 64


@pytest.mark.parametrize(
    ("name", "content", "sentence"),
    [
        ("config.json", None, "has no config.json"),
        ("config.json", "{", "config.json of .* cannot be read"),
        ("config.json", "{}", "max_position_embeddings"),
        ("config.json", '{"max_position_embeddings": 1e9}', "max_position_embeddings"),
        ("config.json", " " * (1 << 20) + "{}", "larger than 1 MiB"),
        ("model.safetensors", None, r"holds no \*.safetensors. Other formats can run code"),
        ("model.safetensors", "junk", "is not a safetensors file"),
    ],
)
def test_a_directory_that_cannot_be_read_is_refused_with_a_sentence(
    directory, tmp_path, name, content, sentence
):
    for file in directory[0].iterdir():
        (tmp_path / file.name).write_bytes(file.read_bytes())
    if content is None:
        (tmp_path / name).unlink()
        (tmp_path / "pytorch_model.bin").write_bytes(b"pickle")
    else:
        (tmp_path / name).write_text(content)
    with pytest.raises(ValueError, match=sentence):
        own.look(tmp_path)


def test_a_model_that_is_scaled_already_is_measured_as_it_is(directory, tmp_path):
    for file in directory[0].iterdir():
        (tmp_path / file.name).write_bytes(file.read_bytes())
    config = json.loads((tmp_path / "config.json").read_text())
    config["rope_parameters"] = {"rope_type": "linear", "factor": 4.0, "rope_theta": 10000.0}
    (tmp_path / "config.json").write_text(json.dumps(config))
    found = own.look(tmp_path)
    assert found.methods == ("none",)
    assert "asks for linear already" in found.remark


def test_a_text_that_is_too_short_is_refused(directory, tmp_path):
    with pytest.raises(ValueError, match="The text has 2048 tokens, 4100 are needed"):
        measured(directory[0], tmp_path, longest=1024)
    with pytest.raises(ValueError, match="The longest length must be at least 32, got 16"):
        measured(directory[0], tmp_path, longest=16)
