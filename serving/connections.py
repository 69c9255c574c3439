"""Ends connections on which nothing happens, and handshakes that nothing would answer.

A proxy does this before the app. Without one, uvicorn waits for half a request without end, and for
who does not take what was sent to the last; with and without one, for a handshake that its other
half cannot read: a control character in a header, a body, too many headers or too long ones.
"""

import asyncio
import socket
from collections.abc import Callable
from typing import Any

import h11
from uvicorn.protocols.http.auto import AutoHTTPProtocol

from serving.line import Line
from ui.streamlit.messages import LONGEST

MOST_ROWS = 500
"""Rows before a request's body: a browser sends thirty, and to read 12,000 takes 30 ms."""
SECONDS = 10.0
"""In which a request must have begun and its headers must have come."""
GRACE = 10
"""Seconds in which a server that is told to end has to, whoever has not yet."""

AHEAD = 1 << 17
"""Bytes that are written ahead to a socket; the kernel doubles it."""


def settle() -> None:
    """Have uvicorn do all of it; it takes no class of ours on its command line."""
    protocol: Any = AutoHTTPProtocol
    made = protocol.connection_made
    upgrade = protocol.handle_websocket_upgrade
    received = protocol.data_received

    def connection_made(self: Any, transport: asyncio.Transport) -> None:
        made(self, transport)
        own = transport.get_extra_info("socket")
        if own is not None and own.family in (socket.AF_INET, socket.AF_INET6):
            own.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
            # What is written ahead of who takes nothing: the kernel holds megabytes otherwise.
            own.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, AHEAD)
        # `streamlit run` and uvicorn by themselves take 16 MB and more, unpack what is packed, and
        # end when the last one does.
        self.config.ws_max_size = LONGEST
        self.config.ws_per_message_deflate = False
        self.config.timeout_graceful_shutdown = self.config.timeout_graceful_shutdown or GRACE
        self.ws_protocol_class = Line
        self.after = None  # the request before
        self.rows = 0  # since then
        if isinstance(getattr(self, "conn", None), h11.Connection):
            self.conn.next_event = _of_told_length(self.conn.next_event)
        self.loop.call_later(SECONDS, _look, self, (None, 0))

    def data_received(self: Any, data: bytes) -> None:
        if self.after is not self.cycle:
            self.after = self.cycle
            self.rows = 0
        if self.cycle is None or self.cycle.response_complete:
            self.rows += data.partition(b"\r\n\r\n")[0].count(b"\n")
        if self.rows <= MOST_ROWS:
            received(self, data)
        elif self.cycle is None:
            self.send_400_response("The request has too many headers.")
        else:
            self.transport.close()

    def handle_websocket_upgrade(self: Any, *event: Any) -> None:
        upgrade(self, *event)
        if not self.transport.get_protocol().handshake_initiated:
            self.send_400_response("This handshake cannot be read.")

    protocol.connection_made = connection_made
    protocol.data_received = data_received
    protocol.handle_websocket_upgrade = handle_websocket_upgrade


def _of_told_length(next_event: Callable[[], Any]) -> Callable[[], Any]:
    """Refuse a body in chunks: reading a million of one byte takes a minute, in one go.

    Browsers tell how long a file is.
    """

    def checked() -> Any:
        event = next_event()
        if isinstance(event, h11.Request) and b"transfer-encoding" in dict(event.headers):
            raise h11.RemoteProtocolError("The length of a body must be told.")
        return event

    return checked


def _look(connection: Any, last: tuple[Any, int]) -> None:
    """Look again and again; end it where nothing has happened since the last look.

    `cycle` is uvicorn's newest request whose headers have come whole.
    """
    transport = connection.transport
    newest = connection.cycle
    unsent = transport.get_write_buffer_size()
    is_line = transport.get_protocol() is not connection
    if transport.is_closing():
        if unsent and (newest, unsent) == last:
            transport.abort()  # nobody takes it
        if not unsent or (newest, unsent) == last:
            return
    elif not is_line and unsent and (newest, unsent) == last:
        transport.abort()
    elif not is_line and newest is last[0] and (newest is None or newest.response_complete):
        transport.close()
    connection.loop.call_later(SECONDS, _look, connection, (newest, unsent))
