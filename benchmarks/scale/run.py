"""The app on several machines, tried on one: `python -m benchmarks.scale.run` (`make scale`).

nginx, three replicas, PostgreSQL, a Dask scheduler with two workers and the supervisor run as
`deploy/` starts them, of an older release: the last tag, or else the commit before. Readers of
several networks move controls over websockets and jobs are trained. Then one part after another is
killed, stays away for some seconds and is started again; at last the replicas are exchanged one by
one for today's, while first pages and their scripts are asked for. The table says how long readers
were away, in which state their pages came back, what a move took, and whether a job was lost or
done twice. Where nginx or PostgreSQL is not installed, readers choose replicas themselves and the
jobs stand in a SQLite file; the first line says so.
"""

import argparse
import json
import math
import os
import re
import statistics
import sys
import tempfile
import threading
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager, nullcontext, suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from benchmarks.report import keep
from benchmarks.scale import machine
from benchmarks.scale.crowd import Crowd, Person, files_of
from benchmarks.scale.machine import ROOT, Machine, Program, free_port, until
from benchmarks.scale.window import Window, window
from lab.queue.database import plain
from lab.queue.jobs import UNFINISHED, Lab
from lab.queue.limits import Limits
from lab.queue.settings import LabSettings
from lab.spec import counting_spec


@dataclass
class Plan:
    readers: int = 30
    jobs: int = 5
    """That wait or run at any time, until the last part has been killed."""
    pause: float = 5.0
    """Seconds between two moves of one reader."""
    replicas: int = 3
    workers: int = 2
    """Of the cluster."""
    quiet: float = 20.0
    """Seconds before the first part is killed, and after the last is back."""
    away: float = 5.0
    """Seconds that a killed part stays away."""
    settle: float = 15.0
    """Seconds between a part's return and the next death."""
    updates: int = 150
    """Of each training; 0: toys of the tests, which take time and no computing."""
    victims: Sequence[str] = (
        "the fullest replica",
        "worker 1",
        "scheduler",
        "supervisor",
        "PostgreSQL",
        "nginx",
    )
    silence: float = 4.0
    """POSENC_LAB_LEASE of the run."""
    upgrade: bool = True
    older: str = ""
    """The commit of the release that is exchanged; without one, today's is exchanged for itself."""
    window: bool = True
    """Whether a real browser is among the readers."""


SLOW = 3.0
"""Seconds within which 95 of 100 moves are answered while nothing dies."""
ABSENT = 60.0
"""Seconds after which every reader is there again, whatever died."""
HEAVY = 4000.0
"""Megabytes of a replica, as its unit allows."""


@dataclass
class Phase:
    """A part of the run; times are of `time.monotonic`."""

    name: str
    begun: float
    ended: float = math.inf
    note: str = ""
    window: float | None = None
    """Seconds until the page in the real browser answered, when all parts were there again."""


@dataclass
class Site:
    plan: Plan
    machine: Machine
    settings: LabSettings
    environment: Mapping[str, str]
    doors: Sequence[str]
    ports: Sequence[int]
    """Of the replicas."""
    parts: Sequence[str]
    phases: list[Phase] = field(default_factory=list)
    ordered: list[int] = field(default_factory=list)
    wrong: list[str] = field(default_factory=list)
    """Faults in the real browser, and with files."""
    ordering: threading.Event = field(default_factory=threading.Event)

    @contextmanager
    def phase(self, name: str) -> Iterator[Phase]:
        told = Phase(name, time.monotonic())
        self.phases.append(told)
        say(name)
        yield told
        told.ended = time.monotonic()


def say(text: str) -> None:
    print(time.strftime("%H:%M:%S"), text, file=sys.stderr, flush=True)


