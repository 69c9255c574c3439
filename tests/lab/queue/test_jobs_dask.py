"""The same jobs on a Dask cluster: a real scheduler and two worker processes."""

import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from distributed import Client

from lab.queue.jobs import Lab
from lab.queue.supervisor import Cluster
from tests.conftest import ROOT, free_port
from tests.lab.conftest import toy_settings
from tests.lab.processes import PATIENCE, until, worker, workers
from tests.lab.toy import let_go, undisturbed

pytestmark = [pytest.mark.slow, pytest.mark.usefixtures("toys")]


@pytest.fixture
def cluster(tmp_path: Path) -> Iterator[str]:
    """Address of a scheduler with two workers of one thread each."""
    address = f"tcp://127.0.0.1:{(port := free_port())}"
    scheduler = ["scheduler", "--host", "127.0.0.1", "--port", str(port), "--no-dashboard"]
    workers = ["worker", address, "--nworkers", "2", "--nthreads", "1", "--no-dashboard"]
    workers += ["--local-directory", str(tmp_path), "--preload", "tests.lab.toy_worker"]
    processes = []
    with (tmp_path / "dask.log").open("wb") as log:
        for program, *options in (scheduler, workers):
            command = [sys.executable, "-m", f"distributed.cli.dask_{program}", *options]
            processes.append(
                subprocess.Popen(
                    command, cwd=ROOT, stdin=subprocess.DEVNULL, stdout=log, stderr=log
                )
            )
        try:
            with Client(address, timeout=PATIENCE, set_as_default=False) as client:
                client.wait_for_workers(2, timeout=PATIENCE)
            yield address
        finally:
            for process in reversed(processes):
                process.terminate()
                process.wait(PATIENCE)


def test_jobs_run_on_the_cluster_and_outlast_a_worker(tmp_path: Path, cluster: str) -> None:
    settings = toy_settings(tmp_path, cluster=cluster, silence=5.0)
    steps = (60, 70)
    with Lab(settings) as lab:
        numbers = [lab.submit("toy", {"steps": n, "hold": 20}) for n in steps]
        with worker(settings) as supervisor:
            until(lambda: len(set(workers(lab))) == 2, "two jobs on two workers")
            victim = workers(lab)[0]
            assert victim != supervisor.pid
            os.kill(victim, signal.SIGKILL)
            for number in numbers:
                let_go(settings.folder(number))
            until(lambda: all(lab.job(n).state == "done" for n in numbers), "the end")
        assert sum(lab.job(n).attempts for n in numbers) > 2
        for number, count in zip(numbers, steps, strict=True):
            assert lab.results(job=number)[0] == {**undisturbed(count), "job": number}


def test_a_cluster_that_does_not_answer_is_said_in_a_sentence(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    address = f"tcp://127.0.0.1:{free_port()}"
    monkeypatch.setattr("lab.queue.supervisor.PATIENCE", 1)
    with pytest.raises(ValueError, match=f"No Dask scheduler answers at {address}"):
        Cluster(address)


def test_without_distributed_a_sentence_says_what_to_install(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setitem(sys.modules, "distributed", None)
    with pytest.raises(ValueError, match=r"pip install -r requirements-server\.txt"):
        Cluster("tcp://127.0.0.1:1")
