"""Runs of screens take turns: one at a time for each network, and two in all."""

import asyncio

import pytest
from streamlit.proto.BackMsg_pb2 import BackMsg
from streamlit.proto.ForwardMsg_pb2 import ForwardMsg

from serving import line, turns
from tests.conftest import awaited

RUN = BackMsg(rerun_script={"query_string": "step=0"}).SerializeToString()
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
    """A line on which this is said at once, and more later; it stays open, or has ended unheard."""
    waiting = [*said]

    async def receive():
        word = waiting.pop(0) if waiting else await (later.get() if later else asyncio.Future())
        return {"type": "websocket.receive", "bytes": word}

    async def send(_message):
        pass

    ended = ended or asyncio.Future()
    scope = {"type": "websocket", "client": (network, 1), line.ENDED: ended}
    return asyncio.create_task(served(scope, receive, send))


async def settled():
    for _ in range(10):
        await asyncio.sleep(0)


def test_a_network_that_asks_for_all_leaves_the_next_turn_to_another(monkeypatch):
    monkeypatch.setattr(turns, "SECONDS", 60.0)
    app = Runs()
    served = turns.Turns(app)

    async def play():
        lines = [opened(served, "greedy", RUN) for _ in range(7)]
        await settled()
        assert app.begun == ["greedy"]
        lines += [opened(served, "other", RUN) for _ in range(2)]
        lines += [opened(served, "third", RUN) for _ in range(2)]
        lines.append(opened(served, "late", RUN))
        await settled()
        assert app.begun == ["greedy", "other"]
        for end in (1, 2, 3, 4):
            await app.end(end)
            await settled()
        for one in lines:
            one.cancel()
        await asyncio.gather(*lines, return_exceptions=True)

    awaited(play())
    assert app.begun == ["greedy", "other", "third", "late", "greedy", "other"]


def test_a_run_that_takes_long_or_was_left_keeps_nobody_waiting(monkeypatch):
    monkeypatch.setattr(turns, "SECONDS", 0.01)
    app = Runs()
    served = turns.Turns(app)

    async def play():
        lines = [opened(served, "one", RUN) for _ in range(3 * turns.RUNS)]
        while len(app.begun) < 3 * turns.RUNS or served.running:
            await asyncio.sleep(0.01)
        for one in lines:
            one.cancel()

    awaited(play())


def test_a_line_that_has_ended_waits_for_no_turn(monkeypatch):
    """Else the server computes for nobody, for minutes, and does not end when it is told to."""
    monkeypatch.setattr(turns, "SECONDS", 60.0)
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
        lines = [opened(served, "one", RUN, HEART, RUN, later=later)]
        await settled()
        assert app.begun == ["one", "one"]
        await app.end(1, REPLACED)
        lines.append(opened(served, other, HEART, RUN))
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
        for one in lines:
            one.cancel()

    awaited(play())
