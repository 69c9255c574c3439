"""Bounds of connections: whose page opens one, how much it says, how many there are."""

import asyncio
from collections import Counter

import pytest
import streamlit as st
from starlette.responses import Response
from starlette.websockets import WebSocket, WebSocketDisconnect
from streamlit.proto.BackMsg_pb2 import BackMsg

from serving import network, sessions
from serving.network import Bucket, network_of, subnet_of
from serving.origin import is_own_page
from serving.sessions import Sessions
from tests.conftest import awaited
from ui.jobs import visitor
from ui.streamlit import messages as protocol

RUN = BackMsg(rerun_script={"query_string": ""}).SerializeToString()
HOST = "127.0.0.1:8501"


class App:
    """Takes all that is said on a connection, and holds it open until it ends."""

    def __init__(self):
        self.heard = 0

    async def __call__(self, scope, receive, send):
        await send({"type": "websocket.accept"})
        while (await receive())["type"] == "websocket.receive":
            self.heard += 1


def connection(told=(), client="192.0.2.1", after=None, **headers):
    """A scope, what the server hears, what it says; `after` is waited for before it ends."""
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
    """With which number the server ended a connection; None where it did not."""
    return next((one["code"] for one in said if one["type"] == "websocket.close"), None)


def test_a_line_that_says_too_much_is_ended():
    app = App()
    served = Sessions(app)
    said, about = connection([RUN] * (4 * sessions.CONNECTION_BURST))
    awaited(served(*about))
    assert sessions.CONNECTION_BURST <= app.heard < 2 * sessions.CONNECTION_BURST
    assert closed(said) == 1008
    before = app.heard
    said, about = connection([RUN])
    awaited(served(*about))
    assert (app.heard - before, closed(said)) == (1, None)


def test_what_large_messages_leave_behind_is_collected_once(monkeypatch):
    """A session's circles stay for ever else; to look for them after each would stop everybody."""
    collected = asyncio.Event()
    calls = []
    monkeypatch.setattr(sessions.gc, "collect", lambda: calls.append(collected.set()))
    large = BackMsg(rerun_script={"widget_states": {"widgets": [{"id": "$$ID-x"}]}})
    large.rerun_script.widget_states.widgets[0].string_value = "x" * sessions.LARGE
    app = App()
    awaited(Sessions(app)(*connection([large.SerializeToString()] * 20, after=collected)[1]))
    assert (app.heard, len(calls)) == (20, 1)


def test_what_is_no_control_is_set_in_no_session():
    """It would be looked for among the app's own names."""
    for name, fits in (("$$ID-x", True), ("token", False), ("", False)):
        state = {"widget_states": {"widgets": [{"id": name}]}}
        asked = BackMsg(rerun_script=state).SerializeToString()
        assert (protocol.read(asked) is not None) is fits


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

    awaited(Sessions(gone)(connection()[1][0], receive, send))


def test_the_lines_of_a_network_share_what_they_may_say(monkeypatch):
    monkeypatch.setattr(sessions, "NETWORK_BURST", 15)
    monkeypatch.setattr(sessions, "NETWORK_RATE", 0.0)
    app = App()
    served = Sessions(app)
    ends = []
    for address in ["2001:db8::1", "2001:db8::2", "2001:db8:0:1::1", "2001:db8:1::1"]:
        said, about = connection([RUN] * 10, address)
        awaited(served(*about))
        ends.append(closed(said) or said[0].get("status", "served"))
    # The third is of the second's network, which is a /48; the fourth is of another one.
    assert ends == ["served", 1008, 1008, "served"]


class House:
    """A server with few places, and a clock of its own."""

    def __init__(self, monkeypatch, most=10, crowded=8, new=9):
        self.now = 1000.0
        self.open = []
        monkeypatch.setattr(sessions.time, "monotonic", lambda: self.now)
        monkeypatch.setattr(sessions, "MOST", most)
        monkeypatch.setattr(sessions, "CROWDED", crowded)
        monkeypatch.setattr(sessions, "NEW", new)
        self.app = App()
        self.served = Sessions(self.app)

    async def comes(self, client, *, asks=True, was_here=False):
        """Whether a page is let in; how it ends is seen later."""
        over = asyncio.Event()
        cookie = {"cookie": f"{visitor.COOKIE}={OLD}"} if was_here else {}
        said, about = connection([RUN] if asks else [], client, over, **cookie)
        task = asyncio.create_task(self.served(*about))
        for _ in range(10):
            await asyncio.sleep(0)
        if said[0]["type"] != "websocket.accept":
            await task
            assert said[0]["status"] == 503
            assert b"Try again in a few minutes." in said[1]["body"]
            return False
        self.open.append((client, said, over, task))
        return True

    async def ends(self):
        """Networks of the pages that were ended, in their order; then all leave."""
        for _ in range(10):
            await asyncio.sleep(0)
        ended = [client for client, said, _, _ in self.open if closed(said) == 1013]
        for _, _, over, _ in self.open:
            over.set()
        await asyncio.gather(*(task for *_, task in self.open))
        assert not self.served.connections
        return ended

    def holds(self):
        """Pages that are open, by network."""
        return Counter(one.network for one in self.served.connections)


