"""The one process per database that starts jobs and notices when a worker has died.

Jobs run through a `concurrent.futures.Executor`: processes here, or the workers of a Dask cluster.
"""

import multiprocessing
import os
import signal
import threading
import time
import uuid
from concurrent.futures import (
    FIRST_COMPLETED,
    BrokenExecutor,
    Executor,
    Future,
    ProcessPoolExecutor,
    wait,
)
from contextlib import suppress

from sqlalchemy.exc import SQLAlchemyError

from lab.queue import leases
from lab.queue.database import connect
from lab.queue.keeping import tidy_now_and_then
from lab.queue.settings import LabSettings
from lab.queue.worker import LOG, first_line, run_job

NICENESS = 10
PATIENCE = 10
"""Seconds that a cluster may take to answer."""
GRACE = 20.0
"""Seconds that running jobs have to save when the supervisor is asked to end."""


class Processes:
    """Workers on this machine, in processes of their own."""

    def __init__(self, settings: LabSettings) -> None:
        self.jobs_at_once = settings.jobs_at_once
        # Read by torch when a worker imports it: one core is left to the server.
        os.environ["OMP_NUM_THREADS"] = os.environ["MKL_NUM_THREADS"] = str(settings.threads)
        # Read by malloc: memory that one update has freed is there for the next. Where it went back
        # to the system an update took 4% longer, and reading 4096 tokens a quarter.
        os.environ.setdefault("MALLOC_TRIM_THRESHOLD_", str(2**28))
        os.environ.setdefault("MALLOC_MMAP_THRESHOLD_", str(2**27))
        self.executor = ProcessPoolExecutor(
            settings.jobs_at_once, multiprocessing.get_context("spawn"), end_with_parent
        )

    def slots(self) -> int:
        """Jobs at a time, as the settings say."""
        return self.jobs_at_once

    def kill(self) -> None:
        """End every worker, those too that are stopped or hang in native code."""
        for process in multiprocessing.active_children():
            process.kill()
        self.executor.shutdown(wait=True, cancel_futures=True)


class Cluster:
    """The workers of a Dask cluster, which must have this project and see the lab's folder."""

    def __init__(self, address: str) -> None:
        try:
            from distributed import Client
        except ImportError:
            raise ValueError(
                "A cluster needs the package distributed, which is not installed: "
                "pip install -r requirements-server.txt, or leave POSENC_LAB_CLUSTER empty."
            ) from None
        try:
            self.client = Client(address, timeout=PATIENCE, set_as_default=False)
        except (OSError, ValueError) as error:
            raise ValueError(
                f"No Dask scheduler answers at {address}: {first_line(error)}"
            ) from None
        self.executor = self.client.get_executor(pure=False, retries=0)

    def slots(self) -> int:
        """One job for each worker process that the scheduler knows now."""
        return len(self.client.nthreads())

    def kill(self) -> None:
        """Leave the cluster; what runs there finds its lease lost."""
        self.executor.shutdown(wait=False)
        self.client.close(timeout=5)


