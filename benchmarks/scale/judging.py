"""The verdict on a run: what readers met in each phase, whether jobs were lost, and the table."""

import json
import math
import statistics
import tempfile
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import torch

from benchmarks.report import markdown
from benchmarks.scale.crowd import Person
from lab.queue.database import plain
from lab.queue.jobs import Lab
from lab.queue.perform import perform

SLOW = 3.0
"""Seconds within which 95 of 100 moves are answered while nothing dies."""
ABSENT = 60.0
"""Seconds after which every reader is there again, whatever died."""
HEAVY = 4000.0
"""Megabytes of a replica, as its unit allows."""
HEAD = (
    "what happens",
    "s",
    "moves",
    "median, s",
    "p95, s",
    "p95 of each replica, s",
    "connections cut",
    "longest absence, s",
    "browser answers after, s",
)


@dataclass
class Phase:
    """A part of the run; times are of `time.monotonic`."""

    name: str
    begun: float
    ended: float = math.inf
    note: str = ""
    window: float | None = None
    """Seconds until the page in the real browser answered, when all parts were there again."""


def row(phase: Phase, people: Sequence[Person], ports: Sequence[int]) -> dict[str, Any]:
    """Readers' experience in a phase, as a row; `ports` are the replicas in their order."""

    def within(begun: float) -> bool:
        return phase.begun <= begun < phase.ended

    all_ = [move for one in people for move in one.moves if within(move[0])]
    moves = [took for _begun, took, _port in all_]
    by_replica = [[took for _begun, took, port in all_ if port == one] for one in ports]
    away = [took for one in people for begun, took in one.absences if within(begun)]
    return {
        "phase": phase.name,
        "note": phase.note,
        "seconds": phase.ended - phase.begun,
        "moves": len(moves),
        "median": statistics.median(moves) if moves else None,
        "p95": p95(moves),
        "p95 by replica": [p95(some) for some in by_replica],
        "cut": len(away),
        "longest absence": max(away, default=0.0),
        "window": phase.window,
    }


def p95(seconds: Sequence[float]) -> float | None:
    """The time within which 95 of 100 are done."""
    return float(np.quantile(seconds, 0.95)) if seconds else None


def judged(ordered: Collection[int], lab: Lab) -> dict[str, Any]:
    """Whether every job that was ordered was done, once, with the result of an undisturbed one."""
    jobs = lab.jobs()
    done = [job for job in jobs if job.state == "done"]
    right = {job.id for job in done if rows_of(lab, job.id) == undisturbed(job.payload)}
    there = {job.id for job in jobs}
    return {
        "ordered": len(set(ordered)),
        "not ordered and there": len(there - set(ordered)),
        "done": len(done),
        "lost": sorted(set(ordered) - there),
        "wrong": sorted(there - right),
        "begun again": sum(job.attempts - 1 for job in jobs),
    }


def rows_of(lab: Lab, job: int) -> list[dict[str, Any]]:
    """A job's rows as its work gave them."""
    return [{key: row[key] for key in row if key != "job"} for row in lab.results(job=job)]


def undisturbed(payload: dict[str, Any]) -> list[dict[str, Any]]:
    """The same job done here, in one go; as the database gives it back."""
    torch.set_num_threads(1)
    with tempfile.TemporaryDirectory() as folder:
        done = perform("train", payload, Path(folder), lambda *_: None, lambda: False)
    return json.loads(json.dumps(plain(done)))  # type: ignore[no-any-return]


def _cells(one: dict[str, Any]) -> list[str]:
    note = f" ({one['note']})" if one["note"] else ""
    return [
        f"{one['phase']}{note}",
        f"{one['seconds']:.0f}",
        f"{one['moves']}",
        _seconds(one["median"], 2),
        _seconds(one["p95"], 2),
        ", ".join(_seconds(p95, 2) or "–" for p95 in one["p95 by replica"]),
        f"{one['cut']}",
        f"{one['longest absence']:.1f}",
        _seconds(one["window"], 1),
    ]


def _seconds(taken: float | None, digits: int) -> str:
    return "" if taken is None else f"{taken:.{digits}f}"


def table(found: dict[str, Any]) -> str:
    plan, jobs = found["plan"], found["jobs"]
    lines = [
        f"{plan['readers']} readers, a move every {plan['pause']:g} s each; {plan['replicas']} "
        f"replicas; {plan['jobs']} jobs in the queue at a time. Parts: {', '.join(found['parts'])}"
        + ("" if "nginx" in found["parts"] else "; no nginx here: readers choose their replica")
        + ("" if "PostgreSQL" in found["parts"] else "; no PostgreSQL here: a SQLite file")
        + ".",
        "",
        markdown(HEAD, map(_cells, found["phases"])),
    ]
    empty, full = found["memory"]["empty"], found["memory"]["full"]
    each = (sum(full) - sum(empty)) / plan["readers"]
    lines += [
        "",
        f"Pages that came back in another state than their address says: {len(found['wrong'])}. "
        f"Readers who never moved: {len(found['silent'])}.",
        f"Jobs: {jobs['ordered']} ordered, {jobs['done']} done, {len(jobs['lost'])} lost, "
        f"{len(jobs['wrong'])} with another result than an undisturbed run or failed; "
        f"{jobs['begun again']} times a job was begun again.",
        f"A replica takes {statistics.median(empty):.0f} MB without readers and "
        f"{statistics.median(full):.0f} MB with its share of them: {each:.1f} MB for each reader, "
        "what the screens keep for everybody included.",
        f"Ended by themselves and started again: {', '.join(found['restarts']) or 'none'}. "
        f"Load at the end: {found['load']:.1f}.",
    ]
    return "\n".join(lines)


def faults(found: dict[str, Any]) -> list[str]:
    """Faults in the results; [] where all is well."""
    jobs = found["jobs"]
    told = [f"a page came back wrong: {text}" for text in found["wrong"]]
    told += [f"reader {number} never moved" for number in found["silent"]]
    told += [f"job {number} is lost" for number in jobs["lost"]]
    told += [f"job {number} has another result, or failed" for number in jobs["wrong"]]
    if jobs["not ordered and there"]:
        told.append(f"{jobs['not ordered and there']} jobs that nobody ordered")
    for phase in found["phases"]:
        if phase["phase"].startswith("quiet") and (phase["p95"] or math.inf) > SLOW:
            told.append(
                f"{phase['phase']}: 95 of 100 moves took up to {phase['p95'] or math.inf:.1f} s"
            )
        if phase["longest absence"] > ABSENT:
            told.append(f"{phase['phase']}: a reader was away for {phase['longest absence']:.0f} s")
    told += [f"a replica has {heavy:.0f} MB" for heavy in found["memory"]["full"] if heavy > HEAVY]
    return told