OLD = "of an earlier day"


@pytest.fixture
def house(monkeypatch):
    monkeypatch.setattr(visitor, "was_here_before", lambda cookie: cookie == OLD)
    return House(monkeypatch)


def test_the_idle_make_room_before_those_who_moved(house):
    async def play():
        assert [await house.comes("192.0.2.1", asks=False) for _ in range(3)] == [True] * 3
        assert [await house.comes("192.0.2.2") for _ in range(4)] == [True] * 4
        house.now += sessions.IDLE + 1
        assert await house.comes("192.0.2.3")
        assert house.holds()["192.0.2.1"] == 3  # there is room for all
        for _ in range(7):
            assert await house.comes("192.0.2.3")
        return await house.ends()

    assert awaited(play()) == ["192.0.2.1"] * 3 + ["192.0.2.2"] * 4


def test_a_page_that_has_just_come_is_given_time_to_ask(house):
    async def play():
        assert [await house.comes(f"192.0.2.{n}", asks=False) for n in range(9)] == [True] * 9
        assert not await house.comes("192.0.2.9")
        house.now += sessions.SILENT + 1
        assert await house.comes("192.0.2.9")
        return await house.ends()

    assert len(awaited(play())) == 1


def test_ten_networks_that_take_all_places_keep_nobody_out(house):
    """They asked for a screen, and answer every ping: the one that holds most gives."""

    async def play():
        takers = [f"192.0.2.{n}" for n in range(3) for _ in range(3)]
        assert [await house.comes(taker) for taker in takers] == [True] * 9
        assert [await house.comes(f"198.51.100.{n}") for n in range(6)] == [True] * 6
        assert max(house.holds().values()) == 1
        # Where everybody has one place, there is none for another, nor for more of the same.
        assert not await house.comes("198.51.100.9")
        assert not await house.comes("192.0.2.1")
        return await house.ends()

    assert Counter(awaited(play())) == {f"192.0.2.{n}": 2 for n in range(3)}


def test_who_asks_again_and_again_does_not_drive_others_out(house):
    async def play():
        for n in range(9):
            assert await house.comes(f"192.0.2.{n % 2}")
        before = house.holds()
        assert [await house.comes(f"192.0.2.{n % 2}") for n in range(20)] == [False] * 20
        assert house.holds() == before
        return await house.ends()

    assert awaited(play()) == []


def test_of_an_ipv6_network_the_fullest_part_gives_way(house):
    async def play():
        for n, at in enumerate(["2001:db8:0:1::1"] * 3 + ["2001:db8:0:2::1"] * 6):
            house.now += n
            assert await house.comes(at)
        assert await house.comes("192.0.2.1")
        return [at for at, said, *_ in house.open if closed(said)], await house.ends()

    assert awaited(play())[0] == ["2001:db8:0:2::1"]
    assert network_of("2001:db8:0:1::1") == network_of("2001:db8:0:ffff::2")
    assert network_of("2001:db8:0:1::1") != network_of("2001:db8:1:1::1")
    assert subnet_of("2001:db8:0:1::1") != subnet_of("2001:db8:0:2::1")
    assert network_of("::ffff:192.0.2.1") == subnet_of("192.0.2.1") == "192.0.2.1"


def test_a_share_is_kept_for_browsers_that_were_here_before(house):
    async def play():
        assert [await house.comes(f"192.0.2.{n}") for n in range(9)] == [True] * 9
        assert not await house.comes("198.51.100.1")
        assert await house.comes("198.51.100.1", was_here=True)
        # The share is no way to take all of it: of one network come as many as of others.
        assert not await house.comes("198.51.100.1", was_here=True)
        return await house.ends()

    assert awaited(play()) == []


