"""Somebody who asks for as much as the server lets one network ask: `readers --floods` starts it.

    python -m benchmarks.flood ADDRESS NETWORK

A hundred pages of one network, none of which waits for an answer, ask for screens again and again,
150 times a second together, each time with another number, so that nothing is kept. Without end.
"""

import asyncio
import sys
from collections.abc import Iterator
from itertools import count

from streamlit.proto.BackMsg_pb2 import BackMsg
from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import WebSocketException
from websockets.typing import Subprotocol

CONNECTIONS = 100
RATE = 150.0
OPENED = 10.0
"""Connections that are opened in a second."""
ASKED = (
    ("rope", "view=score&base={}"),
    ("absolute", "view=similarity&base={}"),
    ("side_by_side", "seed={}"),
    ("why_position", "seed={}"),
    ("scaling", "factor={}"),
    ("alibi", "length={}"),
)
"""Screens with a number that changes."""


async def page(address: str, network: str, numbers: Iterator[int]) -> None:
    """Ask on one connection, and on another one where the server ends it."""
    while True:
        try:
            async with connect(
                address.replace("http", "ws", 1) + "/_stcore/stream",
                subprotocols=[Subprotocol("streamlit")],
                local_addr=(network, 0),
                compression=None,
                ping_interval=None,
                max_size=None,
            ) as connection:
                await asyncio.gather(ask(connection, numbers), forget(connection))
        except (OSError, WebSocketException):
            await asyncio.sleep(CONNECTIONS / OPENED)


async def ask(connection: ClientConnection, numbers: Iterator[int]) -> None:
    while True:
        number = next(numbers)
        screen, query = ASKED[number % len(ASKED)]
        message = BackMsg()
        message.rerun_script.page_name = screen
        message.rerun_script.query_string = f"{query.format(2 + number % 90)}"
        await connection.send(message.SerializeToString())
        await asyncio.sleep(CONNECTIONS / RATE)


async def forget(connection: ClientConnection) -> None:
    """Read what comes, as a page does that has asked for something else meanwhile."""
    async for _ in connection:
        pass


async def main(address: str, network: str) -> None:
    numbers = count()
    async with asyncio.TaskGroup() as pages:
        for _ in range(CONNECTIONS):
            pages.create_task(page(address, network, numbers))
            await asyncio.sleep(1 / OPENED)


if __name__ == "__main__":
    asyncio.run(main(sys.argv[1], sys.argv[2]))
