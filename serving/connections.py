"""Ends connections on which nothing happens, and handshakes that nothing would answer.

A proxy does this before the app. Without one, uvicorn waits for half a request without end, for a
handshake with a control character in a header, and for who does not take what was sent to the last.
"""

import asyncio
import re
import socket
from typing import Any

from uvicorn.protocols.http.auto import AutoHTTPProtocol

from serving.line import Line
from ui.streamlit.messages import LONGEST

SECONDS = 10.0
"""In which a request must have begun and its headers must have come."""
GRACE = 10
"""Seconds in which a server that is told to end has to, whoever has not yet."""
CONTROL = re.compile(rb"[\x00-\x08\x0a-\x1f\x7f]")


def settle() -> None:
    """Have uvicorn do all of it; it takes no class of ours on its command line."""
    protocol: Any = AutoHTTPProtocol
    made, upgrade = protocol.connection_made, protocol.handle_websocket_upgrade

    def connection_made(self: Any, transport: asyncio.Transport) -> None:
        made(self, transport)
        own = transport.get_extra_info("socket")
        if own is not None and own.family in (socket.AF_INET, socket.AF_INET6):
            own.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        # `streamlit run` and uvicorn by themselves take 16 MB and more, unpack what is packed, and
        # end when the last one does.
        self.config.ws_max_size = LONGEST
        self.config.ws_per_message_deflate = False
        self.config.timeout_graceful_shutdown = self.config.timeout_graceful_shutdown or GRACE
        self.ws_protocol_class = Line
        self.loop.call_later(SECONDS, _look, self, (None, 0))

    def handle_websocket_upgrade(self: Any, *event: Any) -> None:
        if any(CONTROL.search(value) for _name, value in self.headers):
            self.send_400_response("A header has a control character.")
        else:
            upgrade(self, *event)

    protocol.connection_made = connection_made
    protocol.handle_websocket_upgrade = handle_websocket_upgrade


def _look(connection: Any, last: tuple[Any, int]) -> None:
    """Look again and again; end it where nothing has happened since the last look.

    `cycle` is uvicorn's newest request whose headers have come whole.
    """
    transport, newest = connection.transport, connection.cycle
    unsent = transport.get_write_buffer_size()
    is_line = transport.get_protocol() is not connection
    if transport.is_closing():
        if unsent and (newest, unsent) == last:
            transport.abort()  # nobody takes it
        if not unsent or (newest, unsent) == last:
            return
    elif not is_line and newest is last[0] and (newest is None or newest.response_complete):
        transport.close()
    connection.loop.call_later(SECONDS, _look, connection, (newest, unsent))
