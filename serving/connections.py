"""Ends connections on which nothing is asked, and handshakes that nothing would answer.

A proxy does this before the app. Without one, uvicorn waits for half a request without end, and for
a handshake with a control character in a header as long.
"""

import asyncio
import re
from typing import Any

from uvicorn.protocols.http.auto import AutoHTTPProtocol

SECONDS = 10.0
"""In which a request must have begun and its headers must have come."""
CONTROL = re.compile(rb"[\x00-\x08\x0a-\x1f\x7f]")


def settle() -> None:
    """Have uvicorn do both; it takes no class of ours on its command line."""
    protocol: Any = AutoHTTPProtocol
    made, upgrade = protocol.connection_made, protocol.handle_websocket_upgrade

    def connection_made(self: Any, transport: asyncio.Transport) -> None:
        made(self, transport)
        self.loop.call_later(SECONDS, _look, self, None)

    def handle_websocket_upgrade(self: Any, *event: Any) -> None:
        if any(CONTROL.search(value) for _name, value in self.headers):
            self.send_400_response("A header has a control character.")
        else:
            upgrade(self, *event)

    protocol.connection_made = connection_made
    protocol.handle_websocket_upgrade = handle_websocket_upgrade


def _look(connection: Any, last: Any) -> None:
    """Look again and again; end it where nothing more has been asked since the last look.

    `cycle` is uvicorn's newest request whose headers have come whole.
    """
    transport, newest = connection.transport, connection.cycle
    if transport.is_closing() or transport.get_protocol() is not connection:  # now a line
        return
    if newest is last and (newest is None or newest.response_complete):
        transport.close()
    else:
        connection.loop.call_later(SECONDS, _look, connection, newest)