def end_with_parent() -> None:
    """In a worker: end when the supervisor ends, however it ends, and leave Ctrl-C to it."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)

    def watch() -> None:
        parent = multiprocessing.parent_process()
        if parent is not None:
            parent.join()
            os._exit(1)

    threading.Thread(target=watch, daemon=True).start()


class Supervisor:
    """Starts jobs while it holds the lease.

    Args:
        settings: Of the lab.
        holder: The name under which the lease is already held for this process, if it is.
    """

    def __init__(self, settings: LabSettings, holder: str | None = None) -> None:
        self.settings = settings
        self.holder = holder or uuid.uuid4().hex
        self.engine = connect(settings.database)
        self.crew: Processes | Cluster | None = None
        self.running: dict[Future[None], tuple[int, str]] = {}
        self.lost_since: dict[str, float] = {}
        self.looked = time.time()

    def run(self, stop: threading.Event, idle: float | None = None) -> bool:
        """Start jobs until `stop` is set, or until there has been nothing to do for `idle` seconds.

        Returns:
            False where another supervisor is there.

        Raises:
            ValueError: If the cluster does not answer at the start.
        """
        if not leases.hold(self.engine, self.holder, self.settings.silence):
            return False
        self.crew = self._gather()
        try:
            self._rounds(stop, idle)
            # Running jobs save, and wait in the queue for the next supervisor.
            leases.ask_back(self.engine, [lease for _, lease in self.running.values()])
            wait(self.running, GRACE)
        finally:
            self._disband()
            self._settle(list(self.running))
            leases.let_go(self.engine, self.holder)
            self.engine.dispose()
        return True

    def _rounds(self, stop: threading.Event, idle: float | None) -> None:
        busy = time.monotonic()
        while not stop.is_set():
            try:
                with suppress(OSError):
                    tidy_now_and_then(self.engine, self.settings)
                if not self._look_after():
                    LOG.info("another worker has taken over")
                    return
                if self._round():
                    busy = time.monotonic()
                elif idle is not None and time.monotonic() - busy > idle and self._leave():
                    return
            except SQLAlchemyError as error:
                LOG.info(first_line(error))
                if "database is locked" in first_line(error):
                    # SQLite has waited for half a minute, and nothing writes for so long: one of
                    # the workers stands still while it writes. Its end gives the lock back.
                    self._disband()
                stop.wait(1)
            except (OSError, ValueError) as error:
                LOG.info("the cluster is away: %s", first_line(error))
                self._disband()
                stop.wait(5)
            if self.running:
                wait(self.running, self.settings.beat, FIRST_COMPLETED)
            else:
                stop.wait(self.settings.beat)

    def _round(self) -> bool:
        """Look once at everything; whether there is something to do."""
        self._settle([future for future in self.running if future.done()])
        if self.crew is None:
            self.crew = self._gather()
        while len(self.running) < self.crew.slots() and self._start_one(self.crew.executor):
            pass
        return bool(self.running) or leases.unfinished(self.engine)

    def _gather(self) -> Processes | Cluster:
        if self.settings.cluster:
            return Cluster(self.settings.cluster)
        return Processes(self.settings)

    def _disband(self) -> None:
        if self.crew is not None:
            self.crew.kill()
            self.crew = None

    def _start_one(self, executor: Executor) -> bool:
        if self.settings.is_full:
            return False
        lease = uuid.uuid4().hex
        job = leases.lease_next(self.engine, lease)
        if job is None:
            return False
        try:
            self.running[executor.submit(run_job, self.settings, job, lease)] = (job, lease)
        except (RuntimeError, OSError):
            # The pool broke a moment ago: the job waits for the next one.
            leases.release(self.engine, job, lease, self.settings.limits.deaths)
            self._disband()
            return False
        return True

    def _settle(self, done: list[Future[None]]) -> None:
        """Put back what ended without an ending: a worker that was killed says nothing."""
        errors = {f: None if f.cancelled() else f.exception() for f in done if f.done()}
        if any(isinstance(error, BrokenExecutor) for error in errors.values()):
            # One death breaks a process pool: end the others before their jobs are given away.
            self._disband()
            errors = {f: None if f.cancelled() else f.exception() for f in self.running}
        for future, error in errors.items():
            job, lease = self.running.pop(future)
            if leases.release(self.engine, job, lease, self.settings.limits.deaths):
                LOG.info("job %s: its worker ended (%.200r); it waits again", job, error)

    def _look_after(self) -> bool:
        """Keep the lease and put back the jobs of silent workers; False where it is lost."""
        silence = self.settings.silence
        last = self.looked
        if time.time() - last < silence / 10:
            return True
        self.looked = time.time()
        if not leases.hold(self.engine, self.holder, silence):
            return False
        leases.wait_with(self.engine, [lease for _, lease in self.running.values()])
        # Where this machine was asleep its workers were too: let them speak first.
        if self.looked - last < silence / 2:
            if count := leases.reap(self.engine, silence, self.settings.limits.deaths):
                LOG.info("%s silent workers: their jobs wait again", count)
            self._end_the_deaf()
        return True

    def _end_the_deaf(self) -> None:
        """End workers that do not notice that their job was given away: stopped, or hanging."""
        mine = {lease for _, lease in self.running.values()}
        lost = mine - leases.holding(self.engine, mine)
        self.lost_since = {c: self.lost_since.get(c, time.monotonic()) for c in lost}
        if any(time.monotonic() - t > self.settings.silence for t in self.lost_since.values()):
            LOG.info("a worker that lost its job does not end; ending all workers")
            self._disband()

    def _leave(self) -> bool:
        """Give the lease back and look once more.

        Who submits looks for a supervisor after the job is in the queue, so one of the two sees
        the other.
        """
        leases.let_go(self.engine, self.holder)
        return not leases.unfinished(self.engine) or not leases.hold(
            self.engine, self.holder, self.settings.silence
        )
