"""Who may open a page's connection, what may be said on it, and which makes room for another.

A connection is a page's websocket, and costs memory for as long as it is open. So there are `MOST`,
and whoever comes when they are taken gets the place of one that nobody uses, or of the network that
holds most. What is said on a connection reaches a session within bounds: Streamlit serves every
message that its own browser half can send, and some of these empty the caches of all readers, ask
git about the server's folder, write files into it, or ask for so many names of files that everybody
waits while they are made.
"""

import asyncio
import gc
import logging
import time
from collections import Counter
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Any

from starlette.requests import HTTPConnection
from starlette.responses import HTMLResponse, PlainTextResponse
from starlette.types import ASGIApp, Message, Receive, Scope, Send
from starlette.websockets import WebSocket, WebSocketDisconnected

from serving import figures
from serving.network import KEPT, Bucket, client, is_trusted, network_of, subnet_of
from serving.origin import is_own_page
from serving.websocket import ENDED
from ui.jobs import visitor
from ui.streamlit.messages import read

LOG = logging.getLogger("posenc.server")
MOST = 800
"""Connections that are open at a time. With what waits for who reads slowly, one holds some 4 MB
at most."""
CROWDED = 640
"""Open connections above which those that nobody uses make room."""
NEW = 720
"""Connections that browsers may have which were not here before today."""
SILENT = 10.0
"""Seconds in which a page asks for its screen: a browser does it at once."""
IDLE = 1800.0
"""Seconds without a move after which nobody is taken to be there."""
CONNECTION_BURST = 100
CONNECTION_RATE = 20.0
"""Messages of one connection: at once, and a second. A dragged slider sends five a second."""
NETWORK_BURST = 3000
NETWORK_RATE = 150.0
"""Messages of all connections of a network: 200 readers at once, and 150 of them every second."""
LARGE = 1 << 18
"""Bytes of a message after which memory is looked through: what it left behind may be a circle."""
SCREEN = "posenc.screen"
"""Where a message has the hash of the screen that it asks to be run."""
OWNER = b"x-posenc-owner"
"""Header that says whose a connection is; what a browser says there is not believed."""
FULL = (
    "All places at this server are taken by readers who were here first or come from networks with "
    "fewer pages open. Try again in a few minutes."
)
FULL_PAGE = f"""<!doctype html>
<html lang="en"><meta charset="utf-8"><title>All places are taken</title>
<meta name="viewport" content="width=device-width"><meta http-equiv="refresh" content="60">
<h1>All places are taken</h1><p>{FULL} This page does so by itself every minute.</p>
<p><a href="/course/">The course</a> needs no place and is open to everybody.</p></html>
"""


@dataclass(eq=False)
class Connection:
    """One open connection."""

    network: str
    subnet: str
    is_trusted: bool
    """Whether it comes from a network that the operator trusts."""
    was_here: bool
    """Whether its browser was here before today."""
    ended: asyncio.Future[None] | None = None
    """Is done when it has ended, or has to."""
    makes_room: bool = False
    opened: float = field(default_factory=lambda: time.monotonic())
    moved: float | None = None
    """When it last asked for a screen."""

    def idle(self) -> float:
        """Seconds since its reader did something."""
        return time.monotonic() - (self.opened if self.moved is None else self.moved)

    def is_unused(self) -> bool:
        """Whether nobody seems to be at the other end."""
        return self.idle() > (SILENT if self.moved is None else IDLE)