@contextmanager
def site(plan: Plan, log: Path) -> Iterator[Site]:
    """Start all parts, each once what it needs is there; their logs go into a folder."""
    with ExitStack() as stack:
        folder = Path(stack.enter_context(tempfile.TemporaryDirectory(prefix="scale")))
        folder.chmod(0o755)
        ours = Machine(machine.older(plan.older, folder / "older") if plan.older else ROOT)
        stack.callback(ours.close)
        log.mkdir(parents=True, exist_ok=True)
        for old in log.glob("*.log"):
            old.unlink()
        store = machine.database(folder / "pg", log)
        ports = [free_port() for _ in range(plan.replicas)]
        dask = free_port()
        limits = Limits(deaths=1000, queue=10 * plan.jobs, ended=100_000)
        settings = LabSettings(
            home=folder / "lab",
            database=store[1] if store else f"sqlite:///{folder}/lab/runs.sqlite",
            cluster=f"tcp://127.0.0.1:{dask}",
            silence=plan.silence,
            limits=limits,
            work="orders" if plan.updates else "toy",
        )
        settings.home.mkdir()
        environment = settings.variables() | {"POSENC_LAB": "own", "POSENC_SECRET": "scale" * 8}
        # Replicas take longest, and need nothing of the others to start.
        for number, port in enumerate(ports, 1):
            ours.start(machine.replica(number, port, log, environment))
        ours.start(machine.scheduler(dask, log, environment))
        if store:
            ours.run(store[0])
        if plan.upgrade:  # else whoever comes first makes the tables
            machine.make_tables(ours.release, environment)
        ours.wait("scheduler")
        for number in range(1, plan.workers + 1):
            ours.start(machine.dask_worker(number, dask, log, environment))
        ours.start(machine.supervisor(log, environment))
        front = machine.proxy(folder / "nginx", ports, log)
        doors = [front[1]] if front else [f"http://127.0.0.1:{port}" for port in ports]
        if front:
            ours.start(front[0])
        for name in ours.programs:
            ours.wait(name)
        yield Site(plan, ours, settings, environment, doors, ports, [*ours.programs])


def order(here: Site, lab: Lab) -> None:
    """Keep so many jobs in the queue until nobody asks for more."""
    payloads = jobs_of(here.plan)
    while not here.ordering.wait(0.5):
        with suppress(ValueError):  # the database is away
            if len(lab.jobs(*UNFINISHED)) < here.plan.jobs:
                kind, payload = next(payloads)
                here.ordered.append(lab.submit(kind, payload))


def jobs_of(plan: Plan) -> Iterator[tuple[str, dict[str, Any]]]:
    """Jobs without end, none like another."""
    for seed in range(10**6):
        if plan.updates:
            spec = counting_spec("rope", seed).changed(updates=plan.updates)
            yield "train", {"spec": spec.to_dict()}
        else:
            yield "toy", {"steps": 100 + seed, "pause": 0.03}


def die(here: Site, crowd: Crowd, name: str, page: Window | None) -> None:
    """Kill a part, keep it away, start it again, and wait until everybody is back."""
    if name == "the fullest replica":
        readers = [machine.sessions(port) for port in here.ports]
        name = f"replica {1 + readers.index(max(readers))}"
    part = here.machine.programs[name]
    with here.phase(f"{name} is killed") as phase:
        part.kill()
        time.sleep(here.plan.away)
        part.start()
        here.machine.wait(name)
        come_back(here, crowd, page, phase)
        phase.note = f"away for {here.plan.away:g} s"


def come_back(here: Site, crowd: Crowd, page: Window | None, phase: Phase) -> None:
    """Wait until everybody is there again, the real browser too."""
    until(lambda: not crowd.away(), "all readers are back")
    if page is not None:
        try:
            phase.window = page.answers()
        except ValueError as error:
            here.wrong.append(f"{error} ({phase.name})")
    time.sleep(here.plan.settle)


def exchange(here: Site, crowd: Crowd, page: Window | None) -> None:
    """Exchange replicas as an upgrade does: the next one when the last is ready; then the lab."""
    ours = here.machine
    ours.release = ROOT
    with here.phase("replicas are exchanged") as phase, looked_at(here):
        machine.make_tables(ROOT, here.environment)
        lab = [name for name in here.parts if name.startswith(("scheduler", "worker", "superv"))]
        for name in [*(f"replica {number}" for number in range(1, here.plan.replicas + 1)), *lab]:
            part = ours.programs[name]
            part.stop()
            ours.run(part)
        come_back(here, crowd, page, phase)
        phase.note = f"{here.plan.older or 'the same release'} for today's"


