"""Silent connections are ended, also where no proxy does it."""

import asyncio
import socket
import threading
from collections.abc import Iterator
from contextlib import suppress

import pytest
import uvicorn
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import PlainTextResponse, Response, StreamingResponse
from starlette.routing import Route, WebSocketRoute
from starlette.websockets import WebSocket
from uvicorn.protocols.http.auto import AutoHTTPProtocol

from serving import connections, line
from tests.conftest import PATIENCE
from tests.lab.processes import until
from ui.streamlit.messages import LONGEST

HEAD = b"GET / HTTP/1.1\r\nHost: x\r\n"
LINE = HEAD + b"Connection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\n"


async def answer(request: Request) -> Response:
    if "slow" in request.query_params:  # takes longer than a connection may be silent
        await asyncio.sleep(4 * connections.SECONDS)
    if "parts" in request.query_params:
        return StreamingResponse(b"here" * (1 << 16) for _ in range(100))
    return PlainTextResponse("here" * (1 << 22 if "large" in request.query_params else 1))


heard: list[bytes | None] = []
"""Messages of the lines, and None where one has ended."""


async def listen(page: WebSocket) -> None:
    await page.accept()
    async for message in page.iter_bytes():
        heard.append(message)
        if "slow" in page.query_params:
            await page.scope[line.ENDED]
    heard.append(None)


@pytest.fixture
def server(monkeypatch: pytest.MonkeyPatch) -> Iterator[uvicorn.Server]:
    monkeypatch.setattr(connections, "SECONDS", 0.2)
    for name in ("connection_made", "handle_websocket_upgrade"):
        monkeypatch.setattr(AutoHTTPProtocol, name, getattr(AutoHTTPProtocol, name))
    connections.settle()
    app = Starlette(routes=[Route("/", answer), WebSocketRoute("/", listen)])
    server = uvicorn.Server(uvicorn.Config(app, port=0, log_config=None))
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
    """All that comes until the other end closes; frames are sent when a line is open."""
    with socket.create_connection(("127.0.0.1", port), PATIENCE) as peer:
        peer.sendall(asked)
        told = b""
        if frames:
            while not told.endswith(b"\r\n\r\n"):
                told += peer.recv(4096)
            peer.sendall(b"".join(frames))
        return told + b"".join(iter(lambda: peer.recv(4096), b""))


@pytest.mark.parametrize("half", [b"", b"GE", HEAD])
def test_half_a_request_is_not_waited_for(port: int, half: bytes) -> None:
    assert said(port, half) == b""
    assert said(port, HEAD + b"\r\n" + half).count(b"here") == 1


def test_an_answer_that_takes_long_is_waited_for(port: int) -> None:
    assert said(port, HEAD.replace(b"/ ", b"/?slow ") + b"\r\n").endswith(b"here")


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
    told = said(port, OPENED + b"\r\n", BEGUN, part * (2 * line.FRAMES_BURST))
    assert b"\x03\xf0too many frames" in told  # 1008


@pytest.mark.parametrize("half", [BEGUN, WHOLE[:-1]], ids=["a part", "half a frame"])
def test_a_message_must_come_in_time(
    port: int, half: bytes, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(line, "SECONDS", 0.2)
    told = said(port, OPENED + b"\r\n", WHOLE, half)
    assert b"\x03\xf0a message has not come in time" in told
    assert line.Line.held == 0


def test_unfinished_messages_hold_so_much_together(
    port: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(line, "HELD", 150)
    monkeypatch.setattr(line, "SMALL", 100)
    told = said(port, OPENED + b"\r\n", WHOLE, BEGUN, frame(0, b"x" * 100, is_last=False))
    assert b"\x03\xf5too many unfinished messages" in told  # 1013


def test_no_long_and_no_packed_message_is_taken_however_the_server_was_started(port: int) -> None:
    packed = b"Sec-WebSocket-Extensions: permessage-deflate\r\n\r\n"
    long = b"\x82\xff" + (LONGEST + 1).to_bytes(8, "big") + bytes(4)
    told = said(port, OPENED + packed, long)
    assert b" 101 " in told
    assert b"deflate" not in told
    assert b"\x03\xf1" in told  # 1009


def test_a_request_with_too_many_headers_is_not_read(port: int) -> None:
    rows = b"".join(b"X-%d: a\r\n" % i for i in range(connections.MOST_ROWS + 1))
    assert said(port, HEAD + rows).endswith(b"The request has too many headers.")
    body = b"Content-Length: %d\r\n\r\n" % len(rows) + rows
    assert said(port, HEAD + body).endswith(b"here")


def test_a_body_in_chunks_is_not_read(port: int) -> None:
    """Each of one byte takes 60 µs, and 40,000 of them come in one piece."""
    chunked = HEAD.replace(b"GET", b"POST") + b"Transfer-Encoding: chunked\r\n\r\n"
    assert said(port, chunked + b"1\r\na\r\n" * 9).startswith(b"HTTP/1.1 400 ")


@pytest.mark.parametrize("kind", [b"large", b"parts"])
def test_who_takes_nothing_of_an_answer_is_left(
    port: int, server: uvicorn.Server, kind: bytes
) -> None:
    with socket.socket() as slow:
        slow.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
        slow.connect(("127.0.0.1", port))
        slow.sendall(HEAD.replace(b"/ ", b"/?%s " % kind) + b"\r\n")
        until(lambda: server.server_state.connections, "it is connected")
        until(lambda: not server.server_state.connections, "the server has let go")


@pytest.mark.parametrize("asked", [HEAD.replace(b"/ ", b"/?slow ") + b"\r\n", OPENED + b"\r\n"])
def test_a_server_that_is_told_to_end_waits_for_nobody_without_end(
    port: int, server: uvicorn.Server, asked: bytes, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(connections, "GRACE", 0.2)
    with socket.create_connection(("127.0.0.1", port), PATIENCE) as peer:
        peer.sendall(asked)
        state = server.server_state  # an answer may have been given before anybody looks
        until(lambda: state.tasks or state.total_requests, "it is served")
        server.should_exit = True
        until(lambda: not server.server_state.tasks, "it has ended")


def test_what_a_line_said_that_has_ended_is_not_heard(port: int) -> None:
    """Else a hundred wishes of a page that is closed are still computed, one after another."""
    heard.clear()
    opening = OPENED.replace(b"GET / ", b"GET /?slow ") + b"\r\n"
    with suppress(ConnectionResetError):
        said(port, opening, WHOLE * (2 * line.FRAMES_BURST))
    until(lambda: heard and heard[-1] is None, "the line has ended")
    assert heard == [b"x" * 100, None]
