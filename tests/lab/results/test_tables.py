"""Curves of the shipped tables agree with the rows."""

import json
import math
from pathlib import Path

import numpy as np
import pytest
import torch

from lab.measuring.text import TextLosses, position_rows
from lab.results import curves
from lab.results.tables import load
from lab.shipped import as_csv
from lab.spec import recall_spec, text_spec
from tests.lab.made_up import L, MadeUp

CELL = {
    "run": "recall-alibi-s0",
    "method": "none",
    "length": 256,
    "distance": 64,
    "asked": 10,
    "right": 5,
    "tuned": 0,
}


def shipped(folder: Path, *rows: dict) -> Path:
    spec = recall_spec("alibi").to_dict()
    (folder / "runs.json").write_text(
        json.dumps([{"name": CELL["run"], "spec": spec, "facts": {}}])
    )
    (folder / "recall.csv").write_bytes(as_csv([CELL, *rows]))
    return folder


def test_what_is_written_is_read(tmp_path: Path) -> None:
    results = load(shipped(tmp_path))
    assert results.seeds("recall-alibi") == {0: "recall-alibi-s0"}
    assert list(results.models("recall")) == ["recall-alibi"]
    assert results.tables["recall"]["right"].tolist() == [5]
    assert results.tables["text"]["bits"].tolist() == []


def test_nothing_there_says_how_to_make_it(tmp_path: Path) -> None:
    with pytest.raises(ValueError, match=r"python -m lab\.shipped"):
        load(tmp_path)


def test_damage_is_an_error(tmp_path: Path) -> None:
    with pytest.raises(ValueError, match="many"):
        load(shipped(tmp_path, CELL | {"length": "many"}))


def test_what_ships_is_of_known_runs_and_their_counts() -> None:
    results = load()
    for table in results.tables.values():
        assert set(table.run) <= set(results.runs)
    for name, part in (("recall", "right"), ("counting", "wrong")):
        table = results.tables[name]
        assert table[part].between(0, table.asked).all()
        assert (table.asked > 0).all()
    assert all(run.spec.name == name for name, run in results.runs.items())


def test_near_and_far_are_pooled_apart() -> None:
    made = MadeUp()
    made.recall("none", 4 * L, near=90, far=20, last=40, seeds=[0])
    near = curves.recall_by_length(made.results, "recall-rope", "none", "near")
    far = curves.recall_by_length(made.results, "recall-rope", "none", "far")
    assert (near.x.tolist(), near.mean.tolist()) == ([512.0], [90.0])
    assert far.mean.tolist() == [30.0]
    # 240 of 800, with one more of either outcome.
    p = 241 / 802
    assert far.errors[0, 0] == pytest.approx(100 * math.sqrt(p * (1 - p) / 802))


def test_distances_are_kept_and_fine_tuned_rows_are_apart() -> None:
    made = MadeUp()
    made.recall("yarn", 4 * L, near=90, far=80, last=20, seeds=[0])
    made.recall("yarn", 4 * L, near=100, far=100, seeds=[0], tuned=4)
    curve = curves.recall_by_distance(made.results, "recall-rope", "yarn", 4 * L)
    tuned = curves.recall_by_distance(made.results, "recall-rope", "yarn", 4 * L, tuned=4)
    assert curve.x.tolist() == [64.0, 160.0, 480.0]
    assert curve.mean.tolist() == [90.0, 80.0, 20.0]
    assert tuned.mean.tolist() == [100.0, 100.0, 100.0]
    assert curves.recall_by_distance(made.results, "recall-rope", "ntk", 4 * L) is None


def test_at_the_training_length_no_method_changes_the_model() -> None:
    made = MadeUp()
    made.recall("none", L, near=100, far=None)
    made.recall("slide", 2 * L, near=98, far=3)
    made.recall("yarn", 2 * L, near=90, far=80)
    for method, at_twice in (("slide", 98.0), ("yarn", 90.0)):
        curve = curves.recall_by_length(made.results, "recall-rope", method, "near")
        assert curve is not None
        assert curve.x.tolist() == [L, 2 * L]
        assert curve.mean.tolist() == [100.0, at_twice]
    assert curves.recall_by_length(made.results, "recall-rope", "linear", "near") is None


def test_text_differences_are_paired_by_chunk() -> None:
    """Chunks differ by 1.5 bits, the difference to the window hardly at all."""
    made = MadeUp()
    made.text("slide", L, 2.0)
    made.text("none", 4 * L, 2.25)
    plain = curves.text_by_length(made.results, "text-rope", "none", against_window=False)
    paired = curves.text_by_length(made.results, "text-rope", "none", against_window=True)
    assert plain.mean[0] == pytest.approx(2.25 + 0.75, abs=0.01)
    assert paired.mean[0] == pytest.approx(0.25, abs=0.01)
    assert plain.errors.min() > 0.1
    assert paired.errors.max() < 0.003


def test_the_loss_at_a_position_has_the_error_of_its_chunks() -> None:
    torch.manual_seed(0)
    losses = TextLosses("none", 100, torch.zeros(6), torch.rand(6, 100))
    rows = position_rows(losses)
    assert [row["start"] for row in rows] == [1, 2, 3, 4, 6, 8, 12, 16, 23, 32, 46, 64, 91]
    assert [row["stop"] for row in rows] == [2, 3, 4, 6, 8, 12, 16, 23, 32, 46, 64, 91, 100]
    for row in rows:
        means = losses.positions[:, row["start"] : row["stop"]].numpy().mean(axis=1)
        assert row["bits"] == pytest.approx(means.mean(), abs=1e-5)
        assert row["error"] == pytest.approx(np.std(means, ddof=1) / math.sqrt(6), abs=1e-5)
    made = MadeUp()
    for row in rows:
        made.add("positions", text_spec("rope"), **row)
    curve = curves.text_by_position(made.results, "text-rope", "none")
    assert curve is not None
    assert curve.x.tolist()[-2:] == [77.0, 95.0]
    assert curve.values[0].tolist() == [row["bits"] for row in rows]
    assert curve.errors[0].tolist() == [row["error"] for row in rows]


def test_a_point_is_followed_to_what_each_seed_measured() -> None:
    made = MadeUp()
    for seed, percent in enumerate((60.0, 90.0, 75.0)):
        made.recall("none", 512, percent, percent, seeds=[seed])
    curve = curves.recall_by_length(made.results, "recall-rope", "none", "near")
    assert curve is not None
    values, errors = curve.at(512)
    *seeds, low, high, mean = curve.steps(512)
    assert [step.value for step in seeds] == values.tolist()
    assert low.value == (values - errors).min()
    assert high.value == (values + errors).max()
    assert mean.value == curve.mean[0]
    assert mean.value == pytest.approx(75.0, abs=1e-12)
    with pytest.raises(ValueError, match="Not every seed was measured at 100"):
        curve.steps(100)


def test_text_without_its_window_gives_no_difference() -> None:
    made = MadeUp()
    made.text("none", 4 * L, 2.25)
    assert curves.text_by_length(made.results, "text-rope", "none", against_window=True) is None
    assert curves.text_window(made.results, "text-rope") is None
