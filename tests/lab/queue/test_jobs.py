"""The runs database, in SQLite and in a real PostgreSQL: who may write what, and only once."""

import itertools
import math
import sqlite3
import threading
import time
from concurrent.futures import ThreadPoolExecutor

import psycopg
import pytest
from sqlalchemy import text, update
from sqlalchemy.exc import OperationalError, StatementError

from lab.queue import database, leases
from lab.queue.access import Visitor
from lab.queue.jobs import Lab
from lab.queue.leases import Progress
from lab.queue.limits import Limits
from tests.lab.conftest import toy_settings

pytestmark = pytest.mark.usefixtures("toys")

TOY = {"steps": 10}
ROWS = [{"loss": 1.5}, {"loss": 2.5}]


def at_once(count, function):
    """Call function(i) in threads that start together; the results."""
    barrier = threading.Barrier(count)

    def call(i):
        barrier.wait()
        return function(i)

    with ThreadPoolExecutor(count) as pool:
        return list(pool.map(call, range(count)))


def begun(lab, lease="mine", **payload):
    """A job that a worker has begun under this lease."""
    number = lab.submit("toy", {**TOY, **payload})
    assert leases.lease_next(lab.engine, lease) == number
    assert leases.begin(lab.engine, number, lease, "here:1").id == number
    return number


def test_a_job_from_the_queue_to_its_result(lab):
    before = time.time()
    number = lab.submit("toy", TOY)
    waiting = lab.job(number)
    assert (waiting.state, waiting.payload, waiting.attempts) == ("queued", TOY, 0)
    assert before - 0.01 < waiting.created < time.time() + 0.01  # a database counts in ms
    assert leases.lease_next(lab.engine, "mine") == number
    assert leases.lease_next(lab.engine, "other") is None
    assert leases.begin(lab.engine, number, "mine", "here:1") is not None
    assert leases.begin(lab.engine, number, "mine", "here:2") is None
    assert leases.beat(lab.engine, number, "mine", Progress(4, 10, {"loss": 2}, 8.0)) == (
        True,
        None,
    )
    running = lab.job(number)
    assert (running.state, running.done, running.total) == ("running", 4, 10)
    assert (running.values, running.worker, running.remaining) == ({"loss": 2}, "here:1", 12.0)
    assert leases.finish(lab.engine, number, "mine", Progress(10, 10, {}, 9.0), ROWS)
    done = lab.job(number)
    assert (done.state, done.done, done.worker, done.ended) == ("done", 10, None, True)
    assert done.created <= done.started <= done.finished
    assert lab.results() == [{**row, "job": number} for row in ROWS]


def test_every_job_is_claimed_once(lab):
    numbers = [lab.submit("toy", {"steps": n}) for n in range(1, 13)]

    def claim_all(i):
        engine, taken = database.connect(lab.settings.database), []
        misses = 0
        while misses < 3:
            number = leases.lease_next(engine, f"{i}")
            misses += number is None
            taken += [] if number is None else [number]
        engine.dispose()
        return taken

    taken = at_once(6, claim_all)
    assert sorted(itertools.chain(*taken)) == numbers


def test_a_new_database_may_be_opened_by_many_at_once(settings):
    for lab in at_once(8, lambda _: Lab(settings)):
        assert lab.jobs() == []
        lab.close()


def test_a_new_file_waits_for_another_that_makes_it(tmp_path):
    """SQLite itself does not wait when a file changes to WAL while somebody writes to it."""
    file = tmp_path / "runs.sqlite"
    maker = sqlite3.connect(file, isolation_level=None, check_same_thread=False)
    maker.execute("BEGIN IMMEDIATE")
    later = threading.Timer(0.3, maker.commit)
    later.start()
    engine = database.connect(f"sqlite:///{file}")
    with database.reading(engine) as connection:
        assert connection.scalar(text("PRAGMA journal_mode")) == "wal"
    later.join()
    maker.close()
    engine.dispose()


