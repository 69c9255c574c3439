"""Lets through what a page sends over its line, within bounds; the rest reaches no session.

Streamlit serves every message that its own browser half can send. Some of them empty the caches of
all readers, ask git about the server's folder or write files into it, and one that asks for many
names of files keeps all readers waiting while they are made. It also serves them as fast as they
come, and for a line of another site it asks an outside service for its own address first.
"""

import asyncio
import gc
import logging

from starlette.requests import HTTPConnection
from starlette.responses import PlainTextResponse
from starlette.types import ASGIApp, Message, Receive, Scope, Send
from starlette.websockets import WebSocket, WebSocketDisconnected

from serving.crowd import ANSWERS, HANDSHAKE, LINE_BURST, LINE_RATE, LINES, Bucket, Crowd, Network
from serving.origin import is_own_page
from ui.jobs import visitor
from ui.streamlit.messages import is_known, read

LOG = logging.getLogger("posenc.server")
OWNER = b"x-posenc-owner"
"""Header that says whose a line is; what a browser says there is not believed."""
LARGE = 1 << 18
"""Bytes of a message after which memory is looked through: what it left behind may be a circle."""


class Messages:
    """Drops messages that no page of this app sends, and refuses who asks for too much."""

    def __init__(self, app: ASGIApp) -> None:
        self.app = app
        self.crowd = Crowd()
        self.lines = 0
        """That are open now."""
        self.collects = False
        """Whether memory is about to be looked through; each time stops everybody for a moment."""

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Serve one request, or one line."""
        if scope["type"] not in ("http", "websocket"):
            await self.app(scope, receive, send)
            return
        scope = with_plain_cookies(scope)
        network = self.crowd.network(scope)
        await self.crowd.let_others(network)
        if scope["type"] == "http":
            await self._answer(scope, receive, send, network)
        elif not is_own_page(scope):
            await _refuse(scope, receive, send, 403, "This server takes lines of its own pages.")
        elif network.lines >= LINES - self.lines or not network.bucket.take(HANDSHAKE):
            told = "Too many pages are open at this network address. Close some, or wait a minute."
            await _refuse(scope, receive, send, 429, told)
        else:
            network.lines += 1
            self.lines += 1
            try:
                await self._serve(scope, receive, send, network)
            except WebSocketDisconnected:
                pass  # Streamlit says goodbye to who has left while it was told something
            finally:
                network.lines -= 1
                self.lines -= 1

    async def _answer(self, scope: Scope, receive: Receive, send: Send, network: Network) -> None:
        if network.answers >= ANSWERS or not network.requests.take():
            told = "Too much is asked for from this network address. Wait a minute."
            await PlainTextResponse(told, 429)(scope, receive, send)
            return
        network.answers += 1
        try:
            await self.app(scope, receive, send)
        finally:
            network.answers -= 1

    async def _serve(self, scope: Scope, receive: Receive, send: Send, network: Network) -> None:
        own = Bucket(LINE_BURST, LINE_RATE)

        async def heard() -> Message:
            while True:
                message = await receive()
                if message["type"] != "websocket.receive":
                    return message
                await self.crowd.let_others(network)
                if not (own.take() and network.bucket.take()):
                    return await _end(send, "too many messages")
                asked = read(message.get("bytes"))
                if asked is None:
                    return await _end(send, "a message of no page")
                if len(message["bytes"]) > LARGE and not self.collects:
                    self.collects = True
                    asyncio.get_running_loop().call_later(1.0, self._collect)
                if is_known(asked):
                    return message

        await self.app(owned(scope), heard, send)

    def _collect(self) -> None:
        self.collects = False
        gc.collect()


async def _end(send: Send, reason: str) -> Message:
    LOG.warning("a line is ended: %s", reason)
    await send({"type": "websocket.close", "code": 1008, "reason": reason})
    return {"type": "websocket.disconnect", "code": 1008}


async def _refuse(scope: Scope, receive: Receive, send: Send, status: int, told: str) -> None:
    line = WebSocket(scope, receive, send)
    if "websocket.http.response" in scope.get("extensions", {}):
        await line.send_denial_response(PlainTextResponse(told, status))
    else:
        await line.close(1008)


def with_plain_cookies(scope: Scope) -> Scope:
    """The same request without the backslashes of its cookies; those of this app have none.

    Older releases of Python (before 3.11.10 and 3.12.6) read 60,000 of them in 14 seconds.
    """
    plain = [
        (name, value.replace(b"\\", b"") if name == b"cookie" else value)
        for name, value in scope["headers"]
    ]
    return {**scope, "headers": plain}


def owned(scope: Scope) -> Scope:
    """The same line, whose session then belongs to the browser that opened it.

    Who knows a session's id comes back to it after a failure, and Streamlit asks that the header of
    `.streamlit/config.toml` says the same as before.
    """
    owner = visitor.owner_in(HTTPConnection(scope).cookies.get(visitor.COOKIE, ""))
    others = [(name, value) for name, value in scope["headers"] if name != OWNER]
    return {**scope, "headers": [*others, (OWNER, owner.encode())]}
