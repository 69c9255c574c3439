"""The jobs of a runs database as it has them: how far they are, what they reported and found."""

from copy import copy
from dataclasses import dataclass, fields
from typing import Any, Self

from sqlalchemy import Engine, func, select

from lab.queue import database, leases
from lab.queue.access import OPERATOR, Visitor
from lab.queue.database import answering, is_ghost, jobs, metrics, now, reading, results
from lab.queue.settings import LabSettings
from posenc.words import say

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


COLUMNS = [jobs.c[field.name] for field in fields(Job)]


class Records:
    """The jobs of one runs database, as one visitor may look at them.

    Args:
        settings: Of the lab; from the environment if None.
        who: The visitor whose request it is.

    Raises:
        ValueError: If the settings or the database's address are not what they must be, or the
            database does not answer. Every method raises `Unavailable`, a ValueError, then.
    """

    def __init__(self, settings: LabSettings | None = None, who: Visitor = OPERATOR) -> None:
        self.settings = settings or LabSettings.from_environment()
        self.who = who
        with answering():
            self.engine: Engine = database.connect(self.settings.database, PATIENCE)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def seen_by(self, who: Visitor) -> Self:
        """The same, asked by somebody else."""
        same = copy(self)
        same.who = who
        return same

    def close(self) -> None:
        """Close the connections to the database."""
        self.engine.dispose()

    def lost(self) -> bool:
        """Whether the database's file is no longer the one that was opened."""
        with answering(), reading(self.engine) as connection:
            connection.execute(select(1))
            return is_ghost(connection)

    def check(self) -> None:
        """Find out whether jobs can be ordered: every table is there, and a line can be written."""
        with answering():
            database.check(self.engine)

    def jobs(self, *states: str, most: int | None = None) -> list[Job]:
        """The jobs in these states, or all, the newest first; at most so many."""
        query = select(*COLUMNS).order_by(jobs.c.id.desc()).limit(most)
        if states:
            query = query.where(jobs.c.state.in_(states))
        with answering(), reading(self.engine) as connection:
            return [Job(*row) for row in connection.execute(query)]

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
        query = select(*COLUMNS).where(jobs.c.id == known(number))
        with answering(), reading(self.engine) as connection:
            row = connection.execute(query).one_or_none()
        if row is None:
            raise no_job(number)
        return Job(*row)

    def metrics(self, number: int) -> dict[str, tuple[list[int], list[float | None]]]:
        """A job's reported values so far: for each name, how far the job was and the values.

        None stands for a value that is not a finite number.

        Raises:
            ValueError: If no job can have this number.
        """
        query = (
            select(metrics.c.name, metrics.c.done, metrics.c.value)
            .where(metrics.c.job == known(number))
            .order_by(metrics.c.name, metrics.c.done)
        )
        curves: dict[str, tuple[list[int], list[float | None]]] = {}
        with answering(), reading(self.engine) as connection:
            for name, done, value in connection.execute(query):
                places, values = curves.setdefault(name, ([], []))
                places.append(done)
                values.append(value)
        return curves

    def results(self, job: int | None = None) -> list[dict[str, Any]]:
        """Rows of the jobs that are done, each with its `job`; of one job or of all.

        Raises:
            ValueError: If no job can have this number.
        """
        query = select(results.c.job, results.c.row).order_by(results.c.job, results.c.number)
        if job is not None:
            query = query.where(results.c.job == known(job))
        with answering(), reading(self.engine) as connection:
            return [{**row, "job": number} for number, row in connection.execute(query)]

    def counts(self) -> tuple[dict[str, int], float]:
        """How many jobs are in each state, and for how many seconds the oldest has waited."""
        query = select(jobs.c.state, func.count()).group_by(jobs.c.state)
        oldest = select(now() - func.min(jobs.c.created)).where(jobs.c.state == "queued")
        with answering(), reading(self.engine) as connection:
            counts = {state: count for state, count in connection.execute(query)}
            return counts, connection.scalar(oldest) or 0.0

    def is_supervised(self) -> bool:
        """Whether a process starts the jobs that wait; where none waits, none is needed."""
        with answering():
            return leases.supervised(self.engine, self.settings.silence)

    def pace(self) -> float | None:
        """Operations per second of the jobs done so far, the last 20; None where none is.

        A cost's operations, divided by it, are the seconds that a job will take here.
        """
        last = (
            select(jobs.c.operations, jobs.c.seconds)
            .where(jobs.c.state == "done", jobs.c.seconds > 0, jobs.c.operations > 0)
            .order_by(jobs.c.id.desc())
            .limit(20)
            .subquery()
        )
        query = select(func.sum(last.c.operations), func.sum(last.c.seconds))
        with answering(), reading(self.engine) as connection:
            operations, seconds = connection.execute(query).one()
        return operations / seconds if seconds else None


def known(number: object) -> int:
    """A number that a job can have: no database is asked for another one.

    Raises:
        ValueError: If it is another one.
    """
    if isinstance(number, int) and not isinstance(number, bool) and 0 < number <= LAST:
        return number
    raise ValueError(f"A job's number is a whole number from 1 to {LAST:,}.")


def no_job(number: int) -> ValueError:
    """The error where there is no job of this number."""
    return ValueError(say("There is no job {number}.", number=number))
