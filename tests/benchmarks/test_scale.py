"""The smallest form of `make scale`: two replicas, a Dask cluster, and what dies comes back."""

from pathlib import Path

import pytest

from benchmarks.scale import crowd, judging, run


@pytest.mark.slow
def test_nothing_is_lost_when_a_replica_and_a_worker_die(tmp_path: Path) -> None:
    plan = run.Plan(
        readers=4,
        jobs=2,
        pause=1.0,
        replicas=2,
        workers=1,
        quiet=1.0,
        away=1.0,
        settle=1.0,
        updates=20,
        victims=("the fullest replica", "worker 1"),
        window=False,
    )
    found = run.run(plan, tmp_path)
    assert judging.faults(found) == []
    phases = {phase["phase"]: phase for phase in found["phases"]}
    (killed,) = (phase for name, phase in phases.items() if name.startswith("replica"))
    assert killed["cut"] >= 2  # the fuller of two has at least half of four readers
    assert killed["moves"] > 0
    assert phases["quiet again"]["moves"] > 0
    assert found["jobs"]["done"] == found["jobs"]["ordered"] >= 2
    assert "| quiet again |" in judging.table(found)


def test_what_is_lost_is_told() -> None:
    jobs = {"lost": [4], "wrong": [5], "not ordered and there": 1}
    slow = {"phase": "quiet again", "p95": 3.5, "longest absence": 61.0}
    found = {"phases": [slow], "memory": {"full": [900.0, 4100.0]}, "jobs": jobs}
    told = judging.faults(found | {"wrong": ["rope?m=3 shows 2"], "silent": [6]})
    assert len(told) == 8
    found["phases"] = [slow | {"p95": None, "longest absence": 0.0}]
    assert len(judging.faults(found | {"wrong": [], "silent": []})) == 5
    well = {
        "phases": [{"phase": "a kill", "p95": 9.0, "longest absence": 59.0}, slow | {"p95": 0.5}],
        "memory": {"full": [900.0]},
        "jobs": {"lost": [], "wrong": [], "not ordered and there": 0},
    }
    well["phases"][1]["longest absence"] = 0.0
    assert judging.faults(well | {"wrong": [], "silent": []}) == []


@pytest.mark.parametrize(
    ("one", "other", "faults"),
    [
        ((200, b"old"), (200, b"old"), 0),
        ((200, b"old"), (404, b""), 0),
        ((200, b"old"), (200, b"new"), 1),
        ((502, b""), (200, b"new"), 1),
    ],
)
def test_a_script_of_two_releases_is_told(monkeypatch, one, other, faults) -> None:
    page = b'<script src="./app/static/release-0123/chart/chart.js"></script>'
    given = {"old/rope": (200, page), "old": one, "new": other}
    monkeypatch.setattr(crowd, "_get", lambda address: given.get(address, given[address[:3]]))
    assert len(crowd.files_of("old", "new")) == faults
