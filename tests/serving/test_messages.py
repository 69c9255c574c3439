"""A line is served within bounds: whose page opens it, how much it says, how many there are."""

import asyncio
import time

import pytest
import streamlit as st
from starlette.requests import HTTPConnection
from starlette.responses import Response
from starlette.websockets import WebSocket, WebSocketDisconnect
from streamlit.proto.BackMsg_pb2 import BackMsg

from serving import crowd, messages
from serving.crowd import Bucket, Crowd
from serving.origin import is_own_page
from tests.conftest import awaited
from ui.streamlit import messages as protocol

RUN = BackMsg(rerun_script={"query_string": "step=0"}).SerializeToString()
HOST = "127.0.0.1:8501"


class App:
    """Takes all that is said on a line, and holds it open until it ends."""

    def __init__(self):
        self.heard = 0

    async def __call__(self, scope, receive, send):
        await send({"type": "websocket.accept"})
        while (await receive())["type"] == "websocket.receive":
            self.heard += 1


def line(told=(), client="192.0.2.1", after=None, **headers):
    """A scope, what the server hears, what it says; `after` is waited for before the line ends."""
    waiting = [*told]
    said = []

    async def receive():
        if waiting:
            return {"type": "websocket.receive", "bytes": waiting.pop(0)}
        if after is not None:
            await after.wait()
        return {"type": "websocket.disconnect", "code": 1001}

    async def send(message):
        said.append(message)

    pairs = [(name.encode(), text.encode()) for name, text in ({"host": HOST} | headers).items()]
    scope = {"type": "websocket", "path": "/_stcore/stream", "headers": pairs,
             "client": (client, 1), "extensions": {"websocket.http.response": {}}}  # fmt: skip
    return said, (scope, receive, send)


def closed(said):
    """With which number the server ended a line; None where it did not."""
    return next((one["code"] for one in said if one["type"] == "websocket.close"), None)


def test_a_line_that_says_too_much_is_ended_and_the_next_is_served():
    app = App()
    served = messages.Messages(app)
    said, about = line([RUN] * (4 * crowd.LINE_BURST))
    awaited(served(*about))
    assert crowd.LINE_BURST <= app.heard < 2 * crowd.LINE_BURST
    assert closed(said) == 1008
    before = app.heard
    said, about = line([RUN])
    awaited(served(*about))
    assert (app.heard - before, closed(said)) == (1, None)


def test_what_large_messages_leave_behind_is_collected_once(monkeypatch):
    """A session's circles stay for ever else; to look for them after each would stop everybody."""
    collected = asyncio.Event()
    calls = []
    monkeypatch.setattr(messages.gc, "collect", lambda: calls.append(collected.set()))
    large = BackMsg(rerun_script={"widget_states": {"widgets": [{"id": "$$ID-x"}]}})
    large.rerun_script.widget_states.widgets[0].string_value = "x" * messages.LARGE
    app = App()
    awaited(messages.Messages(app)(*line([large.SerializeToString()] * 20, after=collected)[1]))
    assert (app.heard, len(calls)) == (20, 1)


def test_a_cookie_is_read_at_once():
    """60 kB of one kept everybody waiting for 14 s."""
    seen = []

    async def app(scope, receive, send):
        seen.append(HTTPConnection(scope).cookies)
        await Response("x")(scope, receive, send)

    async def send(_message):
        pass

    evil = b'a="' + b"\\" * 60_000 + b'"; posenc_owner=x'
    scope = {"type": "http", "method": "GET", "path": "/", "headers": [(b"cookie", evil)]}
    begun = time.process_time()
    awaited(messages.Messages(app)(scope, None, send))
    assert seen[0]["posenc_owner"] == "x"
    assert time.process_time() - begun < 1


def test_a_stranger_writes_no_words_into_the_log():
    """Streamlit logs the name of a part, and of a control, that is not there."""
    assert protocol.read(RUN) is not None
    for field in ("fragment_id", "page_script_hash"):
        for name, fits in (("0f" * 16, True), ("a\n2026-11-27 forged", False), ("a" * 1000, False)):
            asked = BackMsg(rerun_script={field: name}).SerializeToString()
            assert (protocol.read(asked) is not None) is fits
    state = {"widget_states": {"widgets": [{"id": "text of a stranger"}]}}
    assert protocol.read(BackMsg(rerun_script=state).SerializeToString()) is None


