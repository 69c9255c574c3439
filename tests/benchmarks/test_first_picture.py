"""The benchmark of the first picture runs; nothing here asserts a time."""

import math
from pathlib import Path

import torch
from transformers import AutoModelForCausalLM

from benchmarks.first_picture import first_picture, measure
from models.files.find import Found
from models.forward import forward
from models.opened import open_model
from tests.models import tiny

IDS = [3, 141, 59, 26, 53, 58, 97, 93]


def test_smoke(tmp_path: Path) -> None:
    folder = tiny.save("llama", tmp_path)
    model = open_model(Found("tiny", "Tiny", folder))
    plain = AutoModelForCausalLM.from_pretrained(folder, dtype=torch.float32).eval()
    row = measure(model, plain, IDS, 1e-4)
    assert row["tokens"] == 8
    assert all(0 < time < math.inf for time in row["milliseconds"].values())
    for name in ("picture", "pass"):
        low, high = row[f"{name} / transformers"][1:]
        assert 0 < low <= high < math.inf
    everything = torch.arange(8)
    expected = forward(model, IDS).attention(1).trace(everything).weights[0, 3]
    assert torch.equal(first_picture(model, IDS), expected)
