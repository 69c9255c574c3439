"""The lab's jobs as screens and the terminal order, follow and steer them.

    lab = Lab()                                   # settings from the environment
    number = lab.submit("train", {"spec": recall_spec("rope").to_dict()})
    starting.ensure_worker(lab)                   # a process of its own does the work
    lab.job(number).state                         # queued, running, paused, cancelled, failed, done
    lab.metrics(number)                           # {"loss": ([updates], [values]), ...}
    lab.results(job=number)                       # rows, once it is done

Everything is in the runs database, so it outlives the page, the server and the worker.
"""

import shutil
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from sqlalchemy import Connection, Row, delete, func, insert, select, update

from lab import logs
from lab.queue import texts
from lab.queue.access import note
from lab.queue.database import alone, answering, jobs, now, writing
from lab.queue.keeping import tidy_now_and_then
from lab.queue.leases import ENDED
from lab.queue.limits import Cost
from lab.queue.records import STATES, UNFINISHED, Records, known, no_job
from posenc.words import Sentence, say


@dataclass(frozen=True)
class Move:
    """A way to steer a job: its name, also in a sentence, and the state that the job takes."""

    action: str
    past: Sentence
    state: str
    at_once: tuple[str, ...]
    """States that it leaves at once; a running job is asked, and saves first."""


PAUSE = Move("pause", say("paused"), "paused", ("queued",))
CANCEL = Move("cancel", say("cancelled"), "cancelled", ("queued", "paused"))
RESUME = Move("resume", say("resumed"), "queued", ("paused", "failed"))


