"""Replicas behind the project's nginx, and readers of many networks, addresses of this machine.

A reader here is a coroutine: hundreds of them take less of the cores than the server does.
"""

import asyncio
import re
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from urllib.parse import urlsplit

from streamlit.proto.BackMsg_pb2 import BackMsg
from streamlit.proto.ForwardMsg_pb2 import ForwardMsg
from websockets.asyncio.client import ClientConnection, connect
from websockets.typing import Subprotocol

from benchmarks.scale.machine import Machine, nginx
from benchmarks.server import ROOT, free_port, megabytes

PATIENCE = 60.0
"""Seconds after which an answer counts as none."""


@dataclass
class Site:
    """nginx at an address, and the replicas behind it."""

    address: str
    machine: Machine
    replicas: int
    log: Path
    """Access log of nginx, a JSON object in each line."""

    def memory(self) -> list[float]:
        """Megabytes of each replica."""
        programs = (self.machine.programs[f"replica {n}"] for n in range(1, self.replicas + 1))
        return [megabytes(one.process.pid) for one in programs if one.process is not None]


@contextmanager
def site(
    folder: Path, replicas: int = 2, settings: Mapping[str, str] | None = None
) -> Iterator[Site]:
    """Start replicas and nginx, without TLS.

    Raises:
        SystemExit: If nginx is not installed.
    """
    program = nginx()
    if program is None:
        raise SystemExit("nginx is not installed.")
    variables = {
        "POSENC_LAB_HOME": str(folder),
        "POSENC_SECRET": "proxied" * 5,
        "POSENC_LAB": "read",
        "POSENC_LOG": "json",
    }
    machine = Machine(ROOT, folder, variables | dict(settings or {}))
    try:
        ports = [free_port() for _ in range(replicas)]
        for number, port in enumerate(ports, 1):
            machine.start_replica(number, port)
        for number in range(1, replicas + 1):
            machine.wait(f"replica {number}")
        address = machine.start_proxy(program, folder / "nginx", ports, encrypted=False)
        machine.wait("nginx")
        yield Site(address, machine, replicas, folder / "nginx" / "access.log")
    finally:
        machine.close()


async def get(
    address: str, network: str, path: str, agent: str = "", packing: str = ""
) -> tuple[int, bytes]:
    """Status and body of an answer, packed if that is asked for; 0 where there is none."""
    place = urlsplit(address)
    try:
        async with asyncio.timeout(PATIENCE):
            reader, writer = await asyncio.open_connection(
                place.hostname, place.port, local_addr=(network, 0)
            )
            try:
                told = f"Host: {place.netloc}\r\nUser-Agent: {agent}\r\nAccept-Encoding: {packing}"
                writer.write(f"GET {path} HTTP/1.0\r\n{told}\r\n\r\n".encode())
                head, _, body = (await reader.read(-1)).partition(b"\r\n\r\n")
            finally:
                await closed(writer)
    except (OSError, TimeoutError):
        return 0, b""
    found = re.match(rb"HTTP/\S+ (\d+)", head)
    return int(found[1]) if found else 0, body


async def closed(writer: asyncio.StreamWriter) -> None:
    """Close a connection, and see it closed; whoever is cancelled meanwhile leaves none open."""
    writer.close()
    try:
        with suppress(OSError):
            await writer.wait_closed()
    finally:
        writer.transport.abort()


def connection(address: str, network: str, agent: str = "") -> connect:
    """A page's connection, for `async with`; browsers of other kinds go to other replicas."""
    return connect(
        address.replace("http", "ws", 1) + "/_stcore/stream",
        subprotocols=[Subprotocol("streamlit")],
        local_addr=(network, 0),
        user_agent_header=agent or None,
        compression=None,
        ping_interval=None,
        open_timeout=PATIENCE,
        close_timeout=1,
        max_size=None,
    )


async def ask(page: ClientConnection, screen: str, query: str) -> None:
    """Ask for a screen, and do not wait for the answer."""
    message = BackMsg()
    message.rerun_script.page_name = screen
    message.rerun_script.query_string = query
    await page.send(message.SerializeToString())


async def answered(page: ClientConnection, screen: str, query: str) -> float:
    """Seconds until a screen has been answered whole.

    Raises:
        TimeoutError: If that takes longer than `PATIENCE`.
        LookupError: If an error box comes.
    """
    begun = time.monotonic()
    async with asyncio.timeout(PATIENCE):
        await ask(page, screen, query)
        async for told in page:
            assert isinstance(told, bytes)
            if len(told) > 200:
                continue
            message = ForwardMsg.FromString(told)
            if message.WhichOneof("type") == "script_finished":
                how = message.script_finished
                if how == ForwardMsg.FINISHED_SUCCESSFULLY:
                    return time.monotonic() - begun
                if how != ForwardMsg.FINISHED_EARLY_FOR_RERUN:
                    raise LookupError(f"{screen}?{query} ended in an error")
    raise TimeoutError