def test_what_no_wait_can_mend_is_said_at_once(tmp_path, monkeypatch):
    monkeypatch.setattr(database.time, "sleep", lambda _: pytest.fail("it waits"))
    sqlite3.connect(tmp_path / "runs.sqlite").execute("CREATE TABLE one (x)")
    url = f"sqlite:///file:{tmp_path / 'runs.sqlite'}?mode=ro&uri=true"
    with pytest.raises(OperationalError, match="readonly"):
        database.connect(url)


def test_the_queue_holds_no_more_than_it_may(settings):
    small = settings.changed(limits=Limits(queue=3))

    def submit(i):
        with Lab(small) as lab:
            try:
                return lab.submit("toy", {"steps": i + 1})
            except ValueError as error:
                return str(error)

    answers = at_once(6, submit)
    refusals = [a for a in answers if isinstance(a, str)]
    assert len(refusals) == 3
    assert "more than the 3 that are allowed at a time" in refusals[0]


def test_equal_jobs_are_one_until_they_end(lab):
    first = lab.submit("toy", TOY)
    assert lab.submit("toy", dict(TOY)) == first
    lab.cancel(first)
    assert lab.submit("toy", TOY) != first


def test_who_has_lost_the_claim_writes_nothing(lab):
    number = begun(lab, "old")
    assert leases.release(lab.engine, number, "old", 5)
    assert leases.lease_next(lab.engine, "new") == number
    assert leases.beat(lab.engine, number, "old", Progress(9, 10)) == (False, None)
    assert not leases.finish(lab.engine, number, "old", Progress(10, 10), ROWS)
    assert not leases.release(lab.engine, number, "old", 5)
    assert lab.job(number).done == 0
    assert lab.results() == []
    assert leases.begin(lab.engine, number, "new", "here:2") is not None
    assert leases.finish(lab.engine, number, "new", Progress(10, 10), ROWS)
    assert not leases.finish(lab.engine, number, "new", Progress(10, 10), ROWS)
    assert len(lab.results()) == 2


def test_rows_and_ending_are_one_transaction(lab):
    number = begun(lab)
    with pytest.raises((TypeError, StatementError)):
        leases.finish(lab.engine, number, "mine", Progress(10, 10), [{"row": object()}])
    assert lab.job(number).state == "running"
    assert lab.results() == []


@pytest.mark.parametrize("heard", [-20, 3600])
def test_silent_workers_lose_their_jobs_and_others_keep_them(lab, heard):
    """A clock that has been set back since leaves signs of life in the future."""
    silent, speaking = begun(lab, "a", n=1), begun(lab, "b", n=2)
    with database.writing(lab.engine) as connection:
        long_ago = update(database.jobs).where(database.jobs.c.id == silent)
        connection.execute(long_ago.values(heartbeat=database.now() + heard))
    assert leases.reap(lab.engine, 10, 5) == 1
    assert [lab.job(n).state for n in (silent, speaking)] == ["queued", "running"]


def test_a_claim_that_waits_for_its_worker_is_kept_alive(lab):
    number = lab.submit("toy", TOY)
    leases.lease_next(lab.engine, "mine")
    with database.writing(lab.engine) as connection:
        connection.execute(update(database.jobs).values(heartbeat=database.now() - 20))
    leases.wait_with(lab.engine, ["mine"])
    assert leases.reap(lab.engine, 10, 5) == 0
    assert lab.job(number).state == "running"


def test_a_job_that_kills_its_workers_fails_in_the_end(lab):
    number = lab.submit("toy", TOY)

    def die(at_step):
        leases.lease_next(lab.engine, "mine")
        leases.begin(lab.engine, number, "mine", "here:1")
        leases.beat(lab.engine, number, "mine", Progress(at_step, 10))
        leases.release(lab.engine, number, "mine", 3)
        return lab.job(number).state

    assert [die(4), die(3), die(5), die(5)] == ["queued"] * 4  # step 5 is further than ever
    assert die(5) == "failed"
    assert "ended 3 times without getting further" in lab.job(number).error
    lab.resume(number)
    assert (lab.job(number).state, lab.job(number).error) == ("queued", None)
    assert die(5) == "queued"


