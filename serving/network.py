"""Where a request comes from, as one network, and a limit on what may come from there."""

import os
import time
from functools import cache
from ipaddress import (
    IPv4Address,
    IPv4Network,
    IPv6Address,
    IPv6Network,
    ip_address,
    ip_network,
)

from starlette.types import Scope

KEPT = 10_000
"""Networks of which is known what they used; who asked longest ago is forgotten."""
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
    found = _read(address)
    if found is None:
        return address
    if found.version == 4:
        return str(found)
    return str(ip_network((int(found) >> (128 - bits) << (128 - bits), bits)))


def is_trusted(address: str) -> bool:
    """Whether an address lies in one of the networks that the operator trusts."""
    found = _read(address)
    return found is not None and any(found in one for one in trusted_networks())


def _read(address: str) -> IPv4Address | IPv6Address | None:
    try:
        found = ip_address(address)
    except ValueError:  # the socket of a proxy on this machine
        return None
    return found.ipv4_mapped or found if isinstance(found, IPv6Address) else found


def trusted_networks() -> tuple[IPv4Network | IPv6Network, ...]:
    """The networks that the operator trusts.

    Raises:
        ValueError: If the variable names something else.
    """
    return _trusted(os.environ.get(TRUSTED, ""))


@cache
def _trusted(text: str) -> tuple[IPv4Network | IPv6Network, ...]:
    try:
        return tuple(ip_network(part.strip()) for part in text.split(",") if part.strip())
    except ValueError as error:
        raise ValueError(
            f"{TRUSTED} is {text!r:.80}; it must be networks such as 192.0.2.0/24, 2001:db8::/48, "
            f"with commas between: {error}."
        ) from None
