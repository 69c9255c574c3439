"""The process that does a job: signs of life around `perform`."""

import errno
import json
import logging
import os
import socket
import threading
import time
from collections.abc import Callable
from contextvars import copy_context
from typing import Any, Self

from sqlalchemy import Engine
from sqlalchemy.exc import InterfaceError, OperationalError, SQLAlchemyError

from lab import logs
from lab.queue import leases
from lab.queue.database import connect
from lab.queue.leases import Progress
from lab.queue.settings import LabSettings

LOG = logging.getLogger("posenc.worker")
POINTS = 512
"""Points that a curve keeps, about; a job may report more often."""
GRACE = 60.0
"""Seconds that a job has to save and stop before its process is ended."""
FULL = (errno.ENOSPC, errno.EDQUOT)
"""Errors of a disk that takes no more."""
OVER = 1.5
"""Times the minutes that a job asked for, and was given, after which it is stopped."""


class Lost(BaseException):
    """The job was given to another worker; nothing more may be written, not even a checkpoint.

    No `Exception`: no handler inside the work may take it for a failure of its own.
    """


class Pulse:
    """Tells the database every half second that the worker lives and how far it is.

    The work itself never waits for the database: it leaves its progress here.
    """

    def __init__(self, engine: Engine, settings: LabSettings, job: int, lease: str, ran: float):
        self.engine = engine
        self.settings = settings
        self.job = job
        self.lease = lease
        self.ran = ran
        self.begun = time.monotonic()
        self.done = 0
        self.total = 0
        self.values: dict[str, Any] = {}
        self.points: list[dict[str, Any]] = []
        self.last_kept = -1
        self.wanted: str | None = None
        self.lost = False
        self.asked: float | None = None  # when the work was first told to stop
        self.lock = threading.Lock()
        self.over = threading.Event()
        self.thread = threading.Thread(
            target=copy_context().run, args=(self._beat_on,), daemon=True
        )

    def __enter__(self) -> Self:
        self.thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self.over.set()
        self.thread.join()

    @property
    def seconds(self) -> float:
        """Running time of the job, earlier attempts included."""
        return self.ran + time.monotonic() - self.begun

    @property
    def overtime(self) -> str | None:
        """The sentence for a job that has run too long, else None."""
        return self.settings.limits.overtime(self.seconds)

    def report(self, done: int, total: int, values: dict[str, Any]) -> None:
        """Take note of progress; raises Lost where the job is no longer ours."""
        self._check_lost()
        json.dumps(values)  # what is no JSON fails here, in the work, and not in the database
        stride = max(1, total // POINTS)
        with self.lock:
            self.done = done
            self.total = total
            self.values = dict(values)
            if done // stride != self.last_kept or done == total:
                self.last_kept = done // stride
                numbers = {k: v for k, v in values.items() if isinstance(v, int | float)}
                self.points += [{"name": k, "done": done, "value": v} for k, v in numbers.items()]

    def should_stop(self) -> bool:
        """Whether the work should save and stop; raises Lost where the job is no longer ours."""
        self._check_lost()
        return self.wanted is not None or self.overtime is not None

    def progress(self) -> Progress:
        """News for the next sign of life; each point is in it once."""
        with self.lock:
            points = self.points
            self.points = []
            return Progress(self.done, self.total, self.values, self.seconds, points)

    def _check_lost(self) -> None:
        if self.lost:
            raise Lost

    def _beat_on(self) -> None:
        while not self.over.wait(self.settings.beat):
            progress = self.progress()
            try:
                holds, self.wanted = leases.beat(self.engine, self.job, self.lease, progress)
            except SQLAlchemyError as error:
                # The database may come back; until then others may take the job.
                LOG.info(first_line(error))
                with self.lock:
                    self.points = progress.points + self.points
                continue
            self.lost = not holds
            if self.lost:
                return
            self._end_what_does_not_stop()

    def _end_what_does_not_stop(self) -> None:
        stopping = self.wanted is not None or self.overtime is not None
        if not stopping:
            self.asked = None
        elif self.asked is None:
            self.asked = time.monotonic()
        elif time.monotonic() - self.asked > GRACE:
            leases.finish(self.engine, self.job, self.lease, self.progress(), error=self.overtime)
            LOG.info("did not stop within %g seconds; ending its process", GRACE)
            os._exit(1)


def run_job(settings: LabSettings, job: int, lease: str) -> None:
    """Do a leased job and write down how it ended; nothing where the lease is lost."""
    logs.settle()
    engine = connect(settings.database)
    try:
        row = leases.begin(engine, job, lease, f"{socket.gethostname()}:{os.getpid()}")
        if row is None:
            return
        with logs.knowing(job=job, request=row.request):
            LOG.info("%s, attempt %s, begins", row.kind, row.attempts)
            given = settings.allowing(OVER * row.payload.get("minutes", 0) / 60)
            with Pulse(engine, given, job, lease, row.seconds) as pulse:
                ending = _perform(settings, row, pulse)
            progress = pulse.progress()
            _patiently(
                lambda: leases.finish(engine, job, lease, progress, **ending), 3 * settings.silence
            )
            if "rows" in ending:
                LOG.info("done")
            else:
                LOG.info("ended: %s", ending["error"] or "was asked to stop, or waits for room")
    except Lost:
        LOG.info("job %s was given to another worker meanwhile", job)
    finally:
        engine.dispose()


def _perform(settings: LabSettings, row: Any, pulse: Pulse) -> dict[str, Any]:
    """The job's rows, or the sentence with which it failed, or nothing where it was stopped."""
    from lab.queue.work import orders  # imports torch, which the supervisor does not need

    folder = settings.folder(row.id)
    try:
        folder.mkdir(parents=True, exist_ok=True)
        rows = orders.perform(row.kind, row.payload, folder, pulse.report, pulse.should_stop)
        json.dumps(rows)
        return {"rows": rows}
    except orders.Stopped:
        return {"error": pulse.overtime}
    except Exception as error:
        if isinstance(error, OSError) and error.errno in FULL:
            LOG.warning("the disk is full: the job waits until there is room")
            return {"error": None}
        LOG.exception("the work failed")
        return {"error": sentence(error)}


def _patiently(write: Callable[[], object], seconds: float) -> None:
    """Write, trying again for a while where the database is away."""
    end = time.monotonic() + seconds
    while True:
        try:
            write()
            return
        except (OperationalError, InterfaceError) as error:
            if time.monotonic() > end:
                raise
            LOG.info(first_line(error))
            time.sleep(1)


def sentence(error: Exception) -> str:
    """An error in one line that a reader of the screens can use."""
    if isinstance(error, OSError) and error.strerror:
        # Readers are told no paths.
        return f"A file of the lab cannot be read or written: {error.strerror}. Resume it later."
    text = first_line(error)
    return text if isinstance(error, ValueError) and text else f"{type(error).__name__}: {text}"


def first_line(error: Exception) -> str:
    """The first line of an error's message: at most 300 characters that a database can hold."""
    text = str(getattr(error, "orig", None) or error)  # a driver's error inside SQLAlchemy's
    line = (text.splitlines() or [""])[0][:300]
    return line.replace("\0", "").encode("utf-8", "replace").decode()
