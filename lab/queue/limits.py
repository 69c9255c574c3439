"""What jobs may cost, so that a public server stays usable; every limit can be set.

| variable | limits | default |
|---|---|---|
| POSENC_LAB_MAX_QUEUE | jobs that wait, run or are paused | 20 |
| POSENC_LAB_MAX_OPERATIONS | floating-point operations of one job | 1e14 |
| POSENC_LAB_MAX_MEMORY | bytes that one job needs at its peak | 3e9 |
| POSENC_LAB_MAX_HOURS | hours that one job may run, all attempts together | 2 |
| POSENC_LAB_MAX_DISK | bytes in the lab's folder | 5e9 |
| POSENC_LAB_MAX_DEATHS | workers that may die in a row over one job | 5 |
"""

import os
import shutil
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Self

from lab.queue.variables import number

FREE_DISK = 2e8
"""Bytes that stay free on the disk, for everybody else."""


@dataclass(frozen=True)
class Cost:
    """What a job needs, estimated before it starts."""

    operations: float
    """Floating-point operations; a core does some 10¹⁰ of them in a second."""
    memory: float = 0.0
    """Bytes at its peak."""
    disk: float = 0.0
    """Bytes that it leaves in the lab's folder."""


@dataclass(frozen=True)
class Limits:
    """The table above."""

    queue: int = 20
    operations: float = 1e14
    memory: float = 3e9
    hours: float = 2.0
    disk: float = 5e9
    deaths: int = 5

    @classmethod
    def from_environment(cls, environment: Mapping[str, str] = os.environ) -> Self:
        """Read the variables above.

        Raises:
            ValueError: If a variable is not what it must be, in a sentence that names it.
        """

        def limit(name: str, default: float, whole: bool = False) -> float:
            low = 1 if whole else 1e-6
            return number(environment, f"POSENC_LAB_MAX_{name}", default, low, 1e24, whole)

        return cls(
            queue=int(limit("QUEUE", cls.queue, whole=True)),
            operations=limit("OPERATIONS", cls.operations),
            memory=limit("MEMORY", cls.memory),
            hours=limit("HOURS", cls.hours),
            disk=limit("DISK", cls.disk),
            deaths=int(limit("DEATHS", cls.deaths, whole=True)),
        )

    def variables(self) -> dict[str, str]:
        """The variables from which `from_environment` reads equal limits."""
        return {f"POSENC_LAB_MAX_{key.upper()}": str(value) for key, value in asdict(self).items()}

    def check_queue(self, unfinished: int, more: int = 1) -> None:
        """Refuse more jobs than the queue holds.

        Raises:
            ValueError: In a sentence that says what is allowed and what to do.
        """
        if unfinished + more > self.queue:
            raise ValueError(
                f"{unfinished} jobs wait, run or are paused, and with {more} more there would be "
                f"more than the {self.queue} that are allowed at a time here. Wait until some are "
                "done, or cancel some."
            )

    def check_cost(self, cost: Cost) -> None:
        """Refuse a job that computes too much or needs too much memory.

        Raises:
            ValueError: In a sentence that says what is allowed and what to do.
        """
        if cost.operations > self.operations:
            raise ValueError(
                f"This job takes about {cost.operations:.1e} operations, "
                f"{times(cost.operations / self.operations)} the {self.operations:.1e} that are "
                "allowed here. Take fewer steps, a shorter length or a smaller model."
            )
        if cost.memory > self.memory:
            raise ValueError(
                f"This job needs about {cost.memory / 1e6:,.0f} MB of memory, and "
                f"{self.memory / 1e6:,.0f} MB are allowed here. Take fewer tokens per step, a "
                "shorter length or a smaller model."
            )

    def check_disk(self, home: Path, needed: float) -> None:
        """Refuse a job whose checkpoints would fill the lab's folder or the disk.

        Raises:
            ValueError: In a sentence that says what is allowed and what to do.
        """
        used, free = folder_bytes(home), shutil.disk_usage(home).free
        if used + needed > self.disk:
            raise ValueError(
                f"The lab's folder holds {used / 1e6:,.0f} MB, this job would add "
                f"{needed / 1e6:,.0f} MB, and {self.disk / 1e6:,.0f} MB are allowed here. "
                "Remove finished jobs first."
            )
        if free - needed < FREE_DISK:
            raise ValueError(
                f"The disk has {free / 1e6:,.0f} MB left, this job would take "
                f"{needed / 1e6:,.0f} MB, and {FREE_DISK / 1e6:,.0f} MB stay free. "
                "Remove finished jobs or make room on the disk."
            )

    def overtime(self, seconds: float) -> str | None:
        """The sentence for a job that has run too long, else None."""
        if seconds <= 3600 * self.hours:
            return None
        return (
            f"It ran for {seconds / 3600:.2g} hours, and {self.hours:g} are allowed here. "
            "Its checkpoint is kept; take fewer steps."
        )


def times(ratio: float) -> str:
    """How many times as much: 1.4 or 23."""
    return f"{ratio:.1f} times" if ratio < 10 else f"{ratio:,.0f} times"


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
