"""A reader's own model: what fits into some time is picked, measured, stopped and continued."""

from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from models.files.find import Found
from models.measuring import own_run
from models.measuring.loss import Size, bits
from models.measuring.own import Own, Request, look, pick, too_little
from models.measuring.own_run import measure, own_pieces, read_plan, read_rows, text_ids
from models.measuring.texts import read_text
from models.opened import Model, open_model
from tests.models import tiny

TRAINED = 64
TEXTS = ("one", "two", "three")


def saved(folder: Path, family: str = "llama", **changes: Any) -> Found:
    folder.mkdir()
    return Found(folder.name, folder.name, tiny.save(family, folder, **changes))


@pytest.fixture(scope="module")
def own(tmp_path_factory: pytest.TempPathFactory) -> Own:
    return look(saved(tmp_path_factory.mktemp("m") / "mine"))


@pytest.fixture(scope="module")
def model(own: Own) -> Model:
    return replace(open_model(own.found), id=own.id)


def large(own: Own) -> Own:
    """A model of a billion parameters, of which there are no weights."""
    return replace(own, size=Size(10**9, 2000, 10), trained=1000)


def cost(length: int) -> float:
    return 2.0 * length * (10**9 + length * 2000 * 10)


def test_a_model_is_known_without_loading_it(own: Own, model: Model) -> None:
    assert own.size == Size(model.parameters, model.width, len(model.layers))
    assert (own.trained, own.plain, own.remark) == (TRAINED, "none", None)
    assert own.methods[:2] == ("yarn", "ntk")
    assert own.memory(256) > 4 * (model.parameters + 256 * model.width)


def test_what_fits_is_picked_and_nothing_more(own: Own) -> None:
    request = Request(60.0, 0, ("yarn", "slide"))
    windows = cost(1000) * 5  # of 2,000 tokens: at 0, 250, 500, 750 and 1,000
    picked = pick(large(own), request, (3 * cost(2000) + windows) / 60, TEXTS)
    assert picked.length == 2000
    assert [(unit.kind, unit.text, unit.method, unit.factor) for unit in picked.units] == [
        ("loss", "one", "none", 1.0),
        ("loss", "one", "yarn", 2.0),
        ("loss", "one", "slide", 1.0),
        ("keys", "0", "none", 1.0),
    ]
    pace = (3 * cost(2000) + windows) / 60
    assert picked.more["text"] == pytest.approx((2 * cost(2000) + windows) / pace)
    assert picked.more["linear"] == pytest.approx(cost(2000) / pace)
    assert picked.more["length"] > 2 * picked.more["text"]
    done = {unit.key for unit in picked.units}
    rest = pick(large(own), request, pace, TEXTS, done)
    assert [(unit.kind, unit.text, unit.method) for unit in rest.units[:2]] == [
        ("keys", "0", "yarn"),
        ("loss", "two", "none"),
    ]


@pytest.mark.parametrize(("passes", "length"), [(2.01, 2000), (1.99, 1000), (0.5, 500), (40, 8000)])
def test_a_context_is_picked_that_fits(own: Own, passes: float, length: int) -> None:
    request = Request(1.0, 0, ("yarn",))
    picked = pick(large(own), request, passes * cost(2000), TEXTS)
    assert picked.length == length
    assert sum(unit.operations for unit in picked.units) <= passes * cost(2000)
    assert {unit.factor for unit in picked.units} == {1.0, max(2.0, length / 1000)}


def test_where_nothing_fits_the_controls_are_named(own: Own) -> None:
    picked = pick(large(own), Request(60.0, 4), cost(4000) / 600, TEXTS)
    assert picked.units == ()
    words = too_little(large(own), picked, 60.0)
    assert words == (
        "One pass of mine over 4,000 tokens takes about 10.0 minutes here, and 1 are given: raise "
        "Minutes to 13, or take a shorter longest context."
    )
    assert pick(large(own), Request(13 * 60.0, 4), cost(4000) / 600, TEXTS).units


def timed(monkeypatch: pytest.MonkeyPatch, own: Own, passes: float) -> None:
    """A machine on which a minute holds so many passes over twice the trained length."""
    per_operation = 60.0 / (passes * own.operations("none", 2 * TRAINED))
    monkeypatch.setattr(own_run, "seconds_per_operation", lambda model: per_operation)


