"""Strangers: whose a job is, who may steer it, how much one may order, and what is written down."""

import itertools
import sqlite3
import time

import pytest
from sqlalchemy import insert, update

from lab.queue import database, keeping, texts
from lab.queue.access import Access, Visitor
from lab.queue.database import Unavailable, connect, jobs
from lab.queue.jobs import Lab
from lab.queue.leases import Progress, begin, finish, lease_next
from lab.queue.limits import Limits
from lab.queue.records import SHOWN
from lab.queue.settings import CORPORA
from tests.lab.conftest import toy_settings

pytestmark = pytest.mark.usefixtures("toys")

ANN, BOB = Visitor("ann", "own", "here"), Visitor("bob", "own", "there")
MONTH = 30 * 86400.0


def toy(steps: int = 5) -> dict[str, int]:
    return {"steps": steps}


def end(lab: Lab, number: int) -> None:
    assert lease_next(lab.engine, f"lease {number}") == number
    begin(lab.engine, number, f"lease {number}", "here")
    finish(lab.engine, number, f"lease {number}", Progress(5, 5), rows=[])


def test_only_owner_and_administrator_steer_a_job(lab: Lab) -> None:
    ann, bob = lab.seen_by(ANN), lab.seen_by(BOB)
    number = ann.submit("toy", toy())
    assert [(job.id, job.owner) for job in bob.jobs()] == [(number, "ann")]
    for act in (bob.pause, bob.resume, bob.cancel, bob.remove):
        with pytest.raises(ValueError, match=f"Job {number} was ordered by somebody else"):
            act(number)
    assert lab.job(number).state == "queued"
    ann.pause(number)
    lab.seen_by(Visitor("root", "read", admin=True)).cancel(number)
    assert lab.job(number).state == "cancelled"
    ann.remove(number)
    assert lab.jobs() == []


@pytest.mark.parametrize("who", [Visitor("ann", "read"), Visitor("", "own"), Visitor("", "off")])
def test_who_may_only_look_orders_and_steers_nothing(lab: Lab, who: Visitor) -> None:
    number = lab.submit("toy", toy())
    stranger = lab.seen_by(who)
    for act in (
        lambda: stranger.submit("toy", toy(7)),
        lambda: stranger.cancel(number),
        lambda: texts.add(stranger, b"text"),
    ):
        refused = r"nothing for visitors|cannot tell|closed on this server"
        with pytest.raises(ValueError, match=refused):
            act()
    assert [job.state for job in stranger.jobs()] == ["queued"]
    assert texts.stored(lab) == []


def test_no_visitor_fills_the_queue_a_network_half_of_it(tmp_path) -> None:
    with Lab(toy_settings(tmp_path, limits=Limits(mine=3, queue=10))) as lab:
        ann = lab.seen_by(ANN)
        for steps in (1, 2, 3):
            ann.submit("toy", toy(steps))
        assert ann.submit("toy", toy(2)) == 2  # the same job again is no new one
        with pytest.raises(ValueError, match="You have 3 jobs that wait, run or are paused"):
            ann.submit("toy", toy(4))
        again = lab.seen_by(Visitor("ann without her cookie", "own", "here"))
        for steps in (4, 5):
            again.submit("toy", toy(steps))
        with pytest.raises(ValueError, match="5 jobs from your network"):
            again.submit("toy", toy(6))
        assert lab.seen_by(BOB).submit("toy", toy(7))


def test_each_network_finds_places_and_resuming_takes_one(tmp_path) -> None:
    """Before, two networks took all of them, and what had failed came back beside a full queue."""

    def fill(network: str, least: int) -> int:
        """Number of jobs that visitors of this network may order."""
        for steps in itertools.count(least):
            one = lab.seen_by(Visitor(f"{network} {steps}", "own", network))
            try:
                one.submit("toy", toy(steps))
            except ValueError:
                return steps - least

    with Lab(toy_settings(tmp_path, limits=Limits(queue=20))) as lab:
        early = lab.seen_by(Visitor("early", "own", "one"))
        number = early.submit("toy", toy(1))
        with database.writing(lab.engine) as connection:
            connection.execute(update(jobs).values(state="failed"))
        shares = [fill(name, 100 * place) for place, name in enumerate("abcde", 1)]
        assert shares == [10, 5, 3, 1, 1]
        with pytest.raises(ValueError, match="20 jobs wait or run"):
            early.resume(number)
        assert lab.job(number).state == "failed"
        lab.cancel(number + 1)
        early.resume(number)
        assert lab.job(number).state == "queued"