def test_what_is_no_number_is_none(lab):
    number = begun(lab)
    points = [
        {"name": "loss", "done": i, "value": v} for i, v in enumerate([1.0, math.nan, -math.inf])
    ]
    progress = Progress(2, 10, {"loss": math.nan}, points=points)
    leases.beat(lab.engine, number, "mine", progress)
    assert lab.job(number).values == {"loss": None}
    assert lab.metrics(number) == {"loss": ([0, 1, 2], [1.0, None, None])}
    leases.finish(lab.engine, number, "mine", progress, [{"deep": [{"loss": math.inf}]}])
    assert lab.results(job=number) == [{"deep": [{"loss": None}], "job": number}]


def test_a_step_that_is_told_twice_counts_once(lab):
    number = begun(lab)
    for value in (3.0, 2.0):
        point = {"name": "loss", "done": 7, "value": value}
        leases.beat(lab.engine, number, "mine", Progress(7, 10, points=[point]))
    assert lab.metrics(number) == {"loss": ([7], [2.0])}


@pytest.mark.parametrize(("ask", "state"), [("pause", "paused"), ("cancel", "cancelled")])
def test_a_running_job_is_asked_and_a_waiting_one_moved(lab, ask, state):
    waiting, running = None, begun(lab, n=1)
    waiting = lab.submit("toy", TOY)
    getattr(lab, ask)(waiting)
    getattr(lab, ask)(running)
    assert lab.job(waiting).state == state
    assert (lab.job(running).state, lab.job(running).wanted) == ("running", state)
    assert leases.beat(lab.engine, running, "mine", Progress()) == (True, state)
    leases.finish(lab.engine, running, "mine", Progress())
    assert (lab.job(running).state, lab.job(running).wanted) == (state, None)


def test_a_dead_workers_job_takes_the_state_asked_for(lab):
    number = begun(lab)
    lab.pause(number)
    leases.release(lab.engine, number, "mine", 5)
    assert lab.job(number).state == "paused"


def test_a_pause_can_be_taken_back_and_a_cancelling_cannot(lab):
    number = begun(lab)
    lab.pause(number)
    lab.resume(number)
    assert lab.job(number).wanted is None
    lab.cancel(number)
    for ask in (lab.pause, lab.resume):
        with pytest.raises(ValueError, match=f"Job {number} is running"):
            ask(number)
    assert lab.job(number).wanted == "cancelled"


def test_a_supervisor_that_ends_leaves_its_jobs_in_the_queue(lab):
    running, pausing = begun(lab, "a", n=1), begun(lab, "b", n=2)
    lab.pause(pausing)
    leases.ask_back(lab.engine, ["a", "b"])
    for number, lease in ((running, "a"), (pausing, "b")):
        leases.finish(lab.engine, number, lease, Progress())
    assert [lab.job(n).state for n in (running, pausing)] == ["queued", "paused"]


def test_what_has_ended_stays_ended(lab):
    number = begun(lab)
    leases.finish(lab.engine, number, "mine", Progress(10, 10), ROWS)
    for ask in (lab.pause, lab.cancel, lab.resume):
        with pytest.raises(ValueError, match=f"Job {number} is done and cannot be"):
            ask(number)


def test_a_removed_job_takes_all_but_its_number(lab):
    number = begun(lab)
    folder = lab.settings.folder(number)
    folder.mkdir(parents=True)
    with pytest.raises(ValueError, match="cancel it before"):
        lab.remove(number)
    points = [{"name": "loss", "done": 1, "value": 1.0}]
    leases.finish(lab.engine, number, "mine", Progress(10, 10, points=points), ROWS)
    lab.remove(number)
    assert (lab.jobs(), lab.results(), lab.metrics(number)) == ([], [], {})
    assert not folder.exists()
    assert lab.submit("toy", TOY) > number
    with pytest.raises(ValueError, match=f"There is no job {number}"):
        lab.job(number)