def test_a_stopped_measurement_measures_nothing_twice(
    own: Own, model: Model, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    timed(monkeypatch, own, 4.1)
    request = Request(60.0, 2, ("yarn",), keys=False)
    layers: list[int] = []

    def stop() -> None:
        layers.append(0)
        if len(layers) == 2 * 3 + 2:
            raise InterruptedError

    reports: list[Any] = []

    def run(folder: Path, before: list[Path], check: Any) -> Any:
        folder.mkdir(exist_ok=True)
        return measure(own, request, b"", folder, before, lambda *told: reports.append(told), check)

    with pytest.raises(InterruptedError):  # inside the third pass
        run(tmp_path / "1", [], stop)
    first = read_rows(own.id, tmp_path / "1")[0]
    assert {(row["text"], row["method"]) for row in first} == {
        ("topics", "none"),
        ("topics", "yarn"),
    }
    layers.clear()
    losses, keys = run(tmp_path / "1", [], lambda: layers.append(0))
    assert len(layers) == 2 * 3  # two passes through three layers
    assert losses[: len(first)] == first
    assert keys == []
    assert [told[:2] for told in reports[-3:]] == [(2, 4), (3, 4), (4, 4)]
    for row in losses:
        ids = read_text(str(row["text"]), model, 2 * TRAINED).ids
        every = bits(model, ids, str(row["method"]), float(row["factor"]))
        at, tokens = int(row["first"]), int(row["tokens"])
        assert row["bits"] == pytest.approx(every[at : at + tokens].mean().item(), abs=2e-5)
    more, _ = run(tmp_path / "2", [tmp_path / "1"], lambda: None)  # goes on with other texts
    assert {row["text"] for row in more}.isdisjoint({row["text"] for row in losses})


def test_a_model_that_cannot_be_asked_is_measured_all_the_same(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    windowed = look(saved(tmp_path / "windowed", "mistral"))
    timed(monkeypatch, windowed, 3.1)
    (tmp_path / "job").mkdir()
    losses, keys = measure(
        windowed, Request(60.0, 2, ()), b"", tmp_path / "job", [], lambda *_: None, lambda: None
    )
    assert {row["text"] for row in losses} == {"topics", text_ids(b"")[1]}
    assert keys == []
    plan = read_plan(tmp_path / "job")
    assert plan is not None
    assert "128 are too few" in plan.remark


def test_a_text_of_the_readers_own_is_read_in_pieces(model: Model) -> None:
    text = bytes(range(32, 127)) * 3
    pieces = own_pieces(model, text, 100)
    assert list(pieces) == list(text_ids(text)[:2])
    ids = model.tokens(text.decode()).ids
    assert [piece.ids for piece in pieces.values()] == [ids[:100], ids[100:200]]
    assert len({piece.sha256 for piece in pieces.values()}) == 2
    with pytest.raises(ValueError, match="Your text has 285 tokens, and 300 are needed: take a lo"):
        own_pieces(model, text, 300)


DECLARED = {
    "rope_type": "yarn",
    "rope_theta": 500.0,
    "factor": 4.0,
    "original_max_position_embeddings": 16,
}
WAYS: dict[str, tuple[str, dict[str, Any], str, str]] = {
    "scaled already": ("llama", {"rope_parameters": DECLARED}, "declared", "asks for yarn already"),
    "two rotations": ("gemma3_text", {}, "none", "rotate in different ways"),
    "no rotation": ("bloom", {"seq_length": 64}, "none", "does not rotate"),
}


@pytest.mark.parametrize("case", WAYS)
def test_what_is_no_plain_rope_is_compared_as_it_is(case: str, tmp_path: Path) -> None:
    family, changes, plain, words = WAYS[case]
    found = look(saved(tmp_path / "m", family, **changes))
    assert found.plain == plain
    assert words in str(found.remark)
    assert found.trained == (16 if plain == "declared" else TRAINED)
    assert ("yarn" in found.methods) == (plain == "declared")


def test_what_cannot_be_measured_is_refused(tmp_path: Path) -> None:
    with pytest.raises(ValueError, match="has a table of positions and reads nothing beyond it"):
        look(saved(tmp_path / "table", "gpt2"))
    broken = saved(tmp_path / "broken")
    (broken.path / "config.json").write_text("{")
    with pytest.raises(ValueError, match=r"The config.json of broken cannot be read: .*line 1"):
        look(broken)
    (broken.path / "config.json").unlink()
    with pytest.raises(ValueError, match=r"broken has no config\.json that can be read"):
        look(broken)
    changed = saved(tmp_path / "changed")
    before = look(changed).id
    (changed.path / "config.json").write_text((changed.path / "config.json").read_text() + " ")
    assert look(changed).id != before
