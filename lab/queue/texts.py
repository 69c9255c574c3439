"""Texts that were added to train on: one file for each content, counted for each who added it."""

import hashlib
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from sqlalchemy import ColumnElement, Connection, delete, func, select

from lab.queue.access import Visitor, note
from lab.queue.database import (
    alone,
    answering,
    insert_for,
    jobs,
    now,
    reading,
    texts,
    writing,
)
from lab.queue.records import Records
from lab.queue.settings import CORPORA, LabSettings
from lab.training.checkpoints import write_whole
from posenc.words import say

UNREAD = 3600.0
"""Seconds that a visitor's text is kept which no job has read."""
WAITING = ("queued", "running", "paused", "failed")
"""States of jobs that may read their text again."""


@dataclass(frozen=True)
class Text:
    """A text that is kept."""

    name: str
    bytes: int
    used: float
    """When a job last asked for it, in seconds since 1970."""


def name_of(content: bytes) -> str:
    """The file's name: its content decides it, so that equal texts are one file."""
    return f"{hashlib.sha256(content).hexdigest()[:16]}.txt"


def add(lab: Records, content: bytes) -> str:
    """Keep a text in the lab's folder; its path, as `RunSpec.corpus` takes it.

    Raises:
        ValueError: If nothing may be added or there is no room for it, in a sentence.
    """
    who = lab.who
    who.check_may_order()
    limits = lab.settings.limits
    path = lab.settings.home / CORPORA / name_of(content)
    with answering(), writing(lab.engine) as connection:
        path.parent.mkdir(parents=True, exist_ok=True)
        alone(connection)
        mine = {text.name: text for text in _of(connection, who)}
        if path.name not in mine:
            if not who.trusted:
                used = sum(text.bytes for text in mine.values())
                limits.check_texts(used, len(content), _near(connection, who))
            note(who, "add text", path.name)
        new = insert_for(connection)(texts).values(
            name=path.name, owner=who.owner, bytes=len(content), used=now(), origin=who.origin
        )
        again = {"index_elements": list(texts.primary_key), "set_": {"used": now()}}
        connection.execute(new.on_conflict_do_update(**again))
        if not path.exists():
            limits.check_disk(lab.settings.home, len(content))
            write_whole(path, content)
    return str(path)


def stored(lab: Records) -> list[Text]:
    """The texts of who asks, those longest unused first; all of them where all is allowed."""
    with answering(), reading(lab.engine) as connection:
        return _of(connection, lab.who)


def remove(lab: Records, name: str) -> None:
    """Forget a text of one's own, and its file where nobody else has it.

    Raises:
        ValueError: If there is none of this name, or a job that is not over needs it.
    """
    who = lab.who
    with answering(), writing(lab.engine) as connection:
        alone(connection)
        if name not in {text.name for text in _of(connection, who)}:
            raise ValueError(say("There is no text {name!r:.40} of yours.", name=name))
        if name in needed(connection):
            raise ValueError(
                say("A job that is not over needs this text; cancel or remove the job first.")
            )
        note(who, "remove text", name)
        gone = delete(texts).where(texts.c.name == name)
        connection.execute(gone if who.trusted else gone.where(texts.c.owner == who.owner))
        left = connection.scalar(select(func.count()).where(texts.c.name == name))
        if not left:
            (lab.settings.home / CORPORA / name).unlink(missing_ok=True)


def needed(connection: Connection) -> set[str]:
    """Names of the texts that jobs may read again."""
    return _read(connection, jobs.c.state.in_(WAITING))


def _read(connection: Connection, *these: ColumnElement[bool]) -> set[str]:
    """Names of the texts of these jobs."""
    payloads = connection.scalars(select(jobs.c.payload).where(*these))
    return {Path(path).name for path in map(path_in, payloads) if path}


def _near(connection: Connection, who: Visitor) -> float:
    """Bytes of the texts that came from a visitor's network and are still here."""
    came = select(texts.c.name, texts.c.bytes).where(texts.c.origin == who.origin).distinct()
    near = select(func.sum(came.subquery().c.bytes))
    return connection.scalar(near) or 0.0 if who.origin else 0.0


def check_whose(connection: Connection, who: Visitor, payload: Mapping[str, Any]) -> None:
    """Refuse an order that reads a text which only others have added."""
    path = path_in(payload)
    if path and not who.trusted and Path(path).name not in {t.name for t in _of(connection, who)}:
        raise ValueError(say("This text was not added by you; add it."))


def path_in(payload: Mapping[str, Any]) -> str:
    """Path of the text that a job reads; "" where it reads none."""
    path = payload.get("text") or (payload.get("spec") or {}).get("corpus")
    return path if isinstance(path, str) else ""


def expire(connection: Connection, settings: LabSettings) -> list[Path]:
    """Forget texts that no job has asked for in a long time; their files, to be deleted.

    Where no job that is here ever read a visitor's text, an hour is long.
    A file that nobody has added counts from its own date: an older version kept no list.
    """
    folder = settings.home / CORPORA
    long_ago = now() - 86400 * settings.limits.days
    used = needed(connection)
    read = _read(connection, jobs.c.started.is_not(None))
    unread = (texts.c.owner != "") & (texts.c.used < now() - UNREAD) & texts.c.name.not_in(read)
    old = delete(texts).where((texts.c.used < long_ago) | unread, texts.c.name.not_in(used))
    gone = set(connection.scalars(old.returning(texts.c.name)))
    known = used | set(connection.scalars(select(texts.c.name)))
    oldest = connection.scalar(select(long_ago)) or 0.0
    return [
        path
        for path in folder.glob("*.txt")
        if path.name not in known and (path.name in gone or path.stat().st_mtime < oldest)
    ]


def _of(connection: Connection, who: Visitor) -> list[Text]:
    asked = select(texts.c.name, func.max(texts.c.bytes), func.max(texts.c.used))
    if not who.trusted:
        asked = asked.where(texts.c.owner == who.owner)
    asked = asked.group_by(texts.c.name).order_by(func.max(texts.c.used))
    return [Text(*row) for row in connection.execute(asked)]