class Lab(Records):
    """Records that a visitor orders and steers.

    Every action is checked against who asks, counted and written down.
    """

    def cost(self, kind: str, payload: Mapping[str, Any]) -> Cost:
        """Estimated cost of a job; nothing is put into the queue.

        Raises:
            ValueError: If the payload is not valid, in a sentence.
        """
        return self._prepared(kind, payload)[1]

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
        who = self.who
        settings = self.settings
        who.check_may_order()
        payload, cost = self._prepared(kind, payload)
        if not (sure and who.trusted):
            settings.limits.check_cost(cost)
        settings.home.mkdir(parents=True, exist_ok=True)
        with answering():
            tidy_now_and_then(self.engine, settings)
        settings.limits.check_disk(settings.home, cost.disk)
        with answering(), writing(self.engine) as connection:
            alone(connection)
            texts.check_whose(connection, who, payload)
            others = _unfinished(connection)
            for job in others:
                is_equal = job.kind == kind and job.payload == payload
                if is_equal and (who.trusted or job.owner == who.owner):
                    return job.id
            self._check_room(others)
            self._check_rate(connection)
            new = insert(jobs).values(
                kind=kind,
                payload=payload,
                operations=cost.operations,
                state="queued",
                created=now(),
                owner=who.owner,
                origin=who.origin,
                request=logs.known("request"),
            )
            number = connection.execute(new.returning(jobs.c.id)).scalar_one()
        note(who, "order", number)
        return number

    def pause(self, number: int) -> None:
        """Let a job wait; one that runs saves first.

        Raises:
            ValueError: If it neither waits nor runs.
        """
        self._steer(PAUSE, number)

    def cancel(self, number: int) -> None:
        """End a job without a result.

        Raises:
            ValueError: If it has ended already.
        """
        self._steer(CANCEL, number)

    def resume(self, number: int) -> None:
        """Put a paused or failed job back into the queue; it goes on from its last checkpoint.

        Raises:
            ValueError: If it is neither, or there is no room for one more.
        """
        self._steer(RESUME, number)

    def remove(self, number: int) -> None:
        """Forget a job that does not run, with its rows and its folder.

        Raises:
            ValueError: If it runs, does not exist or is somebody else's.
        """
        gone = delete(jobs).where(jobs.c.id == known(number), jobs.c.state != "running")
        with answering(), writing(self.engine) as connection:
            self._check_may_steer(connection, "remove", number)
            removed = connection.execute(gone).rowcount
        if not removed:
            raise ValueError(
                say(
                    "Job {number} is {state}; cancel it before it is removed.",
                    number=number,
                    state=STATES[self.job(number).state],
                )
            )
        shutil.rmtree(self.settings.folder(number), ignore_errors=True)

    def _prepared(self, kind: str, payload: Mapping[str, Any]) -> tuple[dict[str, Any], Cost]:
        from lab.queue.work import orders  # imports torch, which looking at jobs does not need

        return orders.prepare(kind, payload, self.settings.home)

    def _steer(self, move: Move, number: int) -> None:
        """Move a job that does not run, or ask the worker of one that does."""
        known(number)
        with answering(), writing(self.engine) as connection:
            self._check_may_steer(connection, move.action, number)
            if move is RESUME and not self.who.trusted:
                alone(connection)
                self._check_room([job for job in _unfinished(connection) if job.id != number])
            if _move(connection, move, number) or _ask_worker(connection, move, number):
                return
        raise ValueError(
            say(
                "Job {number} is {state} and cannot be {asked}.",
                number=number,
                state=STATES[self.job(number).state],
                asked=move.past,
            )
        )

    def _check_may_steer(self, connection: Connection, action: str, number: int) -> None:
        """Refuse whose job it is not, and write down the others."""
        owner = connection.scalar(select(jobs.c.owner).where(jobs.c.id == number))
        if owner is None:
            raise no_job(number)
        self.who.check_may_order()
        if not self.who.may_steer(owner):
            raise ValueError(
                say(
                    "Job {number} was ordered by somebody else, who alone may change it.",
                    number=number,
                )
            )
        note(self.who, action, number)

    def _check_rate(self, connection: Connection) -> None:
        """Refuse one more job to who has ordered too many within an hour."""
        who = self.who
        if who.trusted:
            return
        recent = select(func.count()).where(jobs.c.created > now() - 3600)
        mine = connection.scalar(recent.where(jobs.c.owner == who.owner)) or 0
        near = recent.where(jobs.c.origin == who.origin, jobs.c.origin != "")
        self.settings.limits.check_rate(mine, connection.scalar(near) or 0)

    def _check_room(self, others: Sequence[Row[Any]]) -> None:
        """Refuse one more unfinished job beside these."""
        limits = self.settings.limits
        unfinished = sum(job.state != "paused" for job in others)
        limits.check_queue(unfinished)
        if not self.who.trusted:
            mine = sum(job.owner == self.who.owner for job in others)
            neighbours = sum(bool(job.origin) and job.origin == self.who.origin for job in others)
            limits.check_mine(mine, neighbours, unfinished)


def _unfinished(connection: Connection) -> Sequence[Row[Any]]:
    """The jobs that wait, run or are paused, with what tells them apart and whose they are."""
    columns = [jobs.c.id, jobs.c.kind, jobs.c.payload, jobs.c.state, jobs.c.owner, jobs.c.origin]
    return connection.execute(select(*columns).where(jobs.c.state.in_(UNFINISHED))).all()


def _move(connection: Connection, move: Move, number: int) -> bool:
    """Give a job its new state where it leaves its own at once; whether it did."""
    waits = update(jobs).where(jobs.c.id == number, jobs.c.state.in_(move.at_once))
    ended = now() if move.state in ENDED else None
    new = {"state": move.state, "error": None, "deaths": 0, "finished": ended, "changed": now()}
    return connection.execute(waits.values(**new)).rowcount > 0


def _ask_worker(connection: Connection, move: Move, number: int) -> bool:
    """Ask for a running job's new state; whether it may still be asked."""
    runs = update(jobs).where(jobs.c.id == number, jobs.c.state == "running")
    wanted = func.coalesce(jobs.c.wanted, "")
    if move is RESUME:
        # To go on with a job that is about to pause is to ask for nothing.
        asked = runs.where(wanted == "paused").values(wanted=None, changed=now())
    else:
        # Who cancels and then changes their mind has cancelled.
        asked = runs.where(wanted != "cancelled").values(wanted=move.state, changed=now())
    return connection.execute(asked).rowcount > 0
