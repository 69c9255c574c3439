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
import shutil
import sys
import tempfile
import threading
import time
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager, nullcontext, suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from benchmarks.report import keep
from benchmarks.scale import machine
from benchmarks.scale.crowd import Person, files_of
from benchmarks.scale.judging import Phase, faults, judged, row, table
from benchmarks.scale.machine import Machine, until
from benchmarks.scale.window import Window, window
from benchmarks.server import ROOT, free_port, megabytes
from lab.queue.jobs import Lab
from lab.queue.limits import Limits
from lab.queue.records import UNFINISHED
from lab.queue.settings import LabSettings
from lab.spec import counting_spec
from scripts import postgres

FULLEST = "the fullest replica"


@dataclass
class Plan:
    readers: int = 30
    jobs: int = 5
    """That wait or run at any time, until the last part has been killed."""
    pause: float = 5.0
    """Seconds between two moves of one reader."""
    older: str = ""
    """The release that is exchanged for today's, a tag or commit; "": none is."""
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
    """Of each training."""
    victims: Sequence[str] = (
        *(FULLEST, "worker 1", "scheduler"),
        *("supervisor", "PostgreSQL", "nginx"),
    )
    window: bool = True
    """Whether a real browser is among the readers."""


@dataclass
class Site:
    plan: Plan
    machine: Machine
    settings: LabSettings
    addresses: Sequence[str]
    ports: Sequence[int]
    """Of the replicas."""
    people: Sequence[Person]
    phases: list[Phase] = field(default_factory=list)
    ordered: list[int] = field(default_factory=list)
    wrong: list[str] = field(default_factory=list)
    """Faults in the real browser, and with files."""
    page: Window | None = None

    @contextmanager
    def phase(self, name: str) -> Iterator[Phase]:
        told = Phase(name, time.monotonic())
        self.phases.append(told)
        say(name)
        yield told
        told.ended = time.monotonic()

    def all_here(self) -> bool:
        """Whether every reader's page stands."""
        return all(person.here.is_set() for person in self.people)

    def memory(self) -> list[float]:
        """Megabytes of each replica."""
        programs = [self.machine.programs[f"replica {1 + n}"] for n in range(len(self.ports))]
        return [megabytes(one.process.pid) for one in programs if one.process is not None]


def say(text: str) -> None:
    print(time.strftime("%H:%M:%S"), text, file=sys.stderr, flush=True)


@contextmanager
def site(plan: Plan, log: Path) -> Iterator[Site]:
    """Start all parts, each once what it needs is there; their logs go into a folder."""
    with ExitStack() as stack:
        folder = Path(stack.enter_context(tempfile.TemporaryDirectory(prefix="scale")))
        folder.chmod(0o755)
        shutil.rmtree(log, ignore_errors=True)
        log.mkdir(parents=True)
        (folder / "pg").mkdir()
        (folder / "lab").mkdir()
        ports = [free_port() for _ in range(plan.replicas)]
        dask = free_port()
        server = postgres.find()
        settings = LabSettings(
            home=folder / "lab",
            database=postgres.address(folder / "pg")
            if server
            else f"sqlite:///{folder}/lab/runs.sqlite",
            cluster=f"tcp://127.0.0.1:{dask}",
            silence=4.0,
            limits=Limits(deaths=1000, queue=10 * plan.jobs, ended=100_000),
        )
        environment = settings.variables() | {"POSENC_LAB": "own", "POSENC_SECRET": "scale" * 8}
        release = machine.older(plan.older, folder / "older") if plan.older else ROOT
        ours = Machine(release, log, environment)
        stack.callback(ours.close)
        # Replicas take longest, and need nothing of the others to start.
        for number, port in enumerate(ports, 1):
            ours.start_replica(number, port)
        ours.start_scheduler(dask)
        if server:
            ours.start_database(server, folder / "pg")
            ours.wait("PostgreSQL")
        ours.make_tables(release)
        ours.wait("scheduler")
        for number in range(1, plan.workers + 1):
            ours.start_worker(number, dask)
        ours.start_supervisor()
        addresses = [f"http://127.0.0.1:{port}" for port in ports]
        if proxy := machine.nginx():
            addresses = [ours.start_proxy(proxy, folder / "nginx", ports)]
        for name in ours.programs:
            ours.wait(name)
        people = [Person(number, addresses, plan.pause) for number in range(plan.readers)]
        yield Site(plan, ours, settings, addresses, ports, people)


