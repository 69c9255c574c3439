"""Worker processes that the tests start, watch and kill."""

import os
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager

from lab.queue.jobs import Lab
from lab.queue.settings import LabSettings
from tests.conftest import PATIENCE, ROOT


def until(true: Callable[[], object], what: str) -> None:
    end = time.monotonic() + PATIENCE
    while not true():
        assert time.monotonic() < end, f"not within {PATIENCE:g} seconds: {what}"
        time.sleep(0.02)


def start(settings: LabSettings) -> subprocess.Popen:
    command = [sys.executable, "-m", "tests.lab.toy_worker", "worker"]
    environment = {**os.environ, **settings.variables()}
    return subprocess.Popen(command, cwd=ROOT, env=environment, stdin=subprocess.DEVNULL)


@contextmanager
def worker(settings: LabSettings) -> Iterator[subprocess.Popen]:
    process = start(settings)
    try:
        yield process
    finally:
        process.kill()
        process.wait()


def workers(lab: Lab) -> list[int]:
    """Processes that do jobs now."""
    return [int(job.worker.split(":")[1]) for job in lab.jobs("running") if job.worker]


def alive(process: int) -> bool:
    try:
        os.kill(process, 0)
    except ProcessLookupError:
        return False
    return True


def pick(lab: Lab, number: int, step: int) -> int:
    """The process of a job, when the job has come to this step.

    A worker that was starved for its silence has lost the job; then it is the next one's.
    """
    found: list[int] = []

    def has_come() -> bool:
        found[:] = workers(lab)
        return lab.job(number).done >= step and len(found) == 1

    until(has_come, f"step {step}")
    return found[0]
