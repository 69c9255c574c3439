"""Where the lab keeps its data and how it computes, from the environment.

| variable | meaning | default |
|---|---|---|
| POSENC_LAB_HOME | folder of checkpoints, logs and the SQLite file | ~/.local/share/posenc-lab |
| POSENC_LAB_DATABASE | postgresql://… instead of the SQLite file | runs.sqlite in the folder |
| POSENC_LAB_CLUSTER | tcp://… of a Dask scheduler instead of processes here | none |
| POSENC_LAB_JOBS | jobs at a time | half of the spare cores |
| POSENC_LAB_LEASE | seconds of silence after which a worker counts as dead | 20 |
| POSENC_LAB_WORK | module that does the jobs, see lab.queue.orders | lab.queue.orders |

The limits have variables too, see `lab.queue.limits`.
"""

import os
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Self

from lab.queue.limits import Limits
from lab.queue.variables import number

MOST_JOBS = 64
CHECKPOINTS = "checkpoints"
"""Folder of the reader's own models, one directory each, in the lab's folder."""
CORPORA = "corpora"
"""Folder of the texts that were added, in the lab's folder."""


def spare_cores() -> int:
    """Cores for jobs: one is left to the server, so that pages answer while jobs run."""
    return max(1, (os.cpu_count() or 1) - 1)


@dataclass(frozen=True)
class Settings:
    """One lab: whoever has equal settings sees the same jobs."""

    home: Path
    database: str
    cluster: str | None = None
    jobs_at_once: int = max(1, spare_cores() // 2)
    lease: float = 20.0
    work: str = "lab.queue.orders"
    limits: Limits = field(default_factory=Limits)

    @property
    def threads(self) -> int:
        """Torch threads of one job here."""
        return max(1, spare_cores() // self.jobs_at_once)

    @property
    def beat(self) -> float:
        """Seconds between a worker's signs of life."""
        return min(0.5, self.lease / 10)

    def folder(self, job: int) -> Path:
        """Where one job keeps its checkpoint."""
        return self.home / "jobs" / str(job)

    @classmethod
    def from_environment(cls, environment: Mapping[str, str] = os.environ) -> Self:
        """Read the variables above.

        Raises:
            ValueError: If a variable is not what it must be, in a sentence that names it.
        """
        data = environment.get("XDG_DATA_HOME") or Path.home() / ".local" / "share"
        home = Path(environment.get("POSENC_LAB_HOME") or Path(data, "posenc-lab")).absolute()
        return cls(
            home=home,
            database=environment.get("POSENC_LAB_DATABASE") or f"sqlite:///{home}/runs.sqlite",
            cluster=environment.get("POSENC_LAB_CLUSTER") or None,
            jobs_at_once=int(
                number(environment, "POSENC_LAB_JOBS", cls.jobs_at_once, 1, MOST_JOBS, whole=True)
            ),
            lease=number(environment, "POSENC_LAB_LEASE", cls.lease, 0.5, 3600),
            work=environment.get("POSENC_LAB_WORK") or cls.work,
            limits=Limits.from_environment(environment),
        )

    def variables(self) -> dict[str, str]:
        """The variables from which `from_environment` reads equal settings."""
        return {
            "POSENC_LAB_HOME": str(self.home),
            "POSENC_LAB_DATABASE": self.database,
            "POSENC_LAB_CLUSTER": self.cluster or "",
            "POSENC_LAB_JOBS": str(self.jobs_at_once),
            "POSENC_LAB_LEASE": str(self.lease),
            "POSENC_LAB_WORK": self.work,
            **self.limits.variables(),
        }
