"""What says nothing is ended, also where no proxy does it."""

import asyncio
import socket
import threading
from collections.abc import Iterator

import pytest
import uvicorn
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import PlainTextResponse, Response
from starlette.routing import Route
from uvicorn.protocols.http.auto import AutoHTTPProtocol

from serving import connections
from tests.conftest import PATIENCE
from tests.lab.processes import until

HEAD = b"GET / HTTP/1.1\r\nHost: x\r\n"
LINE = HEAD + b"Connection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\n"


async def answer(request: Request) -> Response:
    if request.query_params:  # takes longer than a connection may be silent
        await asyncio.sleep(4 * connections.SECONDS)
    return PlainTextResponse("here")


@pytest.fixture
def port(monkeypatch: pytest.MonkeyPatch) -> Iterator[int]:
    monkeypatch.setattr(connections, "SECONDS", 0.2)
    for name in ("connection_made", "handle_websocket_upgrade"):
        monkeypatch.setattr(AutoHTTPProtocol, name, getattr(AutoHTTPProtocol, name))
    connections.settle()
    config = uvicorn.Config(Starlette(routes=[Route("/", answer)]), port=0, log_config=None)
    server = uvicorn.Server(config)
    thread = threading.Thread(target=server.run)
    thread.start()
    until(lambda: server.started, "the server listens")
    yield server.servers[0].sockets[0].getsockname()[1]
    server.should_exit = True
    thread.join(PATIENCE)


def said(port: int, asked: bytes) -> bytes:
    """All that comes until the other end closes."""
    with socket.create_connection(("127.0.0.1", port), PATIENCE) as line:
        line.sendall(asked)
        return b"".join(iter(lambda: line.recv(4096), b""))


@pytest.mark.parametrize("half", [b"", b"GE", HEAD])
def test_half_a_request_is_not_waited_for(port: int, half: bytes) -> None:
    assert said(port, half) == b""
    assert said(port, HEAD + b"\r\n" + half).count(b"here") == 1


def test_an_answer_that_takes_long_is_waited_for(port: int) -> None:
    assert said(port, HEAD.replace(b"/ ", b"/?slow ") + b"\r\n").endswith(b"here")


@pytest.mark.parametrize("wrong", [b"Cookie: a\x01b", b"Sec-WebSocket-Protocol: stream\x7flit"])
def test_a_handshake_with_a_control_character_is_refused(port: int, wrong: bytes) -> None:
    assert said(port, LINE + wrong + b"\r\n\r\n").startswith(b"HTTP/1.1 400 ")
