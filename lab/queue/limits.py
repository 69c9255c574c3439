"""Limits on the cost of jobs, so that a public server stays usable; every limit can be set.

What counts by visitor does not hold for the operator: at a terminal, or on a machine of their own.

| variable | limits | default |
|---|---|---|
| POSENC_LAB_MAX_QUEUE | jobs that wait or run; those of one network (of IPv6 a /48) at most as many as are free | 20 |
| POSENC_LAB_MAX_OPERATIONS | floating-point operations of one job | 1e14 |
| POSENC_LAB_MAX_MEMORY | bytes that one job needs at its peak | 3e9 |
| POSENC_LAB_MAX_HOURS | hours that one job may run, all attempts together | 2 |
| POSENC_LAB_MAX_DISK | bytes in the lab's folder | 5e9 |
| POSENC_LAB_MAX_DEATHS | workers that may die in a row over one job | 5 |
| POSENC_LAB_MAX_MINE | jobs of one visitor that wait, run or are paused | 6 |
| POSENC_LAB_MAX_HOURLY | jobs that one visitor orders within an hour (ten times as many from one network address) | 60 |
| POSENC_LAB_MAX_TEXTS | bytes of one visitor's texts (five times as many from one network address) | 5e7 |
| POSENC_LAB_MAX_PAUSED | hours after which a visitor's paused job is cancelled | 12 |
| POSENC_LAB_MAX_DAYS | days that a visitor's ended job and a text of theirs that a job has read are kept | 14 |
| POSENC_LAB_MAX_ENDED | ended jobs of one visitor that are kept, the newest ones; the operator's all are | 200 |
"""  # noqa: E501, a table

import os
import shutil
from dataclasses import dataclass
from pathlib import Path

from pydantic import ConfigDict, Field

from lab.checked import FromEnvironment
from posenc.words import Sentence, say, say_count

FREE_DISK = 2e8
"""Bytes that stay free on the disk, for everybody else."""
SOME = 1e-6
MOST = 10**24


@dataclass(frozen=True)
class Cost:
    """A job's cost, estimated before it starts."""

    operations: float
    """Floating-point operations; a core does some 10¹⁰ of them in a second."""
    memory: float = 0.0
    """Bytes at its peak."""
    disk: float = 0.0
    """Bytes that it leaves in the lab's folder."""
    hours: float = 0.0
    """That it asks for; 0 where it takes what its operations need."""