def test_jobs_within_an_hour_are_counted_and_actions_are_logged(tmp_path, caplog) -> None:
    with Lab(toy_settings(tmp_path, limits=Limits(hourly=2))) as lab:
        ann = lab.seen_by(ANN)
        with caplog.at_level("INFO", "posenc.audit"):
            number = ann.submit("toy", toy())
            ann.pause(number)
        assert caplog.messages == [f"{act} 1 by 'ann' from 'here'" for act in ("order", "pause")]
        ann.cancel(ann.submit("toy", toy(6)))
        with pytest.raises(ValueError, match="2 jobs were ordered from here within an hour"):
            ann.submit("toy", toy(7))
        age(lab, number, created=time.time() - 3700)
        assert ann.submit("toy", toy(7))
        for cookie in range(18):
            guest = lab.seen_by(Visitor(f"guest {cookie}", "own", "here"))
            guest.cancel(guest.submit("toy", toy(10 + cookie)))
        with pytest.raises(ValueError, match="20 jobs were ordered from here"):
            lab.seen_by(Visitor("one more", "own", "here")).submit("toy", toy(99))
        assert lab.submit("toy", toy(99))  # the operator


def test_variables_are_refused_by_name_and_a_short_token_is_none() -> None:
    assert Access.from_environment({"POSENC_LAB": "own"}).mode == "own"
    with pytest.raises(ValueError, match="POSENC_LAB is 'yes'; it must be one of off, read, own"):
        Access.from_environment({"POSENC_LAB": "yes"})
    with pytest.raises(ValueError, match="POSENC_LAB_ADMIN has 6 characters; it must have at"):
        Access.from_environment({"POSENC_LAB_ADMIN": "secret"})


# What nobody comes back to


def age(lab: Lab, number: int, **columns: float) -> None:
    with database.writing(lab.engine) as connection:
        connection.execute(update(jobs).where(jobs.c.id == number).values(**columns))


def test_what_visitors_left_expires_and_the_operators_stays(tmp_path) -> None:
    with Lab(toy_settings(tmp_path)) as lab:
        ann, old = lab.seen_by(ANN), time.time() - MONTH
        for steps, by in ((1, ann), (2, ann), (3, lab), (4, ann)):
            number = by.submit("toy", toy(steps))
            end(lab, number)
            lab.settings.folder(number).mkdir(parents=True)
        age(lab, 1, finished=old)
        age(lab, 3, finished=old)
        for steps, by in ((5, ann), (6, lab), (7, ann)):
            by.pause(by.submit("toy", toy(steps)))
        age(lab, 5, changed=time.time() - 13 * 3600)
        age(lab, 6, changed=old)
        keeping.tidy(lab.engine, lab.settings)
        states = {job.id: job.state for job in lab.jobs()}
        assert states == {7: "paused", 6: "paused", 5: "cancelled", 4: "done", 3: "done", 2: "done"}
        assert not lab.settings.folder(1).exists()
        assert lab.settings.folder(3).exists()


def test_ended_jobs_kept_for_a_visitor_are_limited(tmp_path) -> None:
    with Lab(toy_settings(tmp_path, limits=Limits(ended=300))) as lab:
        lab.submit("toy", toy())  # stays in the queue while hundreds come and go
        done = {"kind": "toy", "payload": {}, "state": "done", "operations": 1.0}
        done |= {"finished": time.time(), "created": time.time(), "origin": ""}
        owners = ["", "ann", *["a stranger"] * 1000]
        with database.writing(lab.engine) as connection:
            connection.execute(insert(jobs), [done | {"owner": owner} for owner in owners])
        assert [job.id for job in lab.shown()] == [*range(1003, 1003 - SHOWN, -1), 1]
        keeping.tidy(lab.engine, lab.settings)
        assert [job.id for job in lab.jobs()] == [*range(1003, 703, -1), 3, 2, 1]


def test_an_equal_order_of_somebody_else_is_another_job(lab: Lab) -> None:
    first = lab.seen_by(ANN).submit("toy", toy())
    his = lab.seen_by(BOB).submit("toy", toy())
    assert his != first
    lab.seen_by(BOB).cancel(his)
    assert lab.seen_by(ANN).submit("toy", toy()) == first


def test_paused_jobs_keep_nobody_out_of_the_queue(tmp_path) -> None:
    with Lab(toy_settings(tmp_path, limits=Limits(mine=4, queue=4))) as lab:
        for owner in ("ann", "bea"):
            stranger = lab.seen_by(Visitor(owner, "own", owner))
            for steps in (1, 2):
                stranger.pause(stranger.submit("toy", toy(steps)))
        assert lab.seen_by(BOB).submit("toy", toy(9))


