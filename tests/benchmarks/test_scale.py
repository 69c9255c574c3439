"""The smallest form of `make scale`: two replicas, a Dask cluster, and what dies comes back."""

from pathlib import Path

from benchmarks.scale import run


def test_no_page_and_no_job_is_lost_when_a_replica_and_a_worker_die(tmp_path: Path) -> None:
    plan = run.Plan(
        readers=4,
        jobs=2,
        pause=1.0,
        replicas=2,
        workers=1,
        quiet=1.0,
        away=1.0,
        settle=1.0,
        updates=0,
        victims=("the fullest replica", "worker 1"),
        silence=2.0,
        upgrade=False,
        window=False,
    )
    found = run.run(plan, tmp_path)
    assert run.faults(found) == []
    phases = {phase["phase"]: phase for phase in found["phases"]}
    (killed,) = (phase for name, phase in phases.items() if name.startswith("replica"))
    assert killed["cut"] >= 2  # the fuller of two has at least half of four readers
    assert killed["moves"] > 0
    assert phases["quiet again"]["moves"] > 0
    assert found["jobs"]["done"] == found["jobs"]["ordered"] >= 2
    assert "| quiet again |" in run.table(found)


def test_what_is_lost_is_told() -> None:
    plan = run.Plan(updates=0)
    payload = {"steps": 7, "pause": 9}
    right, about = {"sum": 0, "terms": 7, "job": 3}, {"nice": 10, "job": 3}
    right["sum"] = run.undisturbed(payload, plan)[0]["sum"]
    assert run.right(payload, [right, about], plan)
    for rows in ([], [right], [right, about] * 2, [right | {"terms": 8}, about]):
        assert not run.right(payload, rows, plan)
    jobs = {"lost": [4], "wrong": [5], "not ordered and there": 1}
    told = run.faults({"wrong": ["rope?m=3 shows 2"], "silent": [6], "jobs": jobs})
    assert len(told) == 5
    quiet = {"lost": [], "wrong": [], "not ordered and there": 0}
    assert run.faults({"wrong": [], "silent": [], "jobs": quiet}) == []


def test_the_share_that_is_not_passed() -> None:
    assert run.share(range(1, 101), 0.95) == 95
    assert run.share([3.0], 0.95) == 3.0
