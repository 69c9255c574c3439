"""Losses by position equal those that transformers computes alone."""

import json
import math
from pathlib import Path
from typing import Any

import pytest
import torch

from models.files.find import installed
from models.measuring.loss import (
    bits,
    loss_rows,
    sliding_bits,
    starts,
    table,
)
from models.measuring.texts import Text, read_text
from models.opened import Model, open_model
from tests.models import tiny
from tests.models.test_equal import SCALINGS

LENGTH, TRAINED = 40, 12
IDS = torch.randint(1, 256, (LENGTH,), generator=torch.Generator().manual_seed(3)).tolist()


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tiny.save("llama", tmp_path_factory.mktemp("m"), max_position_embeddings=TRAINED)


@pytest.fixture(scope="module")
def model(folder: Path) -> Model:
    return tiny.opened(folder)


def alone(net: Any, ids: list[int]) -> torch.Tensor:
    """Bits of every token after the first, by transformers and a gather."""
    with torch.no_grad():
        logits = net(torch.tensor([ids])).logits[0, :-1]
    likely = logits.log_softmax(-1).gather(1, torch.tensor(ids[1:])[:, None])
    return -likely[:, 0] / math.log(2)


@pytest.mark.parametrize("method", SCALINGS)
def test_losses_under_a_scaling(method: str, folder: Path, model: Model) -> None:
    expected = alone(tiny.alone(folder, rope_parameters=SCALINGS[method]), IDS)
    found = bits(model, IDS, method, 3.0)
    assert (found - expected).abs().max() < 1e-4
    assert (bits(model, IDS, method, 2.0) - expected).abs().max() > 0.01  # it can fail


def test_a_sliding_window_is_a_loop_over_windows(folder: Path, model: Model) -> None:
    """Each token by hand: from the window that reaches it first."""
    net, expected = tiny.alone(folder), []
    for token in range(1, LENGTH):
        start = 0 if token < TRAINED else 3 * math.ceil((token + 1 - TRAINED) / 3)
        expected.append(alone(net, IDS[start : token + 1])[-1])
    found = bits(model, IDS, "slide", 1.0)
    assert (found - torch.stack(expected)).abs().max() < 1e-4
    assert (found - bits(model, IDS, "none", 1.0)).abs().max() > 0.1
    shorter = sliding_bits(model, IDS[:TRAINED], TRAINED)
    assert (shorter - found[: TRAINED - 1]).abs().max() < 1e-4


@pytest.mark.parametrize(
    ("length", "expected"), [(8, [0]), (7, [0]), (9, [0, 2]), (10, [0, 2]), (11, [0, 2, 4])]
)
def test_windows_start_where_they_must(length: int, expected: list[int]) -> None:
    assert starts(length, 8) == expected


def test_rows_are_means_of_blocks(model: Model) -> None:
    every = bits(model, IDS, "yarn", 4.0)
    rows = loss_rows(model, Text("t", "prose", "ab", IDS), "yarn", 4.0, 16)
    assert [(row["first"], row["tokens"]) for row in rows] == [(0, 16), (16, 16), (32, 7)]
    for row in rows:
        first, tokens = int(row["first"]), int(row["tokens"])
        assert row["bits"] == pytest.approx(every[first : first + tokens].mean().item(), abs=1e-5)
        assert (row["method"], row["factor"], row["length"]) == ("yarn", 4.0, LENGTH)


SHIPPED = Path(__file__).parents[3] / "data" / "models"
TOPICS = Path(__file__).with_name("topics_ids.json")
"""Its first tokens: another release of Python has another text."""


@pytest.mark.slow
@pytest.mark.parametrize("method", ["yarn", "yarn_no_temperature"])
def test_a_shipped_curve_is_made_again_in_part(method: str) -> None:
    """A static method's first block does not depend on the length of the pass."""
    rows = table(SHIPPED).rows()
    (shipped,) = (
        row
        for row in rows
        if (row["text"], row["method"], row["factor"], row["first"]) == ("topics", method, 4.0, 0)
        and row["length"] == 16384
    )
    found = installed()
    assert found is not None, "make install-dev installs it"
    smol, ids = open_model(found), json.loads(TOPICS.read_text())
    here = read_text("topics", smol, 1025)
    assert (here.ids == ids) or (here.sha256 != shipped["sha256"])
    (row,) = loss_rows(smol, Text("topics", "python", here.sha256, ids), method, 4.0)
    assert row["tokens"] == shipped["tokens"] == 1024
    assert row["bits"] == pytest.approx(shipped["bits"], abs=1e-3)
    others = [one["bits"] for one in rows if one["first"] == 0 and one["method"] == "none"]
    assert all(abs(float(bits) - float(shipped["bits"])) > 0.01 for bits in others)  # it can fail
