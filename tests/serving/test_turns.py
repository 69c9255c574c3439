"""Runs of screens take turns: two at a time, and next is who has used least."""

import asyncio

import pytest
from prometheus_client import REGISTRY
from streamlit.proto.BackMsg_pb2 import BackMsg
from streamlit.proto.ForwardMsg_pb2 import ForwardMsg

from serving import figures, network, turns
from serving.sessions import SCREEN
from serving.websocket import ENDED
from tests.conftest import awaited

RUN = BackMsg(rerun_script={"query_string": ""}).SerializeToString()
HEART = BackMsg(app_heartbeat=True).SerializeToString()
OVER = ForwardMsg(script_finished=ForwardMsg.FINISHED_SUCCESSFULLY).SerializeToString()
REPLACED = ForwardMsg(script_finished=ForwardMsg.FINISHED_EARLY_FOR_RERUN).SerializeToString()


class Runs:
    """An app whose runs end when they are told to, and which notes whose they are."""

    def __init__(self) -> None:
        self.begun = []
        self.ends = {}

    async def __call__(self, scope, receive, send):
        while (message := await receive())["type"] == "websocket.receive":
            if message["bytes"] == RUN:
                network = scope["client"][0]
                self.begun.append(network)
                self.ends[len(self.begun)] = send

    async def end(self, number, how=OVER):
        await self.ends[number]({"type": "websocket.send", "bytes": how})


def opened(served, network, *said, ended=None, later=None):
    """A connection that says this at once, and more later; it stays open, or has ended unheard."""
    waiting = [*said]

    async def receive():
        word = waiting.pop(0) if waiting else await (later.get() if later else asyncio.Future())
        message = {"type": "websocket.receive", "bytes": word}
        return message | {SCREEN: ""} if word == RUN else message

    async def send(_message):
        pass

    ended = ended or asyncio.Future()
    scope = {"type": "websocket", "client": (network, 1), ENDED: ended}
    return asyncio.create_task(served(scope, receive, send))


async def settled():
    for _ in range(10):
        await asyncio.sleep(0)


@pytest.fixture
def clock(monkeypatch):
    """Seconds that pass when a test says so; turns last for long."""
    monkeypatch.setattr(turns, "SECONDS", 60.0)
    now = [1000.0]
    monkeypatch.setattr(turns.time, "monotonic", lambda: now[0])
    return now


async def leave(connections):
    for one in connections:
        one.cancel()
    await asyncio.gather(*connections, return_exceptions=True)


def test_next_is_who_has_used_least(clock):
    """Whoever kept the server busy waits for those who did not, however many pages that is."""
    app = Runs()
    served = turns.Turns(app)

    async def play():
        more = [asyncio.Queue(), asyncio.Queue()]
        connections = [opened(served, "greedy", RUN, later=queue) for queue in more]
        await settled()
        for end in (1, 2):
            clock[0] += 10
            await app.end(end)
        for queue in more:
            queue.put_nowait(RUN)
        await settled()
        clock[0] += 10
        connections += [opened(served, name, RUN) for name in ("a", "b", "b", "b", "b")]
        for end, queue in zip((3, 4), more, strict=True):
            await app.end(end)
            queue.put_nowait(RUN)
            await settled()
        for end in range(5, 9):
            clock[0] += 0.1
            await app.end(end)
            await settled()
        await leave(connections)

    awaited(play())
    assert app.begun == ["greedy"] * 4 + ["a", "b", "b", "b", "b", "greedy"]


def test_single_pages_do_not_starve_a_class_of_one_address(clock):
    """Each of sixty networks asks again at once; each of twenty readers of one moves now and then.

    With a turn for each network in its order the class had one of 61.
    """
    app = Runs()
    served = turns.Turns(app)
    due = 20 * 4

    async def play():
        wishes = {f"192.0.2.{n}": asyncio.Queue() for n in range(60)}
        moves = [asyncio.Queue() for _ in range(20)]
        connections = [opened(served, at, later=queue) for at, queue in wishes.items()]
        connections += [opened(served, "class", later=queue) for queue in moves]
        for queue in wishes.values():
            queue.put_nowait(RUN)
        await settled()
        done = 0
        for tick in range(4 * 60):  # of a twentieth of a second: two runs each
            for n, queue in enumerate(moves):
                if (tick + 3 * n) % 60 == 0:
                    queue.put_nowait(RUN)
            await settled()
            clock[0] += 0.05
            while done < len(app.begun):
                done += 1
                await app.end(done)
                if app.begun[done - 1] != "class":
                    wishes[app.begun[done - 1]].put_nowait(RUN)
                if done % turns.RUNS == 0:
                    break
            await settled()
        await leave(connections)

    awaited(play())
    assert app.begun.count("class") > 0.9 * due


