"""Frames that are no messages yet are bounded, and every handshake is answered."""

import socket
import threading
from collections.abc import Iterator
from contextlib import suppress

import pytest
import uvicorn
from starlette.applications import Starlette
from starlette.routing import WebSocketRoute
from starlette.websockets import WebSocket

from serving import websocket
from serving.websocket import BoundedWebSocket
from tests.conftest import PATIENCE
from tests.lab.processes import until
from ui.streamlit.messages import LONGEST

GRACE = 1
"""Seconds in which a server that is told to end has to."""
HEAD = b"GET / HTTP/1.1\r\nHost: x\r\n"
LINE = HEAD + b"Connection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\n"


heard: list[bytes | None] = []
"""Messages of the connections, and None where one has ended."""


async def listen(page: WebSocket) -> None:
    await page.accept()
    async for message in page.iter_bytes():
        heard.append(message)
        if "slow" in page.query_params:
            await page.scope[websocket.ENDED]
    heard.append(None)


@pytest.fixture
def server() -> Iterator[uvicorn.Server]:
    app = Starlette(routes=[WebSocketRoute("/", listen)])
    config = uvicorn.Config(
        app,
        port=0,
        log_config=None,
        ws=BoundedWebSocket,
        ws_max_size=LONGEST,
        ws_per_message_deflate=False,
        timeout_graceful_shutdown=GRACE,
    )
    server = uvicorn.Server(config)
    thread = threading.Thread(target=server.run)
    thread.start()
    until(lambda: server.started, "the server listens")
    yield server
    server.should_exit = True
    thread.join(PATIENCE)


@pytest.fixture
def port(server: uvicorn.Server) -> int:
    return int(server.servers[0].sockets[0].getsockname()[1])


def said(port: int, asked: bytes, *frames: bytes) -> bytes:
    """All that comes until the other end closes; frames are sent when a connection is open."""
    with socket.create_connection(("127.0.0.1", port), PATIENCE) as peer:
        peer.sendall(asked)
        told = b""
        if frames:
            while not told.endswith(b"\r\n\r\n"):
                told += peer.recv(4096)
            peer.sendall(b"".join(frames))
        return told + b"".join(iter(lambda: peer.recv(4096), b""))


@pytest.mark.parametrize(
    "wrong",
    [
        b"Cookie: a\x01b",
        b"Sec-WebSocket-Protocol: stream\x7flit",
        b"Content-Length: 5",
        b"Transfer-Encoding: chunked",
        b"Cookie: " + b"a" * 20_000,
        b"\r\n".join(b"X-%d: a" % i for i in range(200)),
    ],
)
def test_a_handshake_that_cannot_be_read_is_refused(port: int, wrong: bytes) -> None:
    """Else it is held for ever, and nobody counts it."""
    assert said(port, LINE + wrong + b"\r\n\r\n").startswith(b"HTTP/1.1 400 ")


def frame(kind: int, content: bytes = b"", *, is_last: bool = True) -> bytes:
    """A frame as a browser sends it, with a mask that changes nothing."""
    return bytes([128 * is_last + kind, 128 + len(content)]) + bytes(4) + content


MORE = frame(0, is_last=False)
WHOLE = frame(2, b"x" * 100)
BEGUN = frame(2, b"x" * 100, is_last=False)
PING = frame(9)
OPENED = LINE + b"Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n"


@pytest.mark.parametrize("part", [PING, MORE], ids=["questions", "parts without content"])
def test_frames_that_are_no_messages_end_a_line_too(port: int, part: bytes) -> None:
    told = said(port, OPENED + b"\r\n", BEGUN, part * (2 * websocket.FRAMES_BURST))
    assert b"\x03\xf0too many frames" in told  # 1008


@pytest.mark.parametrize("half", [BEGUN, WHOLE[:-1]], ids=["a part", "half a frame"])
def test_a_message_must_come_in_time(
    port: int, half: bytes, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(websocket, "SECONDS", 0.2)
    told = said(port, OPENED + b"\r\n", WHOLE, half)
    assert b"\x03\xf0a message has not come in time" in told
    assert BoundedWebSocket.held == 0


def test_unfinished_messages_hold_so_much_together(
    port: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(websocket, "HELD", 150)
    monkeypatch.setattr(websocket, "SMALL", 100)
    told = said(port, OPENED + b"\r\n", WHOLE, BEGUN, frame(0, b"x" * 100, is_last=False))
    assert b"\x03\xf5too many unfinished messages" in told  # 1013


def test_no_long_or_packed_message_is_taken(port: int) -> None:
    packed = b"Sec-WebSocket-Extensions: permessage-deflate\r\n\r\n"
    long = b"\x82\xff" + (LONGEST + 1).to_bytes(8, "big") + bytes(4)
    told = said(port, OPENED + packed, long)
    assert b" 101 " in told
    assert b"deflate" not in told
    assert b"\x03\xf1" in told  # 1009


def test_a_server_that_ends_waits_for_nobody_forever(port: int, server: uvicorn.Server) -> None:
    with socket.create_connection(("127.0.0.1", port), PATIENCE) as peer:
        peer.sendall(OPENED + b"\r\n")
        until(lambda: server.server_state.tasks, "it is served")
        server.should_exit = True
        until(lambda: not server.server_state.tasks, "it has ended")


def test_what_a_line_said_that_has_ended_is_not_heard(port: int) -> None:
    """Else a hundred wishes of a page that is closed are still computed, one after another."""
    heard.clear()
    opening = OPENED.replace(b"GET / ", b"GET /?slow ") + b"\r\n"
    with suppress(ConnectionResetError):
        said(port, opening, WHOLE * (2 * websocket.FRAMES_BURST))
    until(lambda: heard and heard[-1] is None, "the connection has ended")
    assert heard == [b"x" * 100, None]
