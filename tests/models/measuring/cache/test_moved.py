"""Moved passages in a tiny model: read piece by piece, turned, and against transformers itself."""

import json
from pathlib import Path

import pytest
import torch
from transformers import AutoModelForCausalLM, DynamicCache
from typer.testing import CliRunner

from models.cli import app
from models.files.find import installed
from models.forward import forward
from models.measuring.cache import moved
from models.measuring.cache.moved import moved_bits, moved_rows, table
from models.measuring.cache.pieces import read
from models.measuring.texts import Text
from models.opened import Model, open_model
from models.results.tables import DATA
from posenc.rope.formula import apply_rope
from tests.models import tiny

IDS = [(7 * i + i * i) % 250 for i in range(60)]
OTHER = [(3 * i * i + 11) % 250 for i in range(60)]
PASSAGE = 16
PRIDE = Path(__file__).with_name("pride_ids.json")
"""The first tokens of "Pride and Prejudice", as the shipped rows have them."""


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tiny.save("llama", tmp_path_factory.mktemp("m"), max_position_embeddings=128)


@pytest.fixture(scope="module")
def model(folder: Path) -> Model:
    return tiny.opened(folder)


def test_pieces_are_the_text_in_one(model: Model) -> None:
    whole = forward(model, IDS).hidden
    first, kept = read(model, IDS[:20], 0)
    second, more = read(model, IDS[20:45], 20, kept)
    third, _ = read(model, IDS[45:], 45, kept.then(more))
    torch.testing.assert_close(torch.cat((first, second, third)), whole, atol=1e-4, rtol=1e-4)
    again, _ = read(model, IDS[45:], 45, kept.then(more).part(0, 45))
    torch.testing.assert_close(again, third, atol=0, rtol=0)


def bits_of_transformers(folder: Path, before: list[int], turned_by: int | None) -> float:
    """Bits behind a passage that transformers read alone, keys turned on in its cache."""
    net = AutoModelForCausalLM.from_pretrained(folder, dtype=torch.float32).eval()
    passage, following = IDS[20 : 20 + PASSAGE], IDS[20 + PASSAGE :]
    cache, alone = DynamicCache(), DynamicCache()
    with torch.no_grad():
        net(torch.tensor([before]), past_key_values=cache)
        net(torch.tensor([passage]), past_key_values=alone)
        theta = 500.0 ** (-torch.arange(0, 16, 2, dtype=torch.float64) / 16)
        for index, layer in enumerate(alone.layers):
            by = torch.full((PASSAGE,), turned_by or 0)
            keys = apply_rope(layer.keys.double(), by, theta, "half").float()
            cache.update(keys, layer.values, index)
        logits = net(torch.tensor([following]), past_key_values=cache).logits[0, :-1]
    told = torch.nn.functional.cross_entropy(logits.double(), torch.tensor(following[1:]))
    return float(told) / float(torch.tensor(2.0).log())