def test_networks_take_turns_whatever_one_of_them_says():
    """A network of many lines is heard as often as one of a single line, and the server between."""
    app, order = App(), []

    async def noted(scope, receive, send):
        async def heard():
            message = await receive()
            order.append(scope["client"][0])
            return message

        await app(scope, heard, send)

    async def both():
        served = messages.Messages(noted)
        greedy = [line([RUN] * 20, "192.0.2.1")[1] for _ in range(30)]
        other = line([RUN] * 20, "192.0.2.2")[1]
        await asyncio.gather(*(served(*about) for about in [*greedy, other]))

    awaited(both())
    last = max(at for at, network in enumerate(order) if network == "192.0.2.2")
    assert last < 60  # and not among the last of 650


def test_a_network_asks_for_so_much_and_then_reads_a_sentence(monkeypatch):
    monkeypatch.setattr(crowd, "REQUESTS", 2)
    monkeypatch.setattr(crowd, "REQUEST_RATE", 0.0)
    monkeypatch.setattr(messages, "ANSWERS", 2)
    served = messages.Messages(Response("here"))

    def ask(client):
        told = []

        async def send(message):
            told.append(message)

        scope = {"type": "http", "method": "GET", "path": "/", "headers": [], "client": (client, 1)}
        awaited(served(scope, None, send))
        return told[0]["status"], told[1]["body"]

    assert [ask("192.0.2.1")[0] for _ in range(3)] == [200, 200, 429]
    assert b"Wait a minute" in ask("192.0.2.1")[1]
    assert ask("192.0.2.2")[0] == 200
    served.crowd.network({"client": ("192.0.2.3", 1)}).answers = 2
    assert ask("192.0.2.3")[0] == 429


def test_who_leaves_while_a_session_speaks_is_no_error():
    """Streamlit then says goodbye to nobody, and the log had a traceback for each closed page."""

    async def gone(scope, receive, send):
        page = WebSocket(scope, receive, send)
        await page.accept()
        with pytest.raises(WebSocketDisconnect):
            await page.send_bytes(b"x")
        await page.close()

    async def receive():
        return {"type": "websocket.connect"}

    async def send(message):
        if message["type"] == "websocket.send":
            raise OSError

    awaited(messages.Messages(gone)(line()[1][0], receive, send))


def test_the_lines_of_a_network_share_what_they_may_say(monkeypatch):
    monkeypatch.setattr(crowd, "NETWORK_BURST", 5 * crowd.HANDSHAKE + 10)
    monkeypatch.setattr(crowd, "NETWORK_RATE", 0.0)
    app = App()
    served = messages.Messages(app)
    ends = []
    for address in ["2001:db8::1", "2001:db8::2", "2001:db8::3", "2001:db8:0:1::1"]:
        said, about = line([RUN] * 10, address)
        awaited(served(*about))
        ends.append(closed(said) or said[0].get("status", "served"))
    # For the third there is a handshake left; the fourth is of another network.
    assert ends == ["served", "served", 1008, "served"]


def test_a_network_has_as_many_lines_as_are_free_and_the_one_too_many_reads_a_sentence(monkeypatch):
    monkeypatch.setattr(messages, "LINES", 4)
    served = messages.Messages(App())

    async def three():
        over = asyncio.Event()
        held = [line(after=over)[1] for _ in range(2)]
        tasks = [asyncio.create_task(served(*about)) for about in held]
        await asyncio.sleep(0)
        said, about = line()
        await served(*about)
        elsewhere, other = line(after=over, client="192.0.2.2")
        tasks.append(asyncio.create_task(served(*other)))
        await asyncio.sleep(0)
        beside, third = line(client="192.0.2.2")  # one is free, and it has one
        await served(*third)
        over.set()
        await asyncio.gather(*tasks)
        again, freed = line()
        await served(*freed)
        return said, elsewhere, beside, again

    said, elsewhere, beside, again = awaited(three())
    assert said[0]["status"] == beside[0]["status"] == 429
    assert b"Close some" in said[1]["body"]
    assert elsewhere[0]["type"] == again[0]["type"] == "websocket.accept"


