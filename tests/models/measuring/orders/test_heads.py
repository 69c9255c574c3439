"""Keys of a tiny model at other places: which are moved, and the rows; and a shipped text again."""

import json
from pathlib import Path

import numpy as np
import pytest
import torch
from typer.testing import CliRunner

from models.cli import app
from models.files.find import installed
from models.forward import forward
from models.measuring.orders import heads
from models.measuring.orders.heads import head_rates, orders_rows, table
from models.measuring.orders.rates import LENGTHS, Rates
from models.measuring.texts import Text
from models.opened import Model, open_model
from models.results.tables import DATA
from tests.models import tiny

IDS = [(7 * i + i * i) % 250 for i in range(60)]
TOPICS = Path(__file__).parent.parent / "topics_ids.json"
"""The first tokens of Python's topics, as the shipped rows have them."""


@pytest.fixture(scope="module")
def model(tmp_path_factory: pytest.TempPathFactory) -> Model:
    folder = tmp_path_factory.mktemp("m")
    return tiny.opened(tiny.save("llama", folder, max_position_embeddings=64))


def test_what_is_moved_stood_before_its_query(
    model: Model, monkeypatch: pytest.MonkeyPatch
) -> None:
    seen = []

    def spy(encoding, q, key, other, length, draw):
        seen.append((q, key, other, length))
        return Rates(torch.zeros(4), torch.zeros(4))

    monkeypatch.setattr(heads, "rates", spy)
    rows = forward(model, IDS).attention(1)
    found = head_rates(rows, 0)
    assert list(found) == [(keys, length) for keys in heads.KEYS for length in LENGTHS]
    assert [length for *_, length in seen] == [*LENGTHS, *LENGTHS]

    def tokens(vectors: torch.Tensor, of: torch.Tensor) -> torch.Tensor:
        """Which token of the text each vector is of, (heads, draws)."""
        return torch.cdist(vectors, of).argmin(-1)

    at = tokens(seen[0][0], rows.q[0])
    assert (at == at[0]).all()
    assert int(at.min()) >= len(IDS) // 4
    assert int(at.max()) == len(IDS) - 1
    moved = {keys: tokens(seen[i][1], rows.k[0]) for keys, i in (("any", 0), ("most", -1))}
    for each in (moved["any"], moved["most"], tokens(seen[0][2], rows.k[0])):
        assert int(each.min()) >= 1
        assert (each < at).all()
    assert (moved["any"] == moved["any"][0]).all()
    weights = rows.weights(torch.arange(len(IDS)))
    weights[..., 0] = 0
    weights -= torch.eye(len(IDS))
    np.testing.assert_array_equal(
        moved["most"], torch.stack([w[i].argmax(-1) for w, i in zip(weights, at, strict=True)])
    )


def test_rows_are_medians_and_ends_of_all_heads(model: Model) -> None:
    layers = []
    forward(model, IDS, watch=lambda index, rows: layers.append(head_rates(rows, index)))
    rows = orders_rows(model, Text("a", "python", "0", IDS))
    assert all(set(heads.KEY) <= row.keys() == heads.COLUMNS.keys() for row in rows)
    assert [(row["keys"], row["length"]) for row in rows] == list(layers[0])
    for row in rows:
        of = [layer[row["keys"], row["length"]] for layer in layers]
        assert row["heads"] == 12
        for name in Rates._fields:
            every = np.concatenate([getattr(one, name).numpy() for one in of])
            assert row[name] == pytest.approx(np.median(every), abs=1e-4)
            ends = row[f"{name}_low"], row[f"{name}_high"]
            assert ends == pytest.approx(np.quantile(every, heads.ENDS), abs=1e-4)


@pytest.mark.slow
def test_a_shipped_text_is_found_again() -> None:
    smol = installed()
    assert smol is not None, "make install-dev installs it"
    ids = json.loads(TOPICS.read_text())[: heads.TOKENS]
    found = orders_rows(open_model(smol), Text("topics", "python", "", ids))
    shipped = [row for row in table(DATA).rows() if row["text"] == "topics"]
    for old, new in zip(shipped, found, strict=True):
        assert (old["keys"], old["length"]) == (new["keys"], new["length"])
        for name in Rates._fields:
            assert new[name] == pytest.approx(old[name], abs=5e-3)
    medians = [row["nearer"] for row in found]
    assert max(medians) - min(medians) > 0.3


def test_the_command_measures_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("POSENC_MODELS_HOME", str(tmp_path / "home"))
    monkeypatch.setenv("POSENC_NO_MODEL", "1")
    monkeypatch.setattr(heads, "TOKENS", 40)
    tiny.save("llama", tmp_path / "home" / "tiny", max_position_embeddings=1024)
    asked = ["orders", "--model", "tiny", "--out", str(tmp_path), "--texts", "asyncio,email"]
    told = CliRunner().invoke(app, asked)
    assert told.exit_code == 0, told.stderr
    assert "2 of 2: keys of email at other places: nearer " in told.stdout
    told = CliRunner().invoke(app, asked)
    assert told.stdout.startswith("2 passes, 2 of them in")
    assert len(table(tmp_path).rows()) == 2 * len(heads.KEYS) * len(LENGTHS)
