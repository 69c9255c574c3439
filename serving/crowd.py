"""How much one network may ask of the server, and one of its lines."""

import asyncio
import time
from collections import OrderedDict
from ipaddress import IPv6Address, ip_address

from starlette.types import Scope

LINES = 800
"""Lines that are open at a time. A network may have as many as are free: half of them where it is
alone, a class of 200 behind one address twice. With what waits for who reads slowly, one holds at
most some 4 MB."""
LINE_BURST = 100
LINE_RATE = 20.0
"""Messages of one line: at once, and a second. A slider that is dragged sends five a second."""
NETWORK_BURST = 3000
NETWORK_RATE = 150.0
"""Messages of all lines of a network: 200 readers at once, and 150 of them every second."""
HANDSHAKE = 5
"""Messages that opening a line counts for: a session takes that much longer to make."""
REQUESTS = 25_000
REQUEST_RATE = 150.0
"""Requests of a network: 200 readers who come for the first time, with all files, and a second."""
ANSWERS = 1500
"""Requests of a network that are answered at a time: 200 browsers open 1,200 connections."""
GUESSES = 10
GUESS_RATE = 0.1
"""Wrong tokens of a network: at once, and a second."""
KEPT = 10_000
"""Networks of which is known what they asked; who asked longest ago is forgotten."""


class Bucket:
    """Limit on requests: so many at once, and so many a second.

    Args:
        burst: At once.
        rate: A second.
    """

    def __init__(self, burst: int, rate: float) -> None:
        self.burst = burst
        self.rate = rate
        self.left = float(burst)
        self.since = time.monotonic()

    def take(self, count: int = 1) -> bool:
        """Take it, if so much may be asked now."""
        now = time.monotonic()
        self.left = min(self.burst, self.left + self.rate * (now - self.since))
        self.since = now
        if self.left < count:
            return False
        self.left -= count
        return True


class Network:
    """The lines of one network, what may be asked from there, and the tokens that it tries."""

    def __init__(self) -> None:
        self.lines = self.answers = 0
        self.turn = asyncio.Lock()
        self.requests = Bucket(REQUESTS, REQUEST_RATE)
        self.bucket = Bucket(NETWORK_BURST, NETWORK_RATE)
        self.guesses = Bucket(GUESSES, GUESS_RATE)


class Crowd:
    """Every network that has lines, or had them a while ago."""

    def __init__(self) -> None:
        self.networks: OrderedDict[str, Network] = OrderedDict()
        self.turn = asyncio.Lock()

    def network(self, scope: Scope) -> Network:
        """Where a request comes from."""
        name = network_of((scope.get("client") or ("",))[0])
        found = self.networks.setdefault(name, Network())
        self.networks.move_to_end(name)
        while len(self.networks) > KEPT:
            self.networks.popitem(last=False)
        return found

    async def let_others(self, network: Network) -> None:
        """Wait until the server has looked at everybody, and networks have had their turns.

        It serves what waits in one go otherwise, and the loop of a thousand wishes takes seconds.
        """
        async with network.turn, self.turn:
            await asyncio.sleep(0)


def network_of(address: str) -> str:
    """An address; of the newer kind its first half, since each reader has all of the second.

    Some servers and proxies write an old one as a new one, ::ffff:192.0.2.1.
    """
    try:
        found = ip_address(address)
    except ValueError:  # the socket of a proxy on this machine
        return address
    if isinstance(found, IPv6Address):
        found = found.ipv4_mapped or found
    return str(found if found.version == 4 else int(found) >> 64)
