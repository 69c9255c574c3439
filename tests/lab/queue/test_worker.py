"""The pulse around a job: curves that stay short, leases that get lost, databases that go away."""

import errno
import os
import threading
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
from sqlalchemy.exc import OperationalError

from lab.queue import leases
from lab.queue import worker as workers
from lab.queue.jobs import Lab
from lab.queue.settings import LabSettings
from lab.queue.supervisor import Supervisor
from lab.queue.work import orders
from lab.queue.worker import Lost, Pulse, first_line, run_job, sentence
from lab.training.checkpoints import write_whole
from tests.lab.conftest import toy_settings
from tests.lab.processes import PATIENCE, until
from tests.lab.toy import undisturbed

pytestmark = pytest.mark.usefixtures("toys")


@pytest.fixture
def lab(tmp_path: Path) -> Iterator[Lab]:
    with Lab(toy_settings(tmp_path, silence=0.5)) as opened:
        yield opened


def leased(lab: Lab, **payload) -> int:
    number = lab.submit("toy", {"steps": 20, **payload})
    assert leases.lease_next(lab.engine, "mine") == number
    return number


def pulse_of(lab: Lab, number: int) -> Pulse:
    leases.begin(lab.engine, number, "mine", "here:1")
    return Pulse(lab.engine, lab.settings, number, "mine", 0.0)


def test_a_job_is_done_and_a_second_call_does_nothing(lab: Lab) -> None:
    number = leased(lab)
    run_job(lab.settings, number, "mine")
    assert lab.job(number).state == "done"
    run_job(lab.settings, number, "mine")
    assert lab.results()[0] == {**undisturbed(20), "job": number}
    steps, losses = lab.metrics(number)["loss"]
    assert steps == list(range(1, 21))
    assert losses == [None if step == 3 else 1 / step for step in steps]


def test_a_long_curve_stays_short_and_has_its_last_point(lab: Lab) -> None:
    pulse = pulse_of(lab, leased(lab))
    for step in range(1, 100_001):
        pulse.report(step, 100_000, {"loss": 1.0, "text": "not a curve"})
    steps = [point["done"] for point in pulse.progress().points]
    assert 500 < len(steps) < 520
    assert steps == sorted(set(steps))
    assert steps[-1] == 100_000
    assert pulse.progress().points == []


def test_reports_that_are_far_apart_are_all_kept(lab: Lab) -> None:
    pulse = pulse_of(lab, leased(lab))
    for step in range(10, 1001, 10):
        pulse.report(step, 1000, {"loss": 1.0})
    assert len(pulse.points) == 100


def test_what_is_no_json_fails_in_the_work(lab: Lab) -> None:
    with pytest.raises(TypeError):
        pulse_of(lab, leased(lab)).report(1, 2, {"loss": object()})


def test_a_lost_claim_stops_the_work_whatever_it_catches(lab: Lab) -> None:
    number = leased(lab)
    with pulse_of(lab, number) as pulse:
        assert not pulse.should_stop()
        leases.release(lab.engine, number, "mine", 5)
        until(lambda: pulse.lost, "the loss")
        for call in (pulse.should_stop, lambda: pulse.report(1, 2, {})):
            with pytest.raises(Lost):
                call()
    assert not issubclass(Lost, Exception)


def test_a_database_that_goes_away_for_a_while_loses_nothing(
    lab: Lab, monkeypatch: pytest.MonkeyPatch
) -> None:
    real, failures = leases.beat, iter([True] * 3)

    def beat(*arguments):
        if next(failures, False):
            raise OperationalError("UPDATE", {}, Exception("the database is away"))
        return real(*arguments)

    monkeypatch.setattr(leases, "beat", beat)
    number = leased(lab)
    with pulse_of(lab, number) as pulse:
        pulse.report(1, 2, {"loss": 3.0})
        until(lambda: lab.metrics(number), "the point")
    assert lab.metrics(number) == {"loss": ([1], [3.0])}


def test_work_that_does_not_stop_is_ended_with_its_process(
    lab: Lab, monkeypatch: pytest.MonkeyPatch
) -> None:
    ended = threading.Event()
    monkeypatch.setattr(workers, "GRACE", 0.1)
    monkeypatch.setattr(os, "_exit", lambda status: ended.set())
    number = leased(lab)
    with pulse_of(lab, number):
        lab.cancel(number)
        assert ended.wait(PATIENCE)
    assert lab.job(number).state == "cancelled"


def test_running_time_goes_on_where_the_last_attempt_ended(lab: Lab) -> None:
    number = leased(lab)
    leases.begin(lab.engine, number, "mine", "here:1")
    pulse = Pulse(lab.engine, lab.settings, number, "mine", 3 * 3600.0)
    assert pulse.should_stop()
    assert "It ran for 3 hours, and 2 are allowed here" in pulse.overtime


@pytest.mark.parametrize("number", [errno.ENOSPC, errno.EDQUOT])
def test_a_job_waits_while_its_disk_is_full(
    lab: Lab, monkeypatch: pytest.MonkeyPatch, number: int
) -> None:
    job = leased(lab)

    def full(*about: object) -> None:
        write_whole(lab.settings.folder(job) / "state", b"x")
        raise OSError(number, os.strerror(number))

    with monkeypatch.context() as patch:
        patch.setattr(orders, "perform", full)
        run_job(lab.settings, job, "mine")
    found = lab.job(job)
    assert (found.state, found.error) == ("queued", None)
    with monkeypatch.context() as patch:
        patch.setattr(LabSettings, "free_bytes", lambda _: 0)
        supervisor = Supervisor(lab.settings)
        assert not supervisor._start_one(ThreadPoolExecutor())
        assert lab.job(job).state == "queued"
    assert leases.lease_next(lab.engine, "mine") == job
    run_job(lab.settings, job, "mine")
    assert lab.job(job).state == "done"
    assert lab.results()[0] == {**undisturbed(20), "job": job}


def test_half_a_file_does_not_stay_on_a_full_disk(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(_: int) -> None:
        raise OSError(errno.ENOSPC, "No space left on device")

    write_whole(tmp_path / "state", b"old")
    monkeypatch.setattr(os, "fsync", full)
    with pytest.raises(OSError, match="No space"):
        write_whole(tmp_path / "state", b"new")
    assert [file.read_bytes() for file in tmp_path.iterdir()] == [b"old"]


UNREAD = "A file of the lab cannot be read or written: No such file. Resume it later."


@pytest.mark.parametrize(
    ("error", "text"),
    [
        (ValueError("Too long.\nmore"), "Too long."),
        (ValueError(), "ValueError: "),
        (KeyError("x"), "KeyError: 'x'"),
        (RuntimeError("a\0b\ud800" + "c" * 999), "RuntimeError: ab?" + "c" * 296),
        (OperationalError("SELECT", {}, Exception("no route")), "OperationalError: no route"),
        # Readers are told no path of the server.
        (FileNotFoundError(2, "No such file", "/srv/lab/7"), UNREAD),
    ],
)
def test_an_error_becomes_a_line_that_a_database_holds(error: Exception, text: str) -> None:
    assert sentence(error) == text
    assert len(first_line(error)) <= 300