def test_one_supervisor_at_a_time(lab):
    def hold(i):
        engine = database.connect(lab.settings.database)
        held = leases.hold(engine, f"{i}", 60)
        engine.dispose()
        return held

    assert sum(at_once(6, hold)) == 1
    assert leases.supervised(lab.engine, 60)
    holder = next(f"{i}" for i in range(6) if leases.hold(lab.engine, f"{i}", 60))
    leases.let_go(lab.engine, holder)
    assert not leases.supervised(lab.engine, 60)
    assert leases.hold(lab.engine, "next", 60)
    time.sleep(0.05)
    assert leases.hold(lab.engine, "after a silence", 0.01)
    assert not leases.hold(lab.engine, "next", 60)


@pytest.mark.parametrize("url", ["", "nonsense", "mysql://host/name", "sqlite://", "sqlite:///"])
def test_an_address_that_is_no_database_is_refused_in_a_sentence(url):
    with pytest.raises(ValueError, match=r"sqlite:///FILE"):
        database.connect(url)


def test_owners_take_turns(lab):
    who = {name: lab.seen_by(Visitor(name, "own")) for name in ("ann", "bob", "eve")}
    orders = [("ann", 1), ("ann", 2), ("ann", 3), ("bob", 4), ("bob", 5), ("eve", 6)]
    names = {who[name].submit("toy", {"steps": steps}): f"{name} {steps}" for name, steps in orders}
    taken = []
    for turn in range(len(orders)):
        number = leases.lease_next(lab.engine, f"lease {turn}")
        taken.append(names[number])
        leases.begin(lab.engine, number, f"lease {turn}", "here")
        leases.finish(lab.engine, number, f"lease {turn}", Progress(), rows=[])
    assert taken == ["ann 1", "bob 4", "eve 6", "ann 2", "bob 5", "ann 3"]


def test_a_cookie_an_order_keeps_no_network_waiting(lab):
    """Whoever was never served comes first; a stranger is that each time, in a new window."""
    ann = lab.seen_by(Visitor("ann", "own", "home"))
    first, second = (ann.submit("toy", {"steps": steps}) for steps in (1, 2))
    taken = []
    for turn in range(5):
        lab.seen_by(Visitor(f"cookie {turn}", "own", "elsewhere")).submit("toy", {"steps": 3})
        taken.append(leases.lease_next(lab.engine, f"lease {turn}"))
        leases.begin(lab.engine, taken[-1], f"lease {turn}", "here")
        leases.finish(lab.engine, taken[-1], f"lease {turn}", Progress(), rows=[])
    assert (taken[0], taken[2]) == (first, second)


def test_who_has_a_job_running_comes_after_who_has_none(lab):
    ann, bob = (lab.seen_by(Visitor(name, "own")) for name in ("ann", "bob"))
    first, second, third = (ann.submit("toy", {"steps": steps}) for steps in (1, 2, 3))
    assert leases.lease_next(lab.engine, "a") == first
    other = bob.submit("toy", {"steps": 4})
    assert [leases.lease_next(lab.engine, lease) for lease in "bcd"] == [other, second, third]


def test_a_postgresql_that_stops_answering_ends_in_a_sentence(
    postgres_server, tmp_path, monkeypatch
):
    engine = database.connect(postgres_server)
    with database.answering(), database.reading(engine) as connection:
        connection.execute(text("SELECT 1"))
    monkeypatch.setattr("lab.postgres.PATIENCE", 0.5)
    # Where the answer is waited for nothing is raised.
    with pytest.raises(database.Unavailable), database.answering(), database.reading(engine) as one:
        one.execute(text("SELECT pg_sleep(60)"))
    monkeypatch.undo()
    with database.reading(engine) as connection:
        assert connection.scalar(text("SELECT 2")) == 2  # by a new connection
    engine.dispose()


def test_a_postgresql_without_a_language_keeps_letters(postgres_server, tmp_path):
    with psycopg.connect(postgres_server, autocommit=True) as connection:
        connection.execute(
            "CREATE DATABASE plain ENCODING 'SQL_ASCII' LC_COLLATE 'C' LC_CTYPE 'C' "
            "TEMPLATE template0"
        )
    address = postgres_server.replace("///postgres?", "///plain?")
    with Lab(toy_settings(tmp_path, address)) as lab:
        number = begun(lab)
        leases.finish(lab.engine, number, "mine", Progress(), error="ein Fehler: ü")
        assert lab.job(number).error == "ein Fehler: ü"