class Sessions:
    """Lets connections in, ends those that make room, and drops messages that no page sends."""

    def __init__(self, app: ASGIApp) -> None:
        self.app = app
        self.said = lru_cache(KEPT)(lambda _network: Bucket(NETWORK_BURST, NETWORK_RATE))
        """What the connections of a network may still say, by its name."""
        self.connections: set[Connection] = set()
        self.collects = False
        """Whether memory is about to be looked through; each time stops everybody for a moment."""

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Serve one request, or one connection."""
        if scope["type"] not in ("http", "websocket"):
            await self.app(scope, receive, send)
        else:
            serve = self._answer if scope["type"] == "http" else self._open
            await serve(scope, receive, send)

    async def _answer(self, scope: Scope, receive: Receive, send: Send) -> None:
        # Streamlit's page would wait for its connection for ever, and say nothing.
        if figures.is_screen(scope["path"]) and self._is_full_for(connection_of(scope)):
            figures.refused.inc()
            page = HTMLResponse(FULL_PAGE, 503, {"Retry-After": "60"})
            await page(scope, receive, send)
        else:
            await self.app(scope, receive, send)

    async def _open(self, scope: Scope, receive: Receive, send: Send) -> None:
        connection = connection_of(scope)
        if not is_own_page(scope):
            told = "This server takes connections of its own pages."
            await _refuse(scope, receive, send, 403, told)
        elif self._is_full_for(connection):
            figures.refused.inc()
            await _refuse(scope, receive, send, 503, FULL)
        else:
            if other := self._making_room(connection):
                figures.ended.labels("unused" if other.is_unused() else "crowded").inc()
                self._end_for_another(other)
            connection.ended = scope.setdefault(ENDED, asyncio.get_running_loop().create_future())
            self.connections.add(connection)
            try:
                await self._serve(connection, scope, receive, send)
            except WebSocketDisconnected:
                pass  # Streamlit says goodbye to who has left while it was told something
            finally:
                self.connections.discard(connection)

    def _end_for_another(self, connection: Connection) -> None:
        self.connections.remove(connection)
        connection.makes_room = True
        if connection.ended is not None and not connection.ended.done():
            connection.ended.set_result(None)

    def _is_full_for(self, connection: Connection) -> bool:
        return self._lacks_room(connection) and self._making_room(connection) is None

    def _lacks_room(self, connection: Connection) -> bool:
        """Whether a connection can be let in only in another one's place."""
        privileged = connection.is_trusted or connection.was_here
        new = sum(not (one.is_trusted or one.was_here) for one in self.connections)
        return len(self.connections) >= MOST or (not privileged and new >= NEW)

    def _making_room(self, connection: Connection) -> Connection | None:
        """The connection that ends for another one; None where none has to, or none may.

        Those that nobody uses come first. Else it is one of the network that has most, where that
        has more than the newcomer's will have: so nobody gains by asking again. Trusted networks
        give to none but each other; readers who were here before, to none who were not.
        """
        if len(self.connections) < CROWDED:
            return None
        many = Counter(one.network for one in self.connections)
        unused = [one for one in self.connections if one.is_unused()]
        if unused:
            return max(unused, key=lambda one: (one.moved is None, many[one.network], one.idle()))
        if not self._lacks_room(connection):
            return None
        giving = [
            one
            for one in self.connections
            if connection.is_trusted >= one.is_trusted
            and (connection.is_trusted or connection.was_here or not one.was_here)
            and (
                connection.is_trusted > one.is_trusted
                or many[one.network] > many[connection.network] + 1
            )
        ]
        parts = Counter(one.subnet for one in giving)
        return max(
            giving,
            key=lambda one: (
                not one.is_trusted,
                many[one.network],
                not one.was_here,
                parts[one.subnet],
                one.idle(),
            ),
            default=None,
        )

    async def _serve(
        self, connection: Connection, scope: Scope, receive: Receive, send: Send
    ) -> None:
        network = self.said(connection.network)
        own = Bucket(CONNECTION_BURST, CONNECTION_RATE)

        async def heard() -> Message:
            while True:
                message = await _next(receive, scope[ENDED])
                if connection.makes_room:
                    return await _end(send, "it makes room for another one", 1013)
                if message["type"] != "websocket.receive":
                    return message
                if not (own.take() and network.take()):
                    return await _end(send, "too many messages")
                asked = read(message.get("bytes"))
                if asked is None:
                    return await _end(send, "a message of no page")
                if len(message["bytes"]) > LARGE and not self.collects:
                    self.collects = True
                    asyncio.get_running_loop().call_later(1.0, self._collect)
                if asked.screen is not None:
                    connection.moved = time.monotonic()
                    message[SCREEN] = asked.screen
                if asked.is_known:
                    return message

        await self.app(owned(scope), heard, send)

    def _collect(self) -> None:
        self.collects = False
        gc.collect()


async def _next(receive: Receive, ended: asyncio.Future[None]) -> Message:
    """The next message of a connection, or that it has ended."""
    coming = asyncio.ensure_future(receive())
    either: set[asyncio.Future[Any]] = {coming, ended}
    try:
        await asyncio.wait(either, return_when=asyncio.FIRST_COMPLETED)
    except asyncio.CancelledError:
        coming.cancel()
        raise
    if coming.done():
        return coming.result()
    coming.cancel()
    return {"type": "websocket.disconnect", "code": 1001}


async def _end(send: Send, reason: str, code: int = 1008) -> Message:
    LOG.warning("a connection is ended: %s", reason)
    await send({"type": "websocket.close", "code": code, "reason": reason})
    return {"type": "websocket.disconnect", "code": code}


async def _refuse(scope: Scope, receive: Receive, send: Send, status: int, told: str) -> None:
    answer = PlainTextResponse(told, status)
    if "websocket.http.response" in scope.get("extensions", {}):
        await WebSocket(scope, receive, send).send_denial_response(answer)
    else:
        await WebSocket(scope, receive, send).close(1008)


def connection_of(scope: Scope) -> Connection:
    """The connection that a request opens, or its page would."""
    address = client(scope)
    cookie = HTTPConnection(scope).cookies.get(visitor.COOKIE, "")
    was_here = visitor.was_here_before(cookie)
    return Connection(network_of(address), subnet_of(address), is_trusted(address), was_here)


def owned(scope: Scope) -> Scope:
    """The same connection, whose session then belongs to the browser that opened it.

    Who knows a session's id comes back to it after a failure, and Streamlit asks that the header of
    `.streamlit/config.toml` says the same as before.
    """
    owner = visitor.owner_in(HTTPConnection(scope).cookies.get(visitor.COOKIE, ""))
    others = [(name, value) for name, value in scope["headers"] if name != OWNER]
    return {**scope, "headers": [*others, (OWNER, owner.encode())]}
