"""A page's websocket as bytes: what a peer may send that is no message yet.

uvicorn reads every frame that comes, and holds what is unfinished for as long as its peer likes.
But questions whether the server is there, and parts without content, are no messages that anybody
counts: a million of them, of six bytes each, keep everybody waiting for twenty seconds.
"""

import asyncio
import socket
from typing import Any, ClassVar

from uvicorn.protocols.websockets.websockets_sansio_impl import WebSocketsSansIOProtocol

from serving.network import Bucket

ENDED = "posenc.ended"
"""Where a connection's scope says that it has ended: a future, for who waits before he listens."""
PIECE = 4096
"""Bytes that are read before frames are counted: 700 of the smallest."""
FRAMES_BURST = 400
FRAMES_RATE = 50.0
"""Frames of a connection: at once, and a second. Browsers cut a long message into some twenty."""
SECONDS = 60.0
"""In which a message must have come."""
HELD = 128 << 20
"""Bytes of all unfinished messages together."""
SMALL = 1 << 16
"""Bytes of an unfinished message that is in nobody's way."""
AHEAD = 1 << 17
"""Bytes that the kernel takes ahead for who does not read; it doubles them, and takes megabytes
where nobody says so."""
UNREADABLE = (
    b"HTTP/1.1 400 Bad Request\r\nConnection: close\r\nContent-Type: text/plain\r\n"
    b"Content-Length: 32\r\n\r\nThis handshake cannot be read.\r\n"
)


class BoundedWebSocket(WebSocketsSansIOProtocol):
    """Ends a connection that sends too many frames, or does not finish what it has begun."""

    held: ClassVar[int] = 0
    """Bytes of all unfinished messages."""

    def __init__(self, *about: Any, **named: Any) -> None:
        super().__init__(*about, **named)
        self.frames_left = Bucket(FRAMES_BURST, FRAMES_RATE)
        self.ended: asyncio.Future[None] = self.loop.create_future()
        self.unfinished = 0
        self.deadline: asyncio.TimerHandle | None = None

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """Begin, with little written ahead."""
        super().connection_made(transport)
        own = transport.get_extra_info("socket")
        if own is not None and own.family in (socket.AF_INET, socket.AF_INET6):
            own.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, AHEAD)

    def data_received(self, data: bytes) -> None:
        """Read what came, piece by piece."""
        for at in range(0, len(data), PIECE):
            if self.transport.is_closing():
                return
            super().data_received(data[at : at + PIECE])
            if not self.handshake_initiated and self.conn.handshake_exc is not None:
                # A control character in a header, or a body: nothing else would answer.
                self.transport.write(UNREADABLE)
                self.transport.close()
                return
            self._hold(sum(map(len, self.frames)) + len(self.conn.reader.buffer))
            if self.unfinished > SMALL and BoundedWebSocket.held > HELD:
                self._end(1013, "too many unfinished messages")

    def handle_events(self) -> None:
        """Count the frames, and hand them on."""
        if self.frames_left.take(len(self.conn.events)):
            super().handle_events()
        else:
            self._end(1008, "too many frames")

    def send_receive_event_to_app(self) -> None:
        """A message has come whole."""
        self._hold(0)
        super().send_receive_event_to_app()

    def connection_lost(self, exc: Exception | None) -> None:
        """The connection has ended, and with it what still waits to be heard."""
        self._hold(0)
        for _ in range(self.queue.qsize()):
            event = self.queue.get_nowait()
            if event["type"] != "websocket.receive":
                self.queue.put_nowait(event)
        super().connection_lost(exc)
        if not self.ended.done():
            self.ended.set_result(None)

    async def run_asgi(self) -> None:
        """Serve the connection."""
        self.scope[ENDED] = self.ended  # type: ignore[literal-required]
        await super().run_asgi()

    def _hold(self, unfinished: int) -> None:
        BoundedWebSocket.held += unfinished - self.unfinished
        self.unfinished = unfinished
        if unfinished and self.deadline is None:
            told = 1008, "a message has not come in time"
            self.deadline = self.loop.call_later(SECONDS, self._end, *told)
        elif not unfinished and self.deadline is not None:
            self.deadline.cancel()
            self.deadline = None

    def _end(self, code: int, reason: str) -> None:
        if not self.transport.is_closing():
            self.conn.fail(code, reason)
            self.transport.write(b"".join(self.conn.data_to_send()))
            self.close_sent = True
            self.transport.close()
