"""The lab's jobs as screens and the terminal see them: submit, follow, pause, resume, cancel.

    lab = Lab()                                   # settings from the environment
    number = lab.submit("train", {"spec": recall_spec("rope").to_dict()})
    lab.ensure_worker()                           # a process of its own does the work
    lab.job(number).state                         # queued, running, paused, cancelled, failed, done
    lab.metrics(number)                           # {"loss": ([updates], [values]), ...}
    lab.results(job=number)                       # rows, once it is done

Everything is in the runs database, so it outlives the page, the server and the worker.
"""

import os
import shutil
import subprocess
import sys
import uuid
from collections.abc import Mapping, Sequence
from copy import copy
from dataclasses import dataclass, fields
from pathlib import Path
from typing import Any, Self

from sqlalchemy import Connection, Engine, Row, delete, func, insert, select, update

from lab import logs
from lab.queue import leases, texts
from lab.queue.access import OPERATOR, Visitor, check_rate, note
from lab.queue.database import (
    alone,
    answering,
    check,
    connect,
    is_ghost,
    jobs,
    metrics,
    now,
    reading,
    results,
    writing,
)
from lab.queue.keeping import tidy_now_and_then
from lab.queue.limits import Cost
from lab.queue.settings import LabSettings
from posenc.words import Sentence, say

STATES = {
    "queued": say("queued"),
    "running": say("running"),
    "paused": say("paused"),
    "cancelled": say("cancelled"),
    "failed": say("failed"),
    "done": say("done"),
}
"""Names of a job's states as readers see them, by id."""
UNFINISHED = ("queued", "running", "paused")
SHOWN = 200
"""Ended jobs that a screen lists at most."""
PATIENCE = 8.0
"""Seconds that who asks waits for a SQLite file in which somebody else writes."""
LAST = 2**31 - 1
"""The largest number of a job that both kinds of database hold."""
IDLE = 60.0
"""Seconds without work after which a worker that was started here ends."""


@dataclass(frozen=True)
class Job:
    """A job as it was when it was asked for; times in seconds since 1970."""

    id: int
    kind: str
    payload: dict[str, Any]
    state: str
    wanted: str | None
    """The state that a running job was asked to take and has not taken yet."""
    done: int
    """How far it is, out of `total`: updates made and units measured."""
    total: int
    values: dict[str, Any]
    worker: str | None
    """Machine and process that do it."""
    attempts: int
    seconds: float
    """Running time, all attempts together."""
    created: float
    started: float | None
    finished: float | None
    error: str | None
    owner: str
    """Who ordered it; "" is the operator."""

    @property
    def remaining(self) -> float | None:
        """Estimate of the seconds of running that are left, from the pace so far."""
        if not self.done:
            return None
        return self.seconds * (self.total - self.done) / self.done

    @property
    def ended(self) -> bool:
        """Whether nothing more happens unless somebody resumes it."""
        return self.state in leases.ENDED


_started: list[subprocess.Popen[bytes]] = []  # kept to collect their exit status

_ORDERED = (jobs.c.id, jobs.c.kind, jobs.c.payload, jobs.c.owner, jobs.c.origin, jobs.c.state)
_COLUMNS = [jobs.c[field.name] for field in fields(Job)]


