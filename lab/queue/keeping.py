"""Clearing away what nobody comes back to: paused and ended jobs, unused texts, long logs."""

import shutil
import threading
import time
from pathlib import Path

from sqlalchemy import Connection, Engine, delete, func, select, update

from lab.queue import texts
from lab.queue.access import Visitor, note
from lab.queue.database import alone, jobs, now, writing
from lab.queue.leases import ENDED
from lab.queue.settings import LabSettings

EVERY = 60.0
"""Seconds between two looks."""
LONGEST_LOG = 1_000_000
"""Bytes of a log; the older half is dropped beyond."""
CLOCK = Visitor("", origin="expired")

_looked: dict[str, float] = {}
_lock = threading.Lock()


def tidy_now_and_then(engine: Engine, settings: LabSettings) -> None:
    """`tidy`, at most once a minute in this process."""
    with _lock:
        last = _looked.get(settings.database, -EVERY)
        this = time.monotonic()
        if this - last < EVERY:
            return
        _looked[settings.database] = this
    tidy(engine, settings)


def tidy(engine: Engine, settings: LabSettings) -> None:
    """Cancel what was paused long ago, forget what ended long ago, drop unused texts.

    Visitors' alone: what the operator ordered stays, and nobody's orders shorten what another has.
    """
    with writing(engine) as connection:
        alone(connection)
        _cancel_paused(connection, settings)
        gone = _forget_ended(connection, settings)
        files = texts.expire(connection, settings)
    for number in gone:
        shutil.rmtree(settings.folder(number), ignore_errors=True)
    for file in files:
        file.unlink(missing_ok=True)
    shorten(settings.home / "worker.log")


def _cancel_paused(connection: Connection, settings: LabSettings) -> None:
    since = func.coalesce(jobs.c.changed, jobs.c.created)
    long_ago = now() - 3600 * settings.limits.paused
    old = (jobs.c.state == "paused", jobs.c.owner != "", since < long_ago)
    ended = {"state": "cancelled", "finished": now()}
    changed = update(jobs).where(*old).values(**ended).returning(jobs.c.id)
    for number in connection.scalars(changed).all():
        note(CLOCK, "cancel", number)


def _forget_ended(connection: Connection, settings: LabSettings) -> list[int]:
    """Delete rows; the jobs' numbers."""
    theirs = (jobs.c.state.in_(ENDED), jobs.c.owner != "")
    newest = func.row_number().over(partition_by=jobs.c.owner, order_by=jobs.c.id.desc())
    places = select(jobs.c.id, newest.label("place")).where(*theirs).subquery()
    too_many = select(places.c.id).where(places.c.place > settings.limits.ended)
    long_ago = now() - 86400 * settings.limits.days
    gone = (jobs.c.finished < long_ago) | jobs.c.id.in_(too_many)
    numbers = connection.scalars(delete(jobs).where(*theirs, gone).returning(jobs.c.id)).all()
    for number in numbers:
        note(CLOCK, "remove", number)
    return list(numbers)


def shorten(log: Path) -> None:
    """Keep the newer half of a log that has grown too long.

    Processes that append to it go on: each of their lines goes to the end that is there then.
    """
    if not log.is_file() or log.stat().st_size <= LONGEST_LOG:
        return
    with log.open("r+b") as file:
        file.seek(-LONGEST_LOG // 2, 2)
        newer = file.read()
        file.seek(0)
        file.truncate()
        file.write(newer[newer.find(b"\n") + 1 :])
