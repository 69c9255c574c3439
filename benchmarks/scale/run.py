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
import os
import sys
import tempfile
import threading
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager, nullcontext, suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from benchmarks.moves import megabytes
from benchmarks.report import keep
from benchmarks.scale import machine
from benchmarks.scale.crowd import Crowd, files_of
from benchmarks.scale.judging import Phase, faults, judged, row, table
from benchmarks.scale.machine import ROOT, Machine, free_port, until
from benchmarks.scale.window import Window, window
from lab.queue.jobs import Lab
from lab.queue.limits import Limits
from lab.queue.records import UNFINISHED
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


def replicas_memory(here: Site) -> list[float]:
    programs = here.machine.programs
    replicas = [programs[name].process for name in here.parts if name.startswith("replica")]
    return [megabytes(process.pid) for process in replicas if process is not None]


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
            "plan": vars(plan),
            "phases": [row(phase, crowd.people, here.ports) for phase in here.phases],
            "load": os.getloadavg()[0],
            "wrong": [text for one in crowd.people for text in one.seen.wrong] + here.wrong,
            "silent": [person.number for person in crowd.people if not person.seen.moves],
            "memory": {"empty": before, "full": full},
            "restarts": here.machine.restarts,
            "jobs": judged(here.ordered, lab, toys=not plan.updates),
        }


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