def test_readers_beyond_a_class_share_what_one_may_use(clock):
    """Four hundred pages of one address count as a hundred."""
    one = turns.Reader(turns.Use(), is_trusted=False, own=turns.Use())
    crowd = turns.Use()
    many = [turns.Reader(crowd, False, turns.Use()) for _ in range(4 * turns.CLASS)]
    for reader in (one, *many):
        reader.begun = 1000.0 - 0.1
        reader.count()
    assert many[0].rank() == pytest.approx(4 * one.rank())


def test_who_opens_another_page_for_each_wish_gains_nothing(clock):
    app = Runs()
    served = turns.Turns(app)

    async def play():
        more = asyncio.Queue()
        connections = [opened(served, "reader", RUN, later=more), opened(served, "hasty", RUN)]
        await settled()
        await app.end(1)
        more.put_nowait(RUN)
        await settled()
        clock[0] += 5
        await app.end(3)
        clock[0] += 5
        await app.end(2)
        connections[1].cancel()  # it comes again with another page
        connections += [opened(served, at, RUN) for at in ("first", "second")]
        await settled()
        connections += [opened(served, "hasty", RUN)]
        await settled()
        more.put_nowait(RUN)
        await settled()
        for end in (4, 5):
            await app.end(end)
            await settled()
        await leave(connections)

    awaited(play())
    assert app.begun[3:] == ["first", "second", "reader", "hasty"]


def test_one_of_two_turns_is_for_pages_that_stayed(clock):
    """Sixty new pages had used nothing: each of their dear runs went before a class's next move."""
    app = Runs()
    served = turns.Turns(app)

    async def play():
        moves = [asyncio.Queue() for _ in range(3)]
        connections = [opened(served, "class", RUN, later=queue) for queue in moves]
        for end in range(1, 7):  # two moves of each
            await settled()
            clock[0] += 5
            await app.end(end)
            if end <= 3:
                moves[end - 1].put_nowait(RUN)
        clock[0] += turns.MINUTE
        connections += [opened(served, f"192.0.2.{n}", RUN) for n in range(60)]
        await settled()
        for queue in moves:
            queue.put_nowait(RUN)
        await settled()
        for end in range(7, 13):
            clock[0] += 1
            await app.end(end)
            await settled()
        await leave(connections)

    awaited(play())
    assert app.begun[8:14].count("class") == 3


def test_a_line_that_asks_before_its_answer_came_goes_behind(clock):
    app = Runs()
    served = turns.Turns(app)

    async def play():
        more, again = asyncio.Queue(), asyncio.Queue()
        connections = [
            opened(served, "hasty", RUN, later=more),
            opened(served, "other", RUN, later=again),
        ]
        await settled()
        more.put_nowait(RUN)
        await settled()  # it replaces the run: nobody waits
        assert app.begun == ["hasty", "other", "hasty"]
        clock[0] += 0.1
        connections += [opened(served, "third", RUN), opened(served, "fourth", RUN)]
        await settled()
        for end in (3, 2):
            await app.end(end)
        more.put_nowait(RUN)
        again.put_nowait(RUN)
        await settled()
        for end in (4, 5):
            clock[0] += 1
            await app.end(end)
            await settled()
        await leave(connections)

    awaited(play())
    assert app.begun[3:] == ["third", "fourth", "other", "hasty"]


def test_a_run_that_is_replaced_before_it_ends_counts_too(clock):
    """Else who asks once a second for what takes two is served for nothing."""
    app = Runs()
    served = turns.Turns(app)

    async def play():
        wishes = asyncio.Queue()
        connection = opened(served, "192.0.2.1", RUN, later=wishes)
        await settled()
        for _ in range(3):
            clock[0] += 2
            wishes.put_nowait(RUN)
            await settled()
        used = served.used("192.0.2.1").now()
        await leave([connection])
        return used

    assert 5 < awaited(play()) <= 6


