"""Somebody who asks for as much as the server lets one network ask: `readers --flood` starts it.

    python -m benchmarks.hostile.greed ADDRESS NETWORK

A hundred pages of one network, none of which waits for an answer, ask for screens again and again,
150 times a second together, each time with another number, so that nothing is kept. Without end.
"""

import base64
import os
import selectors
import socket
import sys
import time
from contextlib import suppress
from itertools import count
from urllib.parse import urlsplit

from streamlit.proto.BackMsg_pb2 import BackMsg
from websockets.frames import Frame, Opcode

LINES = 100
RATE = 150.0
ASKED = (
    ("rope", "view=score&base={}"),
    ("absolute", "view=similarity&base={}"),
    ("side_by_side", "seed={}"),
    ("why_position", "seed={}"),
    ("scaling", "factor={}"),
    ("alibi", "length={}"),
)
"""Screens with a number that changes."""


def opened(address: str, network: str) -> socket.socket:
    """A line from this network, as a program without a page opens it."""
    here = urlsplit(address)
    line = socket.create_connection((here.hostname or "", here.port or 80), 30, (network, 0))
    head = (
        f"GET /_stcore/stream HTTP/1.1\r\nHost: {here.netloc}\r\nUpgrade: websocket\r\n"
        f"Connection: Upgrade\r\nSec-WebSocket-Key: {base64.b64encode(os.urandom(16)).decode()}\r\n"
        "Sec-WebSocket-Version: 13\r\nSec-WebSocket-Protocol: streamlit\r\n\r\n"
    )
    line.sendall(head.encode())
    return line


def asked(number: int) -> bytes:
    screen, query = ASKED[number % len(ASKED)]
    message = BackMsg()
    message.rerun_script.page_name = screen
    message.rerun_script.query_string = f"step=0&{query.format(2 + number % 90)}"
    return Frame(Opcode.BINARY, message.SerializeToString()).serialize(mask=True)


def main(address: str, network: str) -> None:
    lines = selectors.DefaultSelector()
    begun = time.monotonic()
    for number in count():
        if len(lines.get_map()) < LINES and number % 15 == 0:  # ten a second
            with suppress(OSError):
                line = opened(address, network)
                line.setblocking(False)
                lines.register(line, selectors.EVENT_READ)
        while (left := begun + number / RATE - time.monotonic()) > 0:
            for key, _ in lines.select(left):
                _drop(lines, key.fileobj)  # type: ignore[arg-type]
        every = list(lines.get_map().values())
        with suppress(OSError):
            every[number % len(every)].fileobj.send(asked(number))  # type: ignore[union-attr]


def _drop(lines: selectors.BaseSelector, line: socket.socket) -> None:
    """Read what came, and forget it; a line that the server has ended too."""
    try:
        if line.recv(1 << 20):
            return
    except BlockingIOError:
        return
    except OSError:
        pass
    lines.unregister(line)
    line.close()


if __name__ == "__main__":
    main(sys.argv[1], sys.argv[2])