def test_unread_texts_are_kept_an_hour_so_many_a_network(tmp_path) -> None:
    with Lab(toy_settings(tmp_path, limits=Limits(texts=1000))) as lab:
        for number in range(5):
            who = Visitor(f"cookie {number}", "own", "one network")
            path = texts.add(lab.seen_by(who), bytes([65 + number]) * 1000)
            cancelled = lab.seen_by(who).submit("toy", toy(number) | {"text": path})
            lab.seen_by(who).cancel(cancelled)  # else it costs nothing to keep a text for weeks
        with pytest.raises(ValueError, match=r"0\.0 MB of texts on this server came from your"):
            texts.add(lab.seen_by(Visitor("another cookie", "own", "one network")), b"x" * 10)
        texts.add(lab.seen_by(Visitor("another cookie", "own", "another network")), b"x" * 10)
        texts.add(lab, b"the operator's")
        with database.writing(lab.engine) as connection:
            connection.execute(update(texts.texts).values(used=time.time() - 3700))
        keeping.tidy(lab.engine, lab.settings)
        assert [text.bytes for text in texts.stored(lab)] == [14]


def test_a_log_keeps_its_newer_half_while_it_is_written(tmp_path, monkeypatch) -> None:
    monkeypatch.setattr(keeping, "LONGEST_LOG", 1000)
    log = tmp_path / "worker.log"
    with log.open("ab", buffering=0) as writer:
        for number in range(200):
            writer.write(b"line %d\n" % number)
        keeping.shorten(log)
        writer.write(b"the last\n")
    kept = log.read_text().splitlines()
    assert kept == [f"line {n}" for n in range(200 - len(kept) + 1, 200)] + ["the last"]
    assert 400 < log.stat().st_size <= 510


def test_texts_are_counted_listed_removed_and_expire(tmp_path) -> None:
    settings = toy_settings(tmp_path, limits=Limits(texts=1000))
    with Lab(settings) as lab:
        ann, bob = lab.seen_by(ANN), lab.seen_by(BOB)
        texts.add(ann, b"a" * 600)
        texts.add(bob, b"a" * 600)
        assert texts.add(ann, b"a" * 600) == str(tmp_path / CORPORA / texts.name_of(b"a" * 600))
        with pytest.raises(ValueError, match=r"Your texts on this server have 0.0 MB"):
            texts.add(ann, b"b" * 600)
        (one,) = texts.stored(ann)
        assert (one.bytes, len(list((tmp_path / CORPORA).iterdir()))) == (600, 1)
        with pytest.raises(ValueError, match=r"There is no text '../secret' of yours"):
            texts.remove(ann, "../secret")
        texts.remove(ann, one.name)
        assert (texts.stored(ann), len(texts.stored(bob))) == ([], 1)
        lab.submit("toy", toy() | {"text": str(tmp_path / CORPORA / one.name)})
        with database.writing(lab.engine) as connection:
            connection.execute(update(database.texts).values(used=time.time() - MONTH))
        keeping.tidy(lab.engine, settings)
        with pytest.raises(ValueError, match="A job that is not over needs this text"):
            texts.remove(bob, one.name)
        lab.cancel(1)
        keeping.tidy(lab.engine, settings)
        assert (texts.stored(bob), list((tmp_path / CORPORA).iterdir())) == ([], [])


# What breaks


def test_a_database_that_is_no_database_is_one_kind_of_error(tmp_path, monkeypatch) -> None:
    """And it is told at once: nothing waits to try again."""
    (tmp_path / "runs.sqlite").write_bytes(b"not a database" * 1000)
    monkeypatch.setattr("time.sleep", lambda seconds: pytest.fail("it is tried again"))
    with pytest.raises(Unavailable, match="The lab does not answer"):
        Lab(toy_settings(tmp_path))
    with pytest.raises(Unavailable, match="The lab does not answer"):
        Lab(toy_settings(tmp_path, "postgresql://nobody@127.0.0.1:1/nothing"))
    full = database.answering()
    with pytest.raises(Unavailable, match="disk of the lab is full"), full:
        raise OSError(28, "No space left on device")


def test_an_order_beside_endless_writing_is_a_sentence(tmp_path, monkeypatch) -> None:
    monkeypatch.setattr("lab.queue.records.PATIENCE", 0.1)
    with Lab(toy_settings(tmp_path)) as lab, sqlite3.connect(tmp_path / "runs.sqlite") as other:
        other.execute("BEGIN IMMEDIATE")
        with pytest.raises(Unavailable, match="The lab does not answer"):
            lab.submit("toy", toy())


def test_a_database_whose_file_was_removed_is_a_ghost(tmp_path) -> None:
    with Lab(toy_settings(tmp_path)) as lab:
        assert not lab.lost()
        (tmp_path / "runs.sqlite").unlink()
        assert lab.lost()
        connect(lab.settings.database).dispose()
        assert lab.lost()  # another file of the same name
