"""The worker's process: started where jobs wait and none is there, and left alone afterwards."""

import os
import subprocess
import sys
import uuid
from pathlib import Path

from lab.queue import leases
from lab.queue.database import answering
from lab.queue.records import Records

IDLE = 60.0
"""Seconds without work after which a worker that was started here ends."""
ROOT = Path(__file__).resolve().parent.parent.parent
PROGRAM = "lab"
"""The module that is run as the worker."""

_started: list[subprocess.Popen[bytes]] = []  # kept to collect their exit status


def ensure_worker(lab: Records) -> bool:
    """Start a worker process where jobs wait and none is there; whether one was started.

    Cheap enough to be called at every refresh of a page. The process outlives this one.

    Raises:
        Unavailable: If the database does not answer.
    """
    settings = lab.settings
    holder = uuid.uuid4().hex
    with answering():
        if not leases.unfinished(lab.engine) or leases.supervised(lab.engine, settings.silence):
            return False
        # The process goes on under this name: of two pages that ask at once, one gets the lease.
        if not leases.hold(lab.engine, holder, settings.silence):
            return False
    settings.home.mkdir(parents=True, exist_ok=True)
    with (settings.home / "worker.log").open("ab") as log:
        process = subprocess.Popen(
            [sys.executable, "-m", PROGRAM, "worker", "--idle", str(IDLE), "--holder", holder],
            cwd=ROOT,
            env={**os.environ, **settings.variables()},
            stdin=subprocess.DEVNULL,
            stdout=log,
            stderr=log,
            start_new_session=True,
        )
    _started[:] = [*(old for old in _started if old.poll() is None), process]
    return True
