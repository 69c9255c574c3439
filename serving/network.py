"""Where a request comes from, as one network: what it may ask, and what its lines may say.

Requests over HTTP are limited by the proxy. What stands here are the messages of open pages, which
a proxy cannot read, and guesses of tokens.
"""

import asyncio
import os
import time
from collections import OrderedDict
from collections.abc import Mapping
from functools import cache
from ipaddress import IPv4Network, IPv6Address, IPv6Network, ip_address, ip_network

from starlette.types import Scope

NETWORK_BURST = 3000
NETWORK_RATE = 150.0
"""Messages of all lines of a network: 200 readers at once, and 150 of them every second."""
GUESSES = 10
GUESS_RATE = 0.1
"""Wrong tokens of a network: at once, and a second."""
KEPT = 10_000
"""Networks of which is known what they asked; who asked longest ago is forgotten."""
TRUSTED = "POSENC_TRUSTED_NETWORKS"
"""Variable with the networks of a course: 192.0.2.0/24, 2001:db8::/48."""


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
    """What may still be asked from one network."""

    def __init__(self) -> None:
        self.turn = asyncio.Lock()
        self.messages = Bucket(NETWORK_BURST, NETWORK_RATE)
        self.guesses = Bucket(GUESSES, GUESS_RATE)


class Networks:
    """Every network that has asked for something, or did a while ago."""

    def __init__(self) -> None:
        self.known: OrderedDict[str, Network] = OrderedDict()
        self.turn = asyncio.Lock()

    def of(self, scope: Scope) -> Network:
        """Where a request comes from."""
        name = network_of(client(scope))
        found = self.known.setdefault(name, Network())
        self.known.move_to_end(name)
        while len(self.known) > KEPT:
            self.known.popitem(last=False)
        return found

    async def let_others(self, network: Network) -> None:
        """Wait until the server has looked at everybody, and networks have had their turns.

        It serves what waits in one go otherwise, and the loop of a thousand wishes takes seconds.
        """
        async with network.turn, self.turn:
            await asyncio.sleep(0)


def client(scope: Scope) -> str:
    """The address from which a request comes."""
    return str((scope.get("client") or ("",))[0])


def network_of(address: str) -> str:
    """An address; of IPv6 the /48 in which it lies, since one customer may have all of that.

    Some servers and proxies write an old address as a new one, ::ffff:192.0.2.1.
    """
    return _part_of(address, 48)


def subnet_of(address: str) -> str:
    """An address; of IPv6 the /64 in which it lies, since each reader has all of that."""
    return _part_of(address, 64)


def _part_of(address: str, bits: int) -> str:
    try:
        found = ip_address(address)
    except ValueError:  # the socket of a proxy on this machine
        return address
    if isinstance(found, IPv6Address):
        found = found.ipv4_mapped or found
    if found.version == 4:
        return str(found)
    return str(ip_network((int(found) >> (128 - bits) << (128 - bits), bits)))


def is_trusted(address: str) -> bool:
    """Whether an address lies in one of the networks that the operator trusts."""
    try:
        found = ip_address(address)
    except ValueError:
        return False
    if isinstance(found, IPv6Address):
        found = found.ipv4_mapped or found
    return any(found in one for one in _trusted(os.environ.get(TRUSTED, "")))


def trusted_networks(
    environment: Mapping[str, str] = os.environ,
) -> tuple[IPv4Network | IPv6Network, ...]:
    """The networks that the operator trusts.

    Raises:
        ValueError: If the variable names something else.
    """
    return _trusted(environment.get(TRUSTED, ""))


@cache
def _trusted(text: str) -> tuple[IPv4Network | IPv6Network, ...]:
    try:
        return tuple(ip_network(part.strip()) for part in text.split(",") if part.strip())
    except ValueError as error:
        raise ValueError(
            f"{TRUSTED} is {text!r:.80}; it must be networks such as 192.0.2.0/24, 2001:db8::/48, "
            f"with commas between: {error}."
        ) from None