class Limits(FromEnvironment):
    """The table above.

    What passes a limit is refused by a ValueError, in a sentence that says what is allowed and what
    to do.
    """

    model_config = ConfigDict(alias_generator=lambda name: f"POSENC_LAB_MAX_{name.upper()}")

    queue: int = Field(default=20, ge=1, le=MOST)
    operations: float = Field(default=1e14, ge=SOME, le=MOST)
    memory: float = Field(default=3e9, ge=SOME, le=MOST)
    hours: float = Field(default=2.0, ge=SOME, le=MOST)
    disk: float = Field(default=5e9, ge=SOME, le=MOST)
    deaths: int = Field(default=5, ge=1, le=MOST)
    mine: int = Field(default=6, ge=1, le=MOST)
    hourly: int = Field(default=60, ge=1, le=MOST)
    texts: float = Field(default=5e7, ge=SOME, le=MOST)
    paused: float = Field(default=12.0, ge=SOME, le=1e6)
    days: float = Field(default=14.0, ge=SOME, le=1e5)
    ended: int = Field(default=200, ge=1, le=MOST)

    def check_queue(self, unfinished: int, more: int = 1) -> None:
        """Refuse more jobs than the queue holds."""
        if unfinished + more > self.queue:
            raise ValueError(
                say(
                    "{unfinished} jobs wait or run, and with {more} more there would be more than "
                    "the {queue} that are allowed at a time here. Wait until some are done, or "
                    "cancel some.",
                    unfinished=unfinished,
                    more=more,
                    queue=self.queue,
                )
            )

    def check_mine(self, mine: int, neighbours: int, unfinished: int) -> None:
        """Refuse more unfinished jobs than one visitor, or one network, may have.

        A network may have as many as places are free: half of them, where it is alone. Each that
        comes finds some left, so that two of them cannot close the lab for a third.

        Args:
            mine: Those of the visitor.
            neighbours: Those that were ordered from the same network.
            unfinished: Those in the queue, whoever ordered them.
        """
        if mine >= self.mine:
            raise ValueError(
                say_count(
                    "You have {count} job that waits, runs or is paused, and no more is allowed "
                    "here. Wait until the job is done, or cancel the job.",
                    "You have {count} jobs that wait, run or are paused, and no more are allowed "
                    "here. Wait until one is done, or cancel one.",
                    mine,
                )
            )
        if neighbours > 0 and self.queue - unfinished <= neighbours:
            raise ValueError(
                say(
                    "{count} jobs from your network wait, run or are paused, and no more are "
                    "allowed here. Wait until some are done.",
                    count=neighbours,
                )
            )

    def check_rate(self, mine: int, neighbours: int) -> None:
        """Refuse more jobs within an hour than one visitor, or one network, may order."""
        if mine >= self.hourly or neighbours >= 10 * self.hourly:
            raise ValueError(
                say(
                    "{count} jobs were ordered from here within an hour, and no more are allowed. "
                    "Try again later.",
                    count=max(mine, neighbours),
                )
            )

    def check_texts(self, used: float, needed: float, near: float) -> None:
        """Refuse more bytes of texts than one visitor, or one network, may keep.

        Args:
            used: Of the visitor's texts.
            needed: Of the one that comes.
            near: Of those that came from the same network.
        """
        if near + needed > 5 * self.texts:
            raise ValueError(
                say(
                    "{used:,.1f} MB of texts on this server came from your network, and "
                    "{allowed:,.1f} MB are allowed here. Remove one of yours, or try again later.",
                    used=near / 1e6,
                    allowed=5 * self.texts / 1e6,
                )
            )
        if used + needed > self.texts:
            raise ValueError(
                say(
                    "Your texts on this server have {used:,.1f} MB, this one would add "
                    "{needed:,.1f} MB, and {allowed:,.1f} MB are allowed here. Remove one first.",
                    used=used / 1e6,
                    needed=needed / 1e6,
                    allowed=self.texts / 1e6,
                )
            )

    def check_cost(self, cost: Cost) -> None:
        """Refuse a job that computes too much or needs too much memory."""
        if cost.operations > self.operations:
            ratio = cost.operations / self.operations
            raise ValueError(
                say(
                    "This job takes about {operations:.1e} operations, {times:,} times the "
                    "{allowed:.1e} that are allowed here. Take fewer updates, a shorter length or "
                    "a smaller model.",
                    operations=cost.operations,
                    allowed=self.operations,
                    times=round(ratio, 1) if ratio < 10 else round(ratio),
                )
            )
        if cost.hours > self.hours:
            raise ValueError(
                say(
                    "This job asks for {hours:.3g} hours, and {allowed:g} are allowed here: take "
                    "fewer minutes.",
                    hours=cost.hours,
                    allowed=self.hours,
                )
            )
        if cost.memory > self.memory:
            raise ValueError(
                say(
                    "This job needs about {needed:,.0f} MB of memory, and {allowed:,.0f} MB are "
                    "allowed here. Take fewer tokens per update, a shorter length or a smaller "
                    "model.",
                    needed=cost.memory / 1e6,
                    allowed=self.memory / 1e6,
                )
            )

    def check_disk(self, home: Path, needed: float) -> None:
        """Refuse a job whose checkpoints would fill the lab's folder or the disk."""
        used = folder_bytes(home)
        free = shutil.disk_usage(home).free
        if used + needed > self.disk:
            raise ValueError(
                say(
                    "The lab's folder holds {used:,.0f} MB, this job would add {needed:,.0f} MB, "
                    "and {allowed:,.0f} MB are allowed here. Remove finished jobs first.",
                    used=used / 1e6,
                    needed=needed / 1e6,
                    allowed=self.disk / 1e6,
                )
            )
        if free - needed < FREE_DISK:
            raise ValueError(
                say(
                    "The disk has {free:,.0f} MB left, this job would take {needed:,.0f} MB, and "
                    "{kept:,.0f} MB must stay free. Remove finished jobs or make room on the disk.",
                    free=free / 1e6,
                    needed=needed / 1e6,
                    kept=FREE_DISK / 1e6,
                )
            )

    def overtime(self, seconds: float) -> Sentence | None:
        """The sentence for a job that has run too long, else None."""
        if seconds <= 3600 * self.hours:
            return None
        return say(
            "It ran for {hours:.2g} hours, and {allowed:g} are allowed here. Its checkpoint is "
            "kept; take fewer updates.",
            hours=seconds / 3600,
            allowed=self.hours,
        )


def folder_bytes(folder: Path) -> int:
    """Bytes of the files in a folder and below it; files that vanish meanwhile count nothing."""
    total = 0
    for path, _, names in os.walk(folder):
        for name in names:
            try:
                total += Path(path, name).stat().st_size
            except FileNotFoundError:
                continue
    return total