def test_each_way_is_what_transformers_computes(
    folder: Path, model: Model, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(moved, "PASSAGE", PASSAGE)
    place = 13
    _, before = read(model, OTHER[:place], 0)
    _, alone = read(model, IDS[20 : 20 + PASSAGE], 0)
    found = moved_bits(model, before, {"alone_": alone}, IDS[20:], place)
    by_hand = forward(model, OTHER[:place] + IDS[20:]).bits(place + PASSAGE)
    assert found["recomputed"] == pytest.approx(float(by_hand.double().mean()), abs=1e-4)
    left_out = forward(model, OTHER[:place] + IDS[20 + PASSAGE :]).bits(place)
    assert found["missing"] == pytest.approx(float(left_out.double().mean()), abs=1e-4)
    turned, unmoved = (bits_of_transformers(folder, OTHER[:place], by) for by in (place, None))
    assert found["alone_turned"] == pytest.approx(turned, abs=1e-4)
    assert found["alone_unmoved"] == pytest.approx(unmoved, abs=1e-4)
    assert abs(turned - unmoved) > 1e-2
    assert len({round(bits, 3) for bits in found.values()}) == 4


def test_rows_of_a_passage(model: Model, monkeypatch: pytest.MonkeyPatch) -> None:
    sizes = {"CACHED": 12, "PASSAGE": 8, "FOLLOWING": 10, "STEP": 20, "PLACES": (0, 12, 30)}
    for name, size in sizes.items():
        monkeypatch.setattr(moved, name, size)
    rows = moved_rows(model, Text("a", "python", "0", IDS), 1, Text("b", "prose", "1", OTHER))
    assert all(set(moved.KEY) <= row.keys() == moved.COLUMNS.keys() for row in rows)
    found = {(row["place"], row["way"]): row["bits"] for row in rows}
    assert list(found) == [(place, way) for place in (0, 12, 30) for way in found_ways(rows)]
    assert set(found_ways(rows)) == set(moved.WAYS)
    # What was read alone has not been moved at place 0, nor the other at its own place.
    assert found[0, "alone_turned"] == found[0, "alone_unmoved"]
    assert found[0, "alone_turned"] == pytest.approx(found[0, "recomputed"], abs=1e-4)
    assert found[12, "turned"] == found[12, "unmoved"] != found[12, "recomputed"]


def found_ways(rows: list[dict[str, str | int | float]]) -> list[str]:
    return list(dict.fromkeys(str(row["way"]) for row in rows))


@pytest.mark.slow
def test_a_shipped_passage_is_found_again() -> None:
    """At place 0, where nothing of another text is before it."""
    rows = [row for row in table(DATA).rows() if (row["text"], row["passage"]) == ("pride", 0)]
    shipped = {row["way"]: row["bits"] for row in rows if row["place"] == 0}
    assert shipped.keys() == set(moved.WAYS)
    smol = installed()
    assert smol is not None, "make install-dev installs it"
    model, ids = open_model(smol), json.loads(PRIDE.read_text())
    end = moved.CACHED + moved.PASSAGE
    _, own = read(model, ids[:end], 0)
    _, alone = read(model, ids[moved.CACHED : end], 0)
    kept = {"": own.part(moved.CACHED, end), "alone_": alone}
    found = moved_bits(model, own.part(0, 0), kept, ids[moved.CACHED :], 0)
    assert found == pytest.approx(shipped, abs=2e-3)
    assert max(found.values()) - min(found.values()) > 0.1


def test_the_command_measures_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("POSENC_MODELS_HOME", str(tmp_path / "home"))
    monkeypatch.setenv("POSENC_NO_MODEL", "1")
    sizes = {"CACHED": 12, "PASSAGE": 8, "FOLLOWING": 10, "STEP": 20, "PLACES": (0, 12, 30)}
    for name, size in sizes.items():
        monkeypatch.setattr(moved, name, size)
    tiny.save("llama", tmp_path / "home" / "tiny", max_position_embeddings=1024)
    asked = ["moved", "--model", "tiny", "--out", str(tmp_path), "--texts", "asyncio,email"]
    told = CliRunner().invoke(app, [*asked, "--passages", "2"])
    assert told.exit_code == 0, told.stderr
    assert "4 of 4: passage 1 of email: recomputed " in told.stdout
    found = [(row["text"], row["passage"], row["before"]) for row in table(tmp_path).rows()]
    pairs = [("asyncio", "email"), ("email", "asyncio")]
    assert list(dict.fromkeys(found)) == [(a, n, b) for n in (0, 1) for a, b in pairs]
    told = CliRunner().invoke(app, [*asked, "--passages", "2"])
    assert told.stdout.startswith("4 passes, 4 of them in")
    assert len(table(tmp_path).rows()) == len(found) == 4 * 3 * len(moved.WAYS)
    told = CliRunner().invoke(app, ["moved", "--model", "tiny", "--texts", "asyncio"])
    assert told.exit_code == 2
    assert "name two texts or more" in told.stderr
