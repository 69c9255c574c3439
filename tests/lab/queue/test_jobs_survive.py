"""Jobs outlast their workers: kill them at any moment, and the result is that of a quiet run."""

import os
import random
import signal
import sqlite3
import threading
import time
from contextlib import suppress
from pathlib import Path

import pytest
from sqlalchemy.exc import OperationalError

from lab.queue import leases, starting
from lab.queue.jobs import Lab
from lab.queue.limits import Limits
from lab.queue.settings import LabSettings
from lab.queue.supervisor import NICENESS, Supervisor
from tests.lab.conftest import toy_settings
from tests.lab.processes import PATIENCE, alive, pick, start, until, worker, workers
from tests.lab.toy import let_go, undisturbed

pytestmark = [pytest.mark.slow, pytest.mark.usefixtures("toys")]


def test_killed_at_random_moments_the_result_is_the_same(settings: LabSettings) -> None:
    """Workers and supervisors get SIGKILL; every sum is whole and is there once."""
    moments = random.Random(1)
    settings = settings.changed(jobs_at_once=2)
    steps = (50, 60, 70)
    with Lab(settings) as lab:
        payloads = [{"steps": n, "pause": 0.02, "every": 7, "hold": n - 6} for n in steps]
        numbers = [lab.submit("toy", payload) for payload in payloads]
        supervisor, kills = start(settings), 0
        try:
            while not all(lab.job(number).ended for number in numbers):
                if supervisor.poll() is not None:
                    supervisor = start(settings)
                time.sleep(moments.uniform(0, 0.5))
                victims = [*workers(lab), supervisor.pid]
                if kills < 5 and len(victims) > 1:
                    # The supervisor less often: until its lease ends nothing happens.
                    victim = moments.choice(victims * 2 + victims[:-1] * 3)
                    with suppress(ProcessLookupError):
                        os.kill(victim, signal.SIGKILL)
                        kills += 1
                if kills > 3 and sum(lab.job(number).attempts for number in numbers) > 3:
                    for number in numbers:
                        let_go(settings.folder(number))
        finally:
            supervisor.kill()
            supervisor.wait()
        assert kills > 3
        assert [lab.job(number).state for number in numbers] == ["done"] * 3
        assert sum(lab.job(number).attempts for number in numbers) > 3
        for number, count in zip(numbers, steps, strict=True):
            first, _ = lab.results(job=number)
            assert first == {**undisturbed(count), "job": number}
            assert lab.metrics(number)["sum"][0][-1] == count


def test_a_worker_ends_with_its_supervisor(tmp_path: Path) -> None:
    settings = toy_settings(tmp_path)
    with Lab(settings) as lab:
        number = lab.submit("toy", {"steps": 200, "pause": 0.02, "hold": 20})
        with worker(settings):
            process = pick(lab, number, 20)
        until(lambda: not alive(process), "the end of the orphan")
        assert lab.job(number).state == "running"  # nobody has looked yet
        # A killed supervisor cannot give its lease back, and the next one leaves while it is held.
        until(lambda: not leases.supervised(lab.engine, settings.silence), "the lease's end")
        with worker(settings):
            until(lambda: lab.job(number).attempts >= 2, "a second attempt")
            lab.cancel(number)
            until(lambda: lab.job(number).state == "cancelled", "the cancelling")
    assert (settings.folder(number) / "checkpoint.json").is_file()


def test_a_worker_that_stands_still_loses_its_job(tmp_path: Path) -> None:
    settings = toy_settings(tmp_path)
    with Lab(settings) as lab:
        number = lab.submit("toy", {"steps": 60, "pause": 0.02, "hold": 10})
        with worker(settings):
            os.kill(pick(lab, number, 10), signal.SIGSTOP)
            let_go(settings.folder(number))
            until(lambda: lab.job(number).state == "done", "the end")
        assert lab.job(number).attempts > 1
        assert lab.results()[0] == {**undisturbed(60), "job": number}


def test_a_supervisor_that_ends_leaves_saved_jobs_queued(tmp_path: Path) -> None:
    settings = toy_settings(tmp_path)
    with Lab(settings) as lab:
        number = lab.submit("toy", {"steps": 300, "pause": 0.02, "every": 1000, "hold": 10})
        with worker(settings) as process:
            pick(lab, number, 10)
            process.send_signal(signal.SIGTERM)
            assert process.wait(PATIENCE) == 0
        waiting = lab.job(number)
        assert (waiting.state, waiting.worker, waiting.error) == ("queued", None, None)
        assert not leases.supervised(lab.engine, 60)
        with worker(settings):
            # It goes on from what it saved when asked: from its beginning it would be held again.
            until(lambda: lab.job(number).attempts >= 2 and lab.job(number).done > 10, "a step")