def order(here: Site, lab: Lab, over: threading.Event) -> None:
    """Keep so many jobs in the queue, none like another, until nobody asks for more."""
    while not over.wait(0.5):
        spec = counting_spec("rope", seed=len(here.ordered)).changed(updates=here.plan.updates)
        with suppress(ValueError):  # the database is away
            if len(lab.jobs(*UNFINISHED)) < here.plan.jobs:
                here.ordered.append(lab.submit("train", {"spec": spec.to_dict()}))


def die(here: Site, name: str) -> None:
    """Kill a part, keep it away, start it again, and wait until everybody is back."""
    if name == FULLEST:
        readers = [machine.sessions(port) for port in here.ports]
        name = f"replica {1 + readers.index(max(readers))}"
    part = here.machine.programs[name]
    with here.phase(f"{name} is killed") as phase:
        part.kill()
        time.sleep(here.plan.away)
        part.start()
        here.machine.wait(name)
        come_back(here, phase)
        phase.note = f"away for {here.plan.away:g} s"


def come_back(here: Site, phase: Phase) -> None:
    """Wait until everybody is there again, the real browser too."""
    until(here.all_here, "all readers are back")
    if here.page is not None:
        try:
            phase.window = here.page.answers()
        except ValueError as error:
            here.wrong.append(f"{error} ({phase.name})")
    time.sleep(here.plan.settle)


def exchange(here: Site) -> None:
    """Exchange replicas as an upgrade does: the next one when the last is ready; then the lab."""
    ours = here.machine
    with here.phase("replicas are exchanged") as phase, looked_at(here):
        ours.make_tables(ROOT)
        names = [name for name in ours.programs if name not in ("PostgreSQL", "nginx")]
        for name in names:  # replicas were started first
            part = ours.programs[name]
            part.stop()
            part.release = ROOT
            part.start()
            ours.wait(name)
        come_back(here, phase)
        phase.note = f"{here.plan.older} for today's"


@contextmanager
def looked_at(here: Site) -> Iterator[None]:
    """Ask for first pages and their scripts meanwhile, and note what a browser may not be given."""
    over = threading.Event()

    def look() -> None:
        turn = 0
        while not over.wait(0.2):
            door, other = (here.addresses[(turn + more) % len(here.addresses)] for more in range(2))
            here.wrong.extend(files_of(door, other))
            turn += 1

    looking = threading.Thread(target=look, daemon=True)
    looking.start()
    try:
        yield
    finally:
        over.set()
        looking.join(machine.PATIENCE)


def run(plan: Plan, log: Path) -> dict[str, Any]:
    """The whole play; what was seen. Logs of the parts go into a folder."""
    with (
        site(plan, log) as here,
        Lab(here.settings) as lab,
        window(here.addresses[0]) if plan.window else nullcontext() as here.page,
    ):
        parts = [*here.machine.programs]
        say(f"started: {', '.join(parts)}; addresses: {', '.join(here.addresses)}")
        empty = here.memory()
        over = threading.Event()
        orders = threading.Thread(target=order, args=(here, lab, over), daemon=True)
        with here.phase("readers come"):
            for person in here.people:
                person.start()
                time.sleep(0.1)
            until(here.all_here, "all first pages stand")
        orders.start()
        until(lambda: lab.jobs("running"), "a job runs")
        with here.phase("quiet"):
            time.sleep(plan.quiet)
        full = here.memory()
        for name in plan.victims:
            if name in (*parts, FULLEST):
                die(here, name)
        if plan.older:
            exchange(here)
        with here.phase("quiet again"):
            time.sleep(plan.quiet)
        over.set()
        orders.join()
        for person in here.people:
            person.leave()
        say("the queue is emptied")
        until(lambda: not lab.jobs(*UNFINISHED), "all jobs have ended")
        return {
            "parts": parts,
            "plan": vars(plan),
            "phases": [row(phase, here.people, here.ports) for phase in here.phases],
            "load": os.getloadavg()[0],
            "wrong": [text for one in here.people for text in one.wrong] + here.wrong,
            "silent": [person.number for person in here.people if not person.moves],
            "memory": {"empty": empty, "full": full},
            "restarts": here.machine.restarts,
            "jobs": judged(here.ordered, lab),
        }


def main() -> None:
    """Play, print the table, write it to a file; status 1 where something was lost."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--readers", type=int, default=Plan.readers)
    parser.add_argument("--jobs", type=int, default=Plan.jobs)
    parser.add_argument("--pause", type=float, default=Plan.pause, help="seconds between moves")
    parser.add_argument("--older", default=machine.release_before(), help="tag or commit")
    found = run(Plan(**vars(parser.parse_args())), ROOT / "build" / "scale-logs")
    keep(ROOT / "build" / "scale.md", table(found), found)
    if told := faults(found):
        raise SystemExit("\n".join(told))


if __name__ == "__main__":
    main()