@contextmanager
def looked_at(here: Site) -> Iterator[None]:
    """Ask for first pages and their scripts meanwhile, and note what a browser may not be given."""
    over = threading.Event()

    def look() -> None:
        turn = 0
        while not over.wait(0.2):
            door, other = (here.doors[(turn + more) % len(here.doors)] for more in range(2))
            here.wrong.extend(files_of(door, other))
            turn += 1

    looking = threading.Thread(target=look, daemon=True)
    looking.start()
    try:
        yield
    finally:
        over.set()
        looking.join(machine.PATIENCE)


def memory(program: Program) -> float:
    assert program.process is not None
    status = Path(f"/proc/{program.process.pid}/status").read_text()
    (kilobytes,) = re.findall(r"^VmRSS:\s*(\d+) kB", status, re.MULTILINE)
    return int(kilobytes) / 1000


def replicas_memory(here: Site) -> list[float]:
    names = [name for name in here.parts if name.startswith("replica")]
    return [memory(here.machine.programs[name]) for name in names]


def run(plan: Plan, log: Path) -> dict[str, Any]:
    """The whole play; what was seen. Logs of the parts go into a folder."""
    with (
        site(plan, log) as here,
        Lab(here.settings) as lab,
        window(here.doors[0]) if plan.window else nullcontext() as page,
    ):
        say(f"started: {', '.join(here.parts)}; doors: {', '.join(here.doors)}")
        before = replicas_memory(here)
        crowd = Crowd(plan.readers, here.doors, plan.pause)
        orders = threading.Thread(target=order, args=(here, lab), daemon=True)
        with here.phase("readers come"):
            crowd.come()
            until(lambda: not crowd.away(), "all first pages stand")
        orders.start()
        until(lambda: lab.jobs("running"), "a job runs")
        with here.phase("quiet"):
            time.sleep(plan.quiet)
        full = replicas_memory(here)
        for name in plan.victims:
            if name in (*here.parts, "the fullest replica"):
                die(here, crowd, name, page)
        if plan.upgrade:
            exchange(here, crowd, page)
        with here.phase("quiet again"):
            time.sleep(plan.quiet)
        here.ordering.set()
        orders.join()
        crowd.leave()
        say("the queue is emptied")
        until(lambda: not lab.jobs(*UNFINISHED), "all jobs have ended")
        return {
            "parts": here.parts,
            "plan": {key: value for key, value in vars(plan).items()},
            "phases": [row(phase, crowd.people, here.ports) for phase in here.phases],
            "load": os.getloadavg()[0],
            "wrong": [text for one in crowd.people for text in one.seen.wrong] + here.wrong,
            "silent": [person.number for person in crowd.people if not person.seen.moves],
            "memory": {"empty": before, "full": full},
            "restarts": here.machine.restarts,
            "jobs": judged(here, lab),
        }


def row(phase: Phase, people: Sequence[Person], ports: Sequence[int]) -> dict[str, Any]:
    """Readers' experience in a phase, as a row; `ports` are the replicas in their order."""

    def within(begun: float) -> bool:
        return phase.begun <= begun < phase.ended

    all_ = [move for one in people for move in one.seen.moves if within(move[0])]
    moves = [took for _begun, took, _port in all_]
    by_replica = [[took for _begun, took, port in all_ if port == one] for one in ports]
    away = [took for one in people for begun, took in one.seen.absences if within(begun)]
    return {
        "phase": phase.name,
        "note": phase.note,
        "seconds": phase.ended - phase.begun,
        "moves": len(moves),
        "median": statistics.median(moves) if moves else None,
        "p95": share(moves, 0.95) if moves else None,
        "p95 by replica": [share(some, 0.95) if some else None for some in by_replica],
        "moves by replica": [len(some) for some in by_replica],
        "cut": len(away),
        "longest absence": max(away, default=0.0),
        "window": phase.window,
    }