def test_a_class_of_a_trusted_network_comes_in(house, monkeypatch):
    monkeypatch.setenv(network.TRUSTED, "198.51.100.0/24, 2001:db8::/48")

    async def play():
        assert [await house.comes(f"192.0.2.{n}") for n in range(9)] == [True] * 9
        assert [await house.comes("198.51.100.7") for _ in range(10)] == [True] * 10
        assert not await house.comes("198.51.100.7")  # it gives to none but itself
        assert not await house.comes("192.0.2.50")
        return await house.ends()

    assert sorted(awaited(play())) == [f"192.0.2.{n}" for n in range(9)]


@pytest.mark.parametrize("wrong", ["campus", "192.0.2.1/24", "192.0.2.0/24; x"])
def test_a_trusted_network_that_is_none_is_said_at_the_start(wrong, monkeypatch):
    monkeypatch.setenv(network.TRUSTED, wrong)
    with pytest.raises(ValueError, match=r"POSENC_TRUSTED_NETWORKS is .* it must be networks"):
        network.trusted_networks()


def test_who_finds_no_place_reads_why_on_the_page_itself(house):
    """Streamlit's page would try to open its connection for ever, and say nothing."""

    async def fill():
        for n in range(9):
            assert await house.comes(f"192.0.2.{n}")

    async def play():
        await fill()
        asked = []
        for path, at in (("/rope", "198.51.100.1"), ("/course/rope/", "198.51.100.1")):
            said, (scope, receive, send) = connection(client=at)
            scope |= {"type": "http", "method": "GET", "path": path}
            house.served.app = Response("here")
            await house.served(scope, receive, send)
            asked.append((said[0]["status"], said[1]["body"]))
        await house.ends()
        return asked

    screen, course = awaited(play())
    assert screen[0] == 503
    assert b"Try again in a few minutes." in screen[1]
    assert b'<a href="/course/">' in screen[1]
    assert course == (200, b"here")


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
    """Streamlit asks an outside service for its own address, for each foreign connection anew."""
    monkeypatch.setattr("streamlit.net_util.get_external_ip", pytest.fail)
    headers = {} if origin is None else {"origin": origin}
    said, (scope, *rest) = connection(**headers)
    scope["scheme"] = scheme
    assert is_own_page(scope) is own
    awaited(Sessions(App())(scope, *rest))
    assert (said[0]["type"] == "websocket.accept") is own
    if not own:
        assert said[0]["status"] == 403


def test_a_site_that_the_operator_names_may_open_lines(monkeypatch):
    scope = connection(origin="https://proxy.example")[1][0]
    assert not is_own_page(scope)
    allowed = {"server.corsAllowedOrigins": ["https://proxy.example"]}
    monkeypatch.setattr(st, "get_option", lambda name: allowed.get(name))
    assert is_own_page(scope)


def test_a_small_message_that_is_large_when_read_is_refused():
    """Each is far below the bound of a message; Streamlit makes hundreds of bytes of each part."""

    def state():
        asked = BackMsg()
        return asked, asked.rerun_script.widget_states.widgets.add(id="$$ID-x")

    def bomb(fill, count):
        asked, control = state()
        fill(asked, control, count)
        return protocol.read(asked.SerializeToString())

    def chat(control):
        return control.chat_input_value.file_uploader_state

    for fill in (
        lambda _, one, n: one.file_uploader_state_value.MergeFromString(b"\x12\x00" * n),
        lambda _, one, n: chat(one).MergeFromString(b"\x12\x00" * n),
        lambda _, one, n: one.int_array_value.data.extend([0] * n),
        lambda _, one, n: one.double_array_value.data.extend([0.0] * n),
        lambda _, one, n: one.string_array_value.data.extend([""] * n),
        lambda asked, _, n: asked.rerun_script.cached_message_hashes.extend([""] * n),
        lambda asked, one, n: asked.rerun_script.widget_states.widgets.extend([one] * n),
    ):
        assert bomb(fill, protocol.MOST // 4) is not None
        assert bomb(fill, protocol.MOST) is None
    names = BackMsg()
    names.file_urls_request.file_names.extend(["a"] * (protocol.MOST_FILES + 1))
    assert protocol.read(names.SerializeToString()) is None


def test_a_bucket_fills_again_and_never_beyond_its_brim(monkeypatch):
    now = 100.0
    monkeypatch.setattr(network.time, "monotonic", lambda: now)
    bucket = Bucket(3, 2.0)
    assert [bucket.take() for _ in range(4)] == [True, True, True, False]
    now += 0.5
    assert [bucket.take(), bucket.take()] == [True, False]
    now += 1000
    assert [bucket.take() for _ in range(4)] == [True, True, True, False]
