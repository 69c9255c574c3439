"""Heads that copy, in a tiny model: their attention against the model's own."""

from pathlib import Path

import pytest
import torch
from typer.testing import CliRunner

from models.change import Change
from models.cli import app
from models.files.find import installed
from models.forward import forward
from models.measuring.induction import (
    FILE,
    KEY,
    SHOWN,
    TOKENS,
    induction_rows,
    shares,
    table,
    twice,
)
from models.opened import Model, open_model
from models.results.tables import DATA
from posenc.attention.habits import HABITS
from tests.models import tiny


@pytest.fixture(scope="module")
def model(tmp_path_factory: pytest.TempPathFactory) -> Model:
    folder = tmp_path_factory.mktemp("m")
    return tiny.opened(tiny.save("llama", folder, max_position_embeddings=1024))


def test_the_second_half_is_the_first_again(model: Model) -> None:
    ids = twice(model, 3)
    assert ids[-TOKENS:] == ids[-2 * TOKENS : -TOKENS]
    assert ids[: -2 * TOKENS] == model.tokens("").ids
    assert ids == twice(model, 3) != twice(model, 4)
    assert len(set(ids)) > 100


def test_shares_are_the_attention_of_the_second_half(model: Model) -> None:
    ids = [*range(TOKENS - 6), *range(100, 106)] * 2  # few tokens occur more than twice
    change = Change(method="linear", factor=4.0)
    found = shares(model, ids, change)
    rows = torch.arange(TOKENS, 2 * TOKENS)
    weights = forward(model, ids, change).attention(1).weights(rows)
    each = torch.arange(TOKENS)
    previous = weights[:, each, rows - 1].mean(-1)
    tokens = torch.tensor(ids)
    copied = torch.zeros(weights.shape[0], dtype=torch.float64)
    for row, at in enumerate(rows.tolist()):
        behind = [j + 1 for j in range(at) if tokens[j] == tokens[at] and j + 1 < at]
        copied += weights[:, row, behind].sum(-1) / TOKENS
    names = list(HABITS)
    torch.testing.assert_close(found[1, :, names.index("previous")], previous, atol=1e-5, rtol=0)
    torch.testing.assert_close(found[1, :, names.index("after_copy")], copied, atol=1e-5, rtol=0)


def test_a_row_for_each_head_is_the_mean_over_texts(model: Model) -> None:
    rows = induction_rows(model, 2, "yarn", 4.0)
    assert all(set(KEY) <= row.keys() for row in rows)
    layers, heads = len(model.layers), model.heads
    places = [(layer, head) for layer in range(layers) for head in range(heads)]
    assert [(row["layer"], row["head"]) for row in rows] == places
    change = Change(method="yarn", factor=4.0)
    both = [shares(model, twice(model, number), change) for number in (0, 1)]
    expected = (sum(both) / 2)[..., list(HABITS).index("after_copy")].flatten().tolist()
    assert [row["after_copy"] for row in rows] == pytest.approx(expected, abs=6e-5)


@pytest.mark.slow
def test_the_shipped_heads_are_found_again() -> None:
    """All heads as trained, in both texts."""
    rows = table(DATA).rows()
    shipped = [row for row in rows if row["method"] == "none"]
    smol = installed()
    assert smol is not None, "make install-dev installs it"
    again = induction_rows(open_model(smol), int(shipped[0]["texts"]), "none", 1.0)
    for name in SHOWN:
        found, expected = ([float(row[name]) for row in some] for some in (again, shipped))
        assert found == pytest.approx(expected, abs=2e-3)
        assert max(expected) > 0.4


def test_the_command_measures_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("POSENC_MODELS_HOME", str(tmp_path / "home"))
    monkeypatch.setenv("POSENC_NO_MODEL", "1")
    tiny.save("llama", tmp_path / "home" / "tiny", max_position_embeddings=1024)
    asked = ["heads", "1", "--model", "tiny", "--out", str(tmp_path)]
    told = CliRunner().invoke(app, [*asked, "--methods", "none,linear"])
    assert told.exit_code == 0, told.stderr
    assert "1 texts of random tokens twice, linear ×4: 0 of" in told.stdout
    before = (tmp_path / FILE).read_bytes()
    told = CliRunner().invoke(app, [*asked, "--methods", "none,linear"])
    assert told.stdout.startswith("2 passes, 2 of them in")
    assert (tmp_path / FILE).read_bytes() == before
    told = CliRunner().invoke(app, [*asked, "--methods", "slide"])
    assert told.exit_code == 2
    assert "leave slide out" in told.stderr