def share(values: Sequence[float], part: float) -> float:
    """The value that this part of them does not pass."""
    ordered = sorted(values)
    return ordered[min(len(ordered) - 1, math.ceil(part * len(ordered)) - 1)]


def judged(here: Site, lab: Lab) -> dict[str, Any]:
    """Whether every job that was ordered was done, once, with the result of an undisturbed one."""
    done = {job.id: job for job in lab.jobs()}
    lost = sorted(set(here.ordered) - set(done))
    rows = {number: lab.results(job=number) for number in done}
    wrong = [
        job.id
        for job in done.values()
        if job.state != "done" or not right(job.payload, rows[job.id], here.plan)
    ]
    return {
        "ordered": len(set(here.ordered)),
        "not ordered and there": len(set(done) - set(here.ordered)),
        "done": sum(job.state == "done" for job in done.values()),
        "lost": lost,
        "wrong": wrong,
        "begun again": sum(job.attempts - 1 for job in done.values()),
    }


def right(payload: dict[str, Any], rows: Sequence[dict[str, Any]], plan: Plan) -> bool:
    """Whether the rows are those of a run that nobody disturbed, each of them once."""
    told = [{key: value for key, value in row.items() if key != "job"} for row in rows]
    expected = undisturbed(payload, plan)
    # A toy's second row is about the machine.
    return told == expected if plan.updates else len(told) == 2 and told[:1] == expected[:1]


def undisturbed(payload: dict[str, Any], plan: Plan) -> list[dict[str, Any]]:
    """The same job done here, in one go; as the database gives it back."""
    if not plan.updates:
        from lab.queue.work import toy

        perform, kind = toy.perform, "toy"
        payload = {**payload, "pause": 0}
    else:
        import torch

        from lab.queue.perform import perform

        kind = "train"
        torch.set_num_threads(1)
    with tempfile.TemporaryDirectory() as folder:
        done = perform(kind, payload, Path(folder), lambda *_: None, lambda: False)
    return json.loads(json.dumps(plain(done)))  # type: ignore[no-any-return]


def table(found: dict[str, Any]) -> str:
    plan, jobs = found["plan"], found["jobs"]
    lines = [
        f"{plan['readers']} readers, a move every {plan['pause']:g} s each; {plan['replicas']} "
        f"replicas; {plan['jobs']} jobs in the queue at a time. Parts: {', '.join(found['parts'])}"
        + ("" if "nginx" in found["parts"] else "; no nginx here: readers choose their replica")
        + ("" if "PostgreSQL" in found["parts"] else "; no PostgreSQL here: a SQLite file")
        + ".",
        "",
        "| what happens | s | moves | median, s | p95, s | p95 of each replica, s | lines cut "
        "| longest absence, s | browser answers after, s |",
        "|" + " --- |" * 9,
    ]
    for one in found["phases"]:
        note = f" ({one['note']})" if one["note"] else ""
        speed = f"{one['median']:.2f} | {one['p95']:.2f}" if one["moves"] else " | "
        each = ", ".join("–" if p95 is None else f"{p95:.2f}" for p95 in one["p95 by replica"])
        lines.append(
            f"| {one['phase']}{note} | {one['seconds']:.0f} | {one['moves']} | {speed} | {each} "
            f"| {one['cut']} | {one['longest absence']:.1f} "
            + ("| |" if one["window"] is None else f"| {one['window']:.1f} |")
        )
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


def main() -> None:
    """Play, print the table, write it to a file; status 1 where something was lost."""
    parser = argparse.ArgumentParser(description=__doc__)
    for name in ("readers", "jobs", "pause", "replicas", "quiet", "away", "settle", "updates"):
        default = getattr(Plan, name)
        parser.add_argument(f"--{name}", type=type(default), default=default)
    parser.add_argument("--out", type=Path, default=ROOT / "build" / "scale.md")
    parser.add_argument("--older", default=machine.release_before(), help="tag or commit")
    options = vars(parser.parse_args())
    out = options.pop("out")
    found = run(Plan(**options), out.parent / "scale-logs")
    keep(out, table(found), found)
    if told := faults(found):
        raise SystemExit("\n".join(told))


if __name__ == "__main__":
    main()