def test_one_of_two_turns_is_for_trusted_networks(clock, monkeypatch):
    monkeypatch.setenv(network.TRUSTED, "198.51.100.0/24")
    app = Runs()
    served = turns.Turns(app)

    async def play():
        busy = asyncio.Queue()
        connections = [opened(served, "198.51.100.1", RUN, later=busy)]
        await settled()
        await app.end(1)
        busy.put_nowait(RUN)
        await settled()
        clock[0] += 30  # it has used more than anybody
        await app.end(2)
        connections += [opened(served, "192.0.2.1", RUN) for _ in range(6)]
        await settled()
        busy.put_nowait(RUN)
        connections += [opened(served, "198.51.100.2", RUN)]
        await settled()
        for end in (3, 4, 5):
            await app.end(end)
            await settled()
        await leave(connections)

    awaited(play())
    assert app.begun == [
        *("198.51.100.1", "198.51.100.1", "192.0.2.1", "192.0.2.1"),
        *("198.51.100.2", "192.0.2.1", "198.51.100.1"),
    ]


def test_a_page_closed_meanwhile_is_its_networks_cost(clock):
    async def play():
        served = turns.Turns(app := Runs())
        gone = opened(served, "192.0.2.1", RUN)
        await settled()
        clock[0] += 3
        await leave([gone])
        assert app.begun
        return served.used("192.0.2.1").now()

    assert awaited(play()) >= turns.SECONDS


def test_a_run_that_takes_long_or_was_left_keeps_nobody_waiting(monkeypatch):
    monkeypatch.setattr(turns, "SECONDS", 0.01)
    app = Runs()
    served = turns.Turns(app)

    async def play():
        connections = [opened(served, "one", RUN) for _ in range(3 * turns.RUNS)]
        while len(app.begun) < 3 * turns.RUNS or served.running:
            await asyncio.sleep(0.01)
        for one in connections:
            one.cancel()

    awaited(play())


def test_a_line_that_has_ended_waits_for_no_turn(monkeypatch):
    """Else the server computes for nobody, for minutes, and does not end when it is told to."""
    monkeypatch.setattr(turns, "SECONDS", 60.0)
    monkeypatch.setattr(turns, "RUNS", 1)
    app = Runs()
    served = turns.Turns(app)

    async def play():
        ended = asyncio.Future()
        first, left = opened(served, "one", RUN), opened(served, "one", RUN, ended=ended)
        await settled()
        ended.set_result(None)
        await left
        last = opened(served, "one", RUN)
        await app.end(1)
        await settled()
        assert app.begun == ["one", "one"]
        assert served.waiting == {}
        for one in (first, last):
            one.cancel()

    awaited(play())


@pytest.mark.parametrize("other", ["one", "two"])
def test_a_line_that_has_its_turn_goes_on_and_a_heart_needs_none(monkeypatch, other):
    """A later wish replaces the one that runs, where nobody waits meanwhile."""
    monkeypatch.setattr(turns, "SECONDS", 60.0)
    monkeypatch.setattr(turns, "RUNS", 1)
    app = Runs()
    served = turns.Turns(app)

    async def play():
        later = asyncio.Queue()
        connections = [opened(served, "one", RUN, HEART, RUN, later=later)]
        await settled()
        assert app.begun == ["one", "one"]
        await app.end(1, REPLACED)
        connections.append(opened(served, other, HEART, RUN))
        await settled()
        later.put_nowait(RUN)  # else who asks again and again would have a turn without an end
        await settled()
        assert app.begun == ["one", "one"]
        await app.end(2)
        await settled()
        assert app.begun == ["one", "one", other]
        await app.end(3)
        await settled()
        assert app.begun == ["one", "one", other, "one"]
        for one in connections:
            one.cancel()

    awaited(play())


def test_a_move_takes_from_its_wish_to_its_answer(clock, monkeypatch):
    """Another wish in its place counts as no move of its own; one that waits for it, as one."""
    monkeypatch.setattr(turns, "RUNS", 1)
    told = "posenc_move_seconds_sum", {"screen": figures.OTHER}
    before = REGISTRY.get_sample_value(*told) or 0.0
    app = Runs()
    served = turns.Turns(app)

    async def play():
        more = asyncio.Queue()
        connections = [opened(served, "one", RUN, later=more), opened(served, "two", RUN)]
        await settled()
        clock[0] += 3
        more.put_nowait(RUN)  # it waits until the first has ended, and then for the other
        await settled()
        clock[0] += 1
        await app.end(1)  # after 4 seconds
        await settled()
        clock[0] += 2
        await app.end(2)  # after 6
        await settled()
        clock[0] += 1
        await app.end(3)  # after 4
        await leave(connections)

    awaited(play())
    assert app.begun == ["one", "two", "one"]
    assert REGISTRY.get_sample_value(*told) - before == pytest.approx(4 + 6 + 4)
