"""Shipped files are complete and small, and agree with their checkpoints measured again."""

import csv
import json

import pytest
import torch

from lab.measuring.plan import Measurement, measured_rows
from lab.shipped import collect, specs
from lab.spec import RunSpec
from lab.training.checkpoints import DATA, load_checkpoint

MOST_BYTES = 15_000_000


def rows(table):
    with (DATA / f"{table}.csv").open() as file:
        return list(csv.DictReader(file))


def runs():
    return {run["name"]: run for run in json.loads((DATA / "runs.json").read_text())}


def test_every_run_of_the_exhibits_is_there_with_what_made_it():
    found = runs()
    for spec in specs():
        run = found[spec.name]
        assert RunSpec.from_dict(run["spec"]) == spec
        assert run["facts"]["python"].startswith("3.")
        assert run["facts"]["torch"].startswith("2.")
        if spec.task == "text":
            assert len(run["facts"]["corpus_sha256"]) == 16
    assert len(found) == len(specs())


def test_the_checkpoints_are_small_and_complete():
    files = sorted(DATA.glob("*.safetensors"))
    expected = [s.name for s in specs() if s.seed == 0 and s.task != "counting"]
    assert sorted(expected) == [file.stem for file in files]
    assert sum(file.stat().st_size for file in files) < MOST_BYTES
    for file in files:
        run = load_checkpoint(file)
        assert run.spec.name == file.stem
        assert run.facts == {
            k: v for k, v in runs()[file.stem]["facts"].items() if k != "measured_in_seconds"
        }


@pytest.mark.parametrize(
    ("name", "method"),
    [("recall-rope-base128-s0", "yarn"), ("recall-alibi-s0", "none"), ("recall-rope-s0", "slide")],
)
def test_the_recall_curves_are_those_of_the_checkpoints(name, method):
    torch.set_num_threads(1)
    found = measured_rows(load_checkpoint(DATA / f"{name}.safetensors"), Measurement(method, 256))[
        "recall"
    ]
    shipped = {
        int(row["distance"]): row
        for row in rows("recall")
        if (row["run"], row["method"], row["length"], row["tuned"]) == (name, method, "256", "0")
    }
    assert set(shipped) == {row["distance"] for row in found}
    for row in found:
        there = shipped[row["distance"]]
        assert int(there["asked"]) == row["asked"]
        # Another machine may round one close answer otherwise.
        assert abs(int(there["right"]) - row["right"]) <= 2


def test_text_losses_are_those_of_the_checkpoints():
    run = load_checkpoint(DATA / "text-alibi-s0.safetensors")
    from lab.tasks.corpus import corpus

    if corpus().sha256 != run.facts["corpus_sha256"]:
        pytest.skip("this Python's standard library is another text")
    found = measured_rows(run, Measurement("none", 256))["text"]
    shipped = {
        (row["measure"], int(row["chunk"])): float(row["bits"])
        for row in rows("text")
        if (row["run"], row["method"], row["length"]) == (run.spec.name, "none", "256")
    }
    for row in found:
        assert shipped[row["measure"], row["chunk"]] == pytest.approx(row["bits"], abs=1e-3)


def test_what_is_collected_is_what_was_measured(tmp_path):
    spec = next(s for s in specs() if s.task == "counting")
    table = [{"mix": "diluted", "length": 64, "asked": 10, "wrong": 3}]
    result = {"name": spec.name, "spec": spec.to_dict(), "facts": {}, "tables": {"counting": table}}
    (tmp_path / f"{spec.name}.json").write_text(json.dumps(result))
    collect(tmp_path, tmp_path / "out")
    assert (tmp_path / "out" / "counting.csv").read_text() == (
        f"run,mix,length,asked,wrong\n{spec.name},diluted,64,10,3\n"
    )
    assert json.loads((tmp_path / "out" / "runs.json").read_text())[0]["name"] == spec.name