def test_pause_and_resume_and_what_goes_wrong(tmp_path: Path) -> None:
    settings = toy_settings(tmp_path, jobs_at_once=1, limits=Limits(deaths=2))
    with Lab(settings) as lab:
        slow = lab.submit("toy", {"steps": 80, "pause": 0.02, "hold": 10})
        wrong = {
            "refuse": "The corpus is empty; name another file.",
            "crash": "RuntimeError: first line",
            "die": "Its worker ended 2 times without getting further",
            "exit": "Its worker ended 2 times without getting further",
        }
        failing = [lab.submit("toy", {"steps": 9, "fail": kind, "at": 5}) for kind in wrong]
        with worker(settings):
            pick(lab, slow, 10)
            lab.pause(slow)
            until(lambda: lab.job(slow).state == "paused", "the pause")
            until(lambda: all(lab.job(n).state == "failed" for n in failing), "the failures")
            let_go(settings.folder(slow))
            lab.resume(slow)
            until(lambda: lab.job(slow).state == "done", "the end")
        assert lab.results()[0] == {**undisturbed(80), "job": slow}
        for number, sentence in zip(failing, wrong.values(), strict=True):
            assert lab.job(number).error.startswith(sentence)
            assert "\n" not in lab.job(number).error


def test_a_job_that_runs_too_long_is_stopped_and_says_so(tmp_path: Path) -> None:
    settings = toy_settings(tmp_path, limits=Limits(hours=0.5 / 3600))
    with Lab(settings) as lab:
        number = lab.submit("toy", {"steps": 10000, "pause": 0.02})
        with worker(settings):
            until(lambda: lab.job(number).ended, "the end")
        assert lab.job(number).state == "failed"
        assert "hours, and 0.000138889 are allowed here" in lab.job(number).error


def test_one_worker_starts_and_ends_with_nothing_to_do(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("lab.queue.starting.IDLE", 0.2)
    # A long lease: a second start could not be a takeover.
    settings = toy_settings(tmp_path, silence=30.0)
    with Lab(settings) as lab:
        assert not starting.ensure_worker(lab)
        number = lab.submit("toy", {"steps": 10, "pause": 0.01})
        assert [starting.ensure_worker(lab) for _ in range(3)] == [True, False, False]
        until(lambda: lab.job(number).state == "done", "the end")
        until(lambda: not leases.supervised(lab.engine, 30), "the worker's end")
        # The app answers while jobs run: they are nicer than it, and leave it a core.
        manners = lab.results()[1]
        assert manners["nice"] == min(19, os.nice(0) + NICENESS)
        assert manners["OMP_NUM_THREADS"] == str(settings.threads)
        assert manners["MALLOC_TRIM_THRESHOLD_"] == str(2**28)
        assert manners["nan"] is None
        second = lab.submit("toy", {"steps": 11})
        assert starting.ensure_worker(lab)
        until(lambda: lab.job(second).state == "done", "the second end")


def test_a_second_worker_leaves_at_once(tmp_path: Path) -> None:
    settings = toy_settings(tmp_path, silence=60.0)
    with Lab(settings) as lab:
        assert leases.hold(lab.engine, "another", 60)
        assert start(settings).wait(PATIENCE) == 0
        assert leases.hold(lab.engine, "another", 60)


def test_workers_end_where_one_stands_still_writing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Nobody else can write then, not even that its job is given away."""

    class Crew:
        alive, executor = True, None

        def slots(self) -> int:
            return 0

        def kill(self) -> None:
            self.alive = False

    crews: list[Crew] = []
    stop, held = threading.Event(), 0

    def hold(*_: object) -> bool:
        nonlocal held
        held += 1
        if held == 2:
            raise OperationalError("UPDATE", {}, sqlite3.OperationalError("database is locked"))
        if held == 3:
            assert [crew.alive for crew in crews] == [False]
        if len(crews) == 2:
            stop.set()
        return True

    with Lab(toy_settings(tmp_path)) as lab:
        lab.submit("toy", {"steps": 5})
        supervisor = Supervisor(lab.settings)
        monkeypatch.setattr(leases, "hold", hold)
        monkeypatch.setattr(supervisor, "_gather", lambda: crews.append(Crew()) or crews[-1])
        assert supervisor.run(stop)
    assert len(crews) == 2
