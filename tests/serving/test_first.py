"""What follows a page's first picture is sent a moment later, in its order."""

import asyncio

import pytest
from streamlit.proto.ForwardMsg_pb2 import ForwardMsg

from serving import first


def shown(**element):
    return ForwardMsg(delta={"new_element": element}).SerializeToString()


TITLE = shown(heading={"body": "posenc_chart", "tag": "h1"})
OURS = shown(bidi_component={"component_name": "posenc_skip"})
CHART = shown(bidi_component={"component_name": "posenc_chart"})
PICTURE = shown(bidi_component={"component_name": "posenc_moving"})
OVER = ForwardMsg(script_finished=ForwardMsg.FINISHED_SUCCESSFULLY).SerializeToString()


class Line:
    """A line with an app that sends its answer and stays; what reaches the browser is `sent`."""

    def __init__(self, *answer):
        self.answer = answer
        self.sent = []
        self.fails: type[Exception] | None = None
        self.answered = asyncio.Event()
        self.closed = asyncio.Event()
        self.served = asyncio.create_task(
            first.First(self.app)({"type": "websocket"}, None, self.get)
        )

    async def app(self, _scope, _receive, send):
        self.say = lambda message: send({"type": "websocket.send", "bytes": message})
        for message in self.answer:
            await self.say(message)
        self.answered.set()
        await self.closed.wait()

    async def get(self, message):
        if self.fails:
            raise self.fails
        self.sent.append(message["bytes"])

    async def close(self):
        self.closed.set()
        await self.served


@pytest.fixture
def painted(monkeypatch):
    """To be set when the moment is over."""
    event = asyncio.Event()
    monkeypatch.setattr(first.asyncio, "sleep", lambda _: event.wait())
    return event


async def others():
    """Let all others do what they can."""
    for _ in range(10):
        await asyncio.get_running_loop().run_in_executor(None, int)


@pytest.mark.parametrize("picture", [CHART, PICTURE])
def test_what_follows_the_first_picture_comes_later_and_in_its_order(painted, picture):
    async def check():
        line = Line(TITLE, OURS, picture, TITLE, CHART, OVER)
        await line.answered.wait()  # the run does not wait
        await others()
        assert line.sent == [TITLE, OURS, picture]
        painted.set()
        await others()
        assert line.sent == [TITLE, OURS, picture, TITLE, CHART, OVER]
        await line.close()

    asyncio.run(check())


def test_only_the_first_picture_of_a_line_is_waited_for(painted):
    async def check():
        line = Line(CHART)
        painted.set()
        await others()
        painted.clear()
        await line.say(PICTURE)
        await line.say(OVER)
        assert line.sent == [CHART, PICTURE, OVER]
        await line.close()

    asyncio.run(check())


def test_an_answer_without_a_picture_is_not_held(painted):
    async def check():
        line = Line(TITLE, OURS, OVER)
        await line.answered.wait()
        assert line.sent == [TITLE, OURS, OVER]
        await line.close()

    asyncio.run(check())


@pytest.mark.parametrize("fails", [None, OSError, RuntimeError])
def test_a_line_may_end_meanwhile(painted, fails):
    async def check():
        line = Line(CHART, TITLE)
        await line.answered.wait()
        if fails:
            line.fails = fails
            painted.set()
            await others()
        await line.close()
        assert line.sent == [CHART]

    asyncio.run(check())