@pytest.mark.parametrize(
    ("origin", "scheme", "own"),
    [
        (f"http://{HOST}", "ws", True),
        (None, "ws", True),  # a program, which has no page
        (f"https://{HOST}", "ws", True),  # a proxy that does not say that it speaks TLS
        (f"http://{HOST}", "wss", False),
        (f"https://{HOST}", "wss", True),
        ("http://127.0.0.1", "ws", False),
        ("http://127.0.0.1:8888", "ws", False),
        ("http://localhost:8501", "ws", False),
        ("https://elsewhere.example", "ws", False),
        ("http://[x", "ws", False),
        ("null", "ws", False),
        ("", "ws", False),
    ],
)
def test_a_line_is_opened_by_a_page_of_this_very_server(origin, scheme, own, monkeypatch):
    """Streamlit asks an outside service for its own address, for each foreign line anew."""
    monkeypatch.setattr("streamlit.net_util.get_external_ip", pytest.fail)
    headers = {} if origin is None else {"origin": origin}
    said, (scope, *rest) = line(**headers)
    scope["scheme"] = scheme
    assert is_own_page(scope) is own
    awaited(messages.Messages(App())(scope, *rest))
    assert (said[0]["type"] == "websocket.accept") is own
    if not own:
        assert said[0]["status"] == 403


def test_a_site_that_the_operator_names_may_open_lines(monkeypatch):
    scope = line(origin="https://proxy.example")[1][0]
    assert not is_own_page(scope)
    allowed = {"server.corsAllowedOrigins": ["https://proxy.example"]}
    monkeypatch.setattr(st, "get_option", lambda name: allowed.get(name))
    assert is_own_page(scope)


def test_a_small_message_that_is_large_when_read_is_refused():
    """Each is far below the bound of a message; Streamlit makes hundreds of bytes of each part."""

    def bomb(fill, controls=1):
        asked = BackMsg()
        for _ in range(controls):
            fill(asked.rerun_script.widget_states.widgets.add(id="$$ID-x"))
        return asked.SerializeToString()

    def files(count):
        return lambda state: state.file_uploader_state_value.MergeFromString(b"\x12\x00" * count)

    def chat(count):
        chat = "chat_input_value"
        return lambda state: getattr(state, chat).file_uploader_state.MergeFromString(
            b"\x12\x00" * count
        )

    def values(kind, one, count):
        return lambda state: getattr(state, kind).data.extend([one] * count)

    most = protocol.MOST_VALUES
    kinds = (("int_array_value", 0), ("double_array_value", 0.0), ("string_array_value", ""))
    for small, large in [
        (files(protocol.MOST_FILES), files(protocol.MOST_FILES + 1)),
        (chat(protocol.MOST_FILES), chat(protocol.MOST_FILES + 1)),
        *((values(kind, one, most), values(kind, one, most + 1)) for kind, one in kinds),
    ]:
        assert protocol.read(bomb(small)) is not None
        assert protocol.read(bomb(large)) is None
        assert protocol.read(bomb(small, controls=2)) is None
    assert protocol.read(bomb(values("int_array_value", 0, 2), protocol.MOST_CONTROLS)) is not None
    assert protocol.read(bomb(lambda state: None, protocol.MOST_CONTROLS + 1)) is None


def test_a_bucket_fills_again_and_never_beyond_its_brim(monkeypatch):
    now = 100.0
    monkeypatch.setattr(crowd.time, "monotonic", lambda: now)
    bucket = Bucket(3, 2.0)
    assert [bucket.take() for _ in range(4)] == [True, True, True, False]
    now += 0.5
    assert [bucket.take(), bucket.take()] == [True, False]
    now += 1000
    assert [bucket.take() for _ in range(4)] == [True, True, True, False]


def test_networks_without_end_are_forgotten(monkeypatch):
    monkeypatch.setattr(crowd, "KEPT", 3)
    known = Crowd()
    for last in range(5):
        known.network({"client": (f"192.0.2.{last}", 1)})
    known.network({"client": ("::ffff:192.0.2.4", 1)})
    assert list(known.networks) == ["192.0.2.2", "192.0.2.3", "192.0.2.4"]