class Lab:
    """The jobs of one runs database, as one visitor may look at them and steer them.

    Args:
        settings: Of the lab; from the environment if None.
        who: Who asks; every action is checked against it, counted and written down.

    Raises:
        ValueError: If the settings or the database's address are not what they must be, or the
            database does not answer.
    """

    def __init__(self, settings: LabSettings | None = None, who: Visitor = OPERATOR) -> None:
        self.settings = settings or LabSettings.from_environment()
        self.who = who
        with answering():
            self.engine: Engine = connect(self.settings.database, PATIENCE)

    def seen_by(self, who: Visitor) -> "Lab":
        """The same lab, asked by somebody else."""
        lab = copy(self)
        lab.who = who
        return lab

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def lost(self) -> bool:
        """Whether the database's file is no longer the one that was opened.

        Raises:
            Unavailable: If the database does not answer.
        """
        with answering(), reading(self.engine) as connection:
            connection.execute(select(1))
            return is_ghost(connection)

    def check(self) -> None:
        """Find out whether jobs can be ordered: every table is there, and a line can be written.

        Raises:
            Unavailable: If not.
        """
        with answering():
            check(self.engine)

    def close(self) -> None:
        """Close the connections to the database."""
        self.engine.dispose()

    def submit(self, kind: str, payload: Mapping[str, Any], *, sure: bool = False) -> int:
        """Put a job into the queue; its number.

        An equal job of the same visitor that waits, runs or is paused is the same job: its number
        is returned.

        Args:
            kind: See `lab.queue.work.orders`.
            payload: What it needs.
            sure: Whether whoever asks was told that it passes the limits of one job; counts for
                who is trusted alone.

        Raises:
            ValueError: If the payload is not valid or a limit is passed, in a sentence.
        """
        if not self.who.may_order:
            raise ValueError(self.who.refusal)
        complete, cost = self._prepare(kind, payload)
        limits = self.settings.limits
        if not (sure and self.who.trusted):
            limits.check_cost(cost)
        self.settings.home.mkdir(parents=True, exist_ok=True)
        with answering():
            tidy_now_and_then(self.engine, self.settings)
        limits.check_disk(self.settings.home, cost.disk)
        with answering(), writing(self.engine) as connection:
            alone(connection)
            texts.check_whose(connection, self.who, complete)
            waiting = connection.execute(
                select(*_ORDERED).where(jobs.c.state.in_(UNFINISHED))
            ).all()
            who = self.who
            for row in waiting:
                same = (row.kind, row.payload) == (kind, complete)
                if same and (who.trusted or row.owner == who.owner):
                    return row.id
            self._check_room(waiting)
            check_rate(connection, who, limits)
            new = {"kind": kind, "payload": complete, "operations": cost.operations}
            new |= {"state": "queued", "created": now(), "owner": who.owner, "origin": who.origin}
            new["request"] = logs.known("request")
            number = connection.scalar(insert(jobs).values(**new).returning(jobs.c.id))
            note(connection, who, "order", number)
            return int(number)

    def _check_room(self, others: Sequence[Row[Any]]) -> None:
        """Refuse one more unfinished job beside these."""
        who = self.who
        limits = self.settings.limits
        unfinished = sum(row.state != "paused" for row in others)
        limits.check_queue(unfinished)
        if not who.trusted:
            mine = sum(row.owner == who.owner for row in others)
            neighbours = sum(bool(who.origin) and row.origin == who.origin for row in others)
            limits.check_mine(mine, neighbours, unfinished)

    def cost(self, kind: str, payload: Mapping[str, Any]) -> Cost:
        """Estimated cost of a job; nothing is put into the queue.

        Raises:
            ValueError: If the payload is not valid, in a sentence.
        """
        return self._prepare(kind, payload)[1]

    def _prepare(self, kind: str, payload: Mapping[str, Any]) -> tuple[dict[str, Any], Cost]:
        complete, cost = self.settings.orders().prepare(kind, payload, self.settings.home)
        return complete, cost

    def pace(self) -> float | None:
        """Operations per second of the jobs done so far, the last 20; None where none is.

        A cost's operations, divided by it, are the seconds that a job will take here.
        """
        asked = select(func.sum(jobs.c.operations), func.sum(jobs.c.seconds)).where(
            jobs.c.id.in_(
                select(jobs.c.id)
                .where(jobs.c.state == "done", jobs.c.seconds > 0, jobs.c.operations > 0)
                .order_by(jobs.c.id.desc())
                .limit(20)
            )
        )
        with answering(), reading(self.engine) as connection:
            operations, seconds = connection.execute(asked).one()
        return operations / seconds if seconds else None

    def add_corpus(self, content: bytes) -> str:
        """Keep a text to train on in the lab's folder; its path, as `RunSpec.corpus` takes it.

        Raises:
            ValueError: If nothing may be added or there is no room for it, in a sentence.
        """
        if not self.who.may_order:
            raise ValueError(self.who.refusal)
        with answering():
            return texts.add(self.engine, self.settings, self.who, content)

    def texts(self) -> list[texts.Text]:
        """The texts that were added by who asks, those longest unused first."""
        with answering():
            return texts.kept(self.engine, self.who)

    def remove_text(self, name: str) -> None:
        """Forget a text of one's own.

        Raises:
            ValueError: If there is none of this name, or a job that is not over needs it.
        """
        with answering():
            texts.remove(self.engine, self.settings, self.who, name)

    def jobs(self, *states: str, most: int | None = None) -> list[Job]:
        """The jobs in these states, or all, the newest first; at most so many."""
        asked = select(*_COLUMNS).order_by(jobs.c.id.desc()).limit(most)
        if states:
            asked = asked.where(jobs.c.state.in_(states))
        with answering(), reading(self.engine) as connection:
            return [Job(*row) for row in connection.execute(asked)]

    def shown(self) -> list[Job]:
        """Every job that is not over, and the newest of the others, the newest first."""
        live = self.jobs(*UNFINISHED)
        newest = self.jobs(most=SHOWN)
        return sorted({job.id: job for job in live + newest}.values(), key=lambda job: -job.id)

    def job(self, number: int) -> Job:
        """One job.

        Raises:
            ValueError: If there is none of this number.
        """
        asked = select(*_COLUMNS).where(jobs.c.id == _known(number))
        with answering(), reading(self.engine) as connection:
            row = connection.execute(asked).one_or_none()
        if row is None:
            raise ValueError(say("There is no job {number}.", number=number))
        return Job(*row)

    def counts(self) -> tuple[dict[str, int], float]:
        """How many jobs are in each state, and for how many seconds the oldest has waited."""
        asked = select(jobs.c.state, func.count()).group_by(jobs.c.state)
        oldest = select(now() - func.min(jobs.c.created)).where(jobs.c.state == "queued")
        with answering(), reading(self.engine) as connection:
            counts = {state: count for state, count in connection.execute(asked)}
            return counts, connection.scalar(oldest) or 0.0

    def is_supervised(self) -> bool:
        """Whether a process starts the jobs that wait; where none waits, none is needed."""
        with answering():
            return leases.supervised(self.engine, self.settings.silence)

    def metrics(self, number: int) -> dict[str, tuple[list[int], list[float | None]]]:
        """A job's reported values so far: for each name, how far the job was and the values.

        None stands for a value that is not a finite number.

        Raises:
            ValueError: If no job can have this number.
        """
        asked = select(metrics.c.name, metrics.c.done, metrics.c.value)
        asked = asked.where(metrics.c.job == _known(number)).order_by(
            metrics.c.name, metrics.c.done
        )
        curves: dict[str, tuple[list[int], list[float | None]]] = {}
        with answering(), reading(self.engine) as connection:
            for name, done, value in connection.execute(asked):
                places, values = curves.setdefault(name, ([], []))
                places.append(done)
                values.append(value)
        return curves

    def results(self, job: int | None = None) -> list[dict[str, Any]]:
        """Rows of the jobs that are done, each with its `job`; of one job or of all.

        Raises:
            ValueError: If no job can have this number.
        """
        asked = select(results.c.job, results.c.row).order_by(results.c.job, results.c.number)
        if job is not None:
            asked = asked.where(results.c.job == _known(job))
        with answering(), reading(self.engine) as connection:
            return [{**row, "job": number} for number, row in connection.execute(asked)]

    def pause(self, number: int) -> None:
        """Let a job wait; one that runs saves first.

        Raises:
            ValueError: If it neither waits nor runs.
        """
        self._ask("pause", number, say("paused"), "paused", "queued")

    def cancel(self, number: int) -> None:
        """End a job without a result.

        Raises:
            ValueError: If it has ended already.
        """
        self._ask("cancel", number, say("cancelled"), "cancelled", "queued", "paused")

    def resume(self, number: int) -> None:
        """Put a paused or failed job back into the queue; it goes on from its last checkpoint.

        Raises:
            ValueError: If it is neither, or there is no room for one more.
        """
        self._ask("resume", number, say("resumed"), "queued", "paused", "failed")

    def _ask(
        self, action: str, number: int, asked: Sentence, state: str | None, *from_states: str
    ) -> None:
        """Move a job to a state at once, or ask the worker to where it runs."""
        ended = now() if state in leases.ENDED else None
        fresh = {"state": state, "error": None, "deaths": 0, "finished": ended, "changed": now()}
        this = jobs.c.id == _known(number)
        with answering(), writing(self.engine) as connection:
            self._check_steering(connection, action, number)
            if state == "queued" and not self.who.trusted:
                alone(connection)
                others = jobs.c.state.in_(UNFINISHED) & ~this
                self._check_room(connection.execute(select(*_ORDERED).where(others)).all())
            waits = update(jobs).where(this, jobs.c.state.in_(from_states))
            if connection.execute(waits.values(**fresh)).rowcount:
                return
            # Who cancels and then changes their mind has cancelled.
            runs = update(jobs).where(
                this, jobs.c.state == "running", func.coalesce(jobs.c.wanted, "") != "cancelled"
            )
            # To go on with a job that is about to pause is to ask for nothing.
            if state == "queued":
                runs = runs.where(jobs.c.wanted == "paused")
                state = None
            if connection.execute(runs.values(wanted=state, changed=now())).rowcount:
                return
        now_is = STATES[self.job(number).state]
        raise ValueError(
            say(
                "Job {number} is {state} and cannot be {asked}.",
                number=number,
                state=now_is,
                asked=asked,
            )
        )

    def _check_steering(self, connection: Connection, action: str, number: int) -> None:
        """Refuse whose job it is not and who has done too much, and write down the others."""
        owner = connection.scalar(select(jobs.c.owner).where(jobs.c.id == number))
        if owner is None:
            raise ValueError(say("There is no job {number}.", number=number))
        if not self.who.may_order:
            raise ValueError(self.who.refusal)
        if not self.who.may_steer(owner):
            raise ValueError(
                say(
                    "Job {number} was ordered by somebody else, who alone may change it.",
                    number=number,
                )
            )
        check_rate(connection, self.who, self.settings.limits)
        note(connection, self.who, action, number)

    def remove(self, number: int) -> None:
        """Forget a job that does not run, with its rows and its folder.

        Raises:
            ValueError: If it runs, does not exist or is somebody else's.
        """
        gone = delete(jobs).where(jobs.c.id == _known(number), jobs.c.state != "running")
        with answering(), writing(self.engine) as connection:
            self._check_steering(connection, "remove", number)
            removed = connection.execute(gone).rowcount
        if not removed:
            state = STATES[self.job(number).state]
            raise ValueError(
                say(
                    "Job {number} is {state}; cancel it before it is removed.",
                    number=number,
                    state=state,
                )
            )
        shutil.rmtree(self.settings.folder(number), ignore_errors=True)

    def ensure_worker(self) -> bool:
        """Start a worker process where jobs wait and none is there; whether one was started.

        Cheap enough to be called at every refresh of a page. The process outlives this one.
        """
        silence = self.settings.silence
        holder = uuid.uuid4().hex
        with answering():
            if not leases.unfinished(self.engine) or leases.supervised(self.engine, silence):
                return False
            # Whoever gets the lease starts the process, which goes on under the same name: so two
            # pages that ask at the same moment start one.
            if not leases.hold(self.engine, holder, silence):
                return False
        self.settings.home.mkdir(parents=True, exist_ok=True)
        with (self.settings.home / "worker.log").open("ab") as log:
            process = subprocess.Popen(
                [sys.executable, "-m", "lab", "worker", "--idle", str(IDLE), "--holder", holder],
                cwd=Path(__file__).resolve().parent.parent.parent,
                env={**os.environ, **self.settings.variables()},
                stdin=subprocess.DEVNULL,
                stdout=log,
                stderr=log,
                start_new_session=True,
            )
        _started[:] = [*(old for old in _started if old.poll() is None), process]
        return True


def _known(number: object) -> int:
    """A number that a job can have: no database is asked for another one."""
    if isinstance(number, int) and not isinstance(number, bool) and 0 < number <= LAST:
        return number
    raise ValueError(say("A job's number is a whole number from 1 to {last:,}.", last=LAST))
