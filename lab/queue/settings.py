"""Where the lab keeps its data and how it computes, from the environment.

| variable | meaning | default |
|---|---|---|
| POSENC_LAB_HOME | folder of checkpoints, logs and the SQLite file | ~/.local/share/posenc-lab |
| POSENC_LAB_DATABASE | postgresql://… instead of the SQLite file | runs.sqlite in the folder |
| POSENC_LAB_CLUSTER | tcp://… of a Dask scheduler instead of processes here | none |
| POSENC_LAB_JOBS | jobs at a time | half of the spare cores |
| POSENC_LAB_LEASE | seconds of silence after which a worker counts as dead | 20 |

The limits have variables too, see `lab.queue.limits`.
"""

import os
import shutil
from collections.abc import Mapping
from pathlib import Path
from typing import Self

from pydantic import Field

from lab.checked import FromEnvironment
from lab.queue.limits import FREE_DISK, Limits
from models.home import data_folder

CHECKPOINTS = "checkpoints"
"""Folder of the reader's own models, one directory each, in the lab's folder."""
CORPORA = "corpora"
"""Folder of the texts that were added, in the lab's folder."""


def spare_cores() -> int:
    """Cores for jobs: one is left to the server, so that pages answer while jobs run."""
    return max(1, (os.cpu_count() or 1) - 1)


class LabSettings(FromEnvironment):
    """One lab: whoever has equal settings sees the same jobs."""

    home: Path = Field(validation_alias="POSENC_LAB_HOME")
    database: str = Field(validation_alias="POSENC_LAB_DATABASE")
    cluster: str | None = Field(default=None, validation_alias="POSENC_LAB_CLUSTER")
    jobs_at_once: int = Field(
        default=max(1, spare_cores() // 2), ge=1, le=64, validation_alias="POSENC_LAB_JOBS"
    )
    silence: float = Field(default=20.0, ge=0.5, le=3600, validation_alias="POSENC_LAB_LEASE")
    limits: Limits = Limits()

    @property
    def threads(self) -> int:
        """Torch threads of one job here."""
        return max(1, spare_cores() // self.jobs_at_once)

    @property
    def beat(self) -> float:
        """Seconds between a worker's signs of life."""
        return min(0.5, self.silence / 10)

    def allowing(self, hours: float) -> Self:
        """The same with so many hours for a job, where that is more."""
        limits = self.limits.model_copy(update={"hours": max(hours, self.limits.hours)})
        return self.model_copy(update={"limits": limits})

    def free_bytes(self) -> int:
        """Bytes that are free on the disk of the lab's folder.

        Raises:
            OSError: If the folder is not there.
        """
        return shutil.disk_usage(self.home).free

    @property
    def is_full(self) -> bool:
        """Whether no job is started because its checkpoints would find no room."""
        try:
            return self.free_bytes() < FREE_DISK
        except OSError:  # it is made when it is first needed
            return False

    def folder(self, job: int) -> Path:
        """Where one job keeps its checkpoint."""
        return self.home / "jobs" / str(job)

    @classmethod
    def from_environment(cls, environment: Mapping[str, str] = os.environ) -> Self:
        """Read the variables above.

        Raises:
            ValueError: If a variable is not what it must be, in a sentence that names it.
        """
        home = data_folder(environment, "POSENC_LAB_HOME", "posenc-lab")
        database = environment.get("POSENC_LAB_DATABASE") or f"sqlite:///{home}/runs.sqlite"
        return cls.read(environment, home=home, database=database, limits=Limits.read(environment))

    def variables(self) -> dict[str, str]:
        """The variables from which `from_environment` reads equal settings."""
        return super().variables() | self.limits.variables()
