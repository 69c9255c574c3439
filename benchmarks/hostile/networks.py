"""Floods of some networks, and what another network gets: `python -m benchmarks.hostile.networks`.

Two replicas stand behind the project's nginx. Attackers and readers come from addresses of this
machine, so the limits by network count them as on the internet. What counts is never what an
attacker is told, but what twenty networks that did nothing are, and a class whose network the
operator has named as a trusted one. It takes eleven minutes, of which eight are for the class.
Floods of requests and of frames are tests: `tests/serving/test_proxied.py`.
"""

import asyncio
import sys
import tempfile
import time
from collections import Counter
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager, suppress
from pathlib import Path
from typing import NamedTuple

import numpy as np
from websockets.exceptions import WebSocketException

from benchmarks.proxied import Site, answered, ask, connection, get, site
from benchmarks.report import markdown
from serving.network import TRUSTED
from serving.turns import MINUTE

OTHERS = [f"127.0.{n}.1" for n in range(10, 30)]
"""Networks of those who mean no harm."""
SECONDS = 20.0
"""Of each flood."""
CLASS = "127.0.9.9"
READERS = 20
PAUSE = 3.0
"""Seconds between two moves of a reader of the class."""
WAIT = 5.0
"""Seconds within which 95 of 100 moves have to be answered beside a flood, on a busy machine."""
DEAR = "step=0&seed={}"


@asynccontextmanager
async def flooded(*attackers: Awaitable[None]) -> AsyncIterator[None]:
    """Let attackers attack, until the end of the block."""
    tasks = [asyncio.ensure_future(attacker) for attacker in attackers]
    try:
        yield
    finally:
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)


async def silent(address: str, networks: int, each: int, screen: str | None = None) -> None:
    """Connections that ask for nothing, or once for a screen, and stay."""
    held = []
    try:
        for number in range(each):
            for network in range(networks):
                with suppress(OSError, WebSocketException, TimeoutError):
                    page = await connection(
                        address, f"127.0.67.{1 + network}", f"{network} {number}"
                    )
                    held.append(page)
                    if screen is not None:
                        await ask(page, screen, "step=0")
        await asyncio.Event().wait()
    finally:
        for page in held:  # what was not read is in the way of a goodbye, for a second each
            page.transport.abort()


async def greedy(address: str, network: str, rate: float, seed: int, *, anew: bool = False) -> None:
    """Asks for dear screens, waits for no answer, on one connection or each time on a new one."""
    while True:
        with suppress(OSError, WebSocketException, TimeoutError):
            async with connection(address, network, network) as page:
                while True:
                    seed += 1
                    await ask(page, "kv_cache", DEAR.format(seed % 100_000))
                    with suppress(TimeoutError):
                        async with asyncio.timeout(1 / rate):
                            async for _ in page:
                                pass
                    if anew:
                        break


async def come(address: str, network: str, agent: str) -> str:
    """What a newcomer gets."""
    status, _ = await get(address, network, "/rope", agent)
    if status != 200:
        return f"a page: {status}"
    try:
        async with connection(address, network, agent) as page:
            await answered(page, "units", "step=0")
    except WebSocketException as error:
        return f"a connection: {error}"
    except (OSError, TimeoutError, LookupError) as error:
        return f"a screen: {type(error).__name__}"
    return "in"


async def classroom(address: str, seconds: float, *attackers: Awaitable[None]) -> list[float]:
    """Waits of twenty readers behind one address for their moves, once attackers are at work.

    The class has begun a minute ago.
    """
    waits: list[float] = []
    end = float("inf")
    begun = asyncio.Event()
    there = asyncio.Barrier(READERS + 1)

    async def read(number: int) -> None:
        async with connection(address, CLASS, f"reader {number}") as page:
            await answered(page, "alibi", "step=0")
            await there.wait()
            await begun.wait()
            await asyncio.sleep(PAUSE * number / READERS)
            turn = number
            while (now := time.monotonic()) < end:
                turn += 1
                waits.append(await answered(page, "alibi", f"step=0&length={20 + turn % 40}"))
                await asyncio.sleep(max(0.0, PAUSE - (time.monotonic() - now)))

    readers = [asyncio.create_task(read(number)) for number in range(READERS)]
    await there.wait()
    await asyncio.sleep(MINUTE)
    async with flooded(*attackers):
        await asyncio.sleep(3)
        end = time.monotonic() + seconds
        begun.set()
        for problem in await asyncio.gather(*readers, return_exceptions=True):
            if problem is not None:
                print("a reader of the class:", repr(problem), file=sys.stderr)
    return waits


class Row(NamedTuple):
    """A line of the table."""

    attack: str
    others: str
    """What they got."""
    is_well: bool


TAKERS = (
    ("silent connections of ten networks", 10, 170, None),
    ("connections of ten networks that asked once", 10, 170, "home"),
)
"""Who takes places: networks, connections of each, and the screen that they ask for."""
FLOODS = (
    ("nobody", 0, 0, 0.0),
    ("60 networks x a new connection a second", 60, 1, 1.0),
    ("12 networks x 1 connection x 2 wishes a second", 12, 1, 2.0),
    ("60 networks x 1 connection x 1 wish a second", 60, 1, 1.0),
    ("one network x 100 connections x 1 wish a second", 1, 100, 1.0),
)
"""Who asks for dear screens: networks, connections of each, wishes a second of a connection."""


async def places(held: Site) -> AsyncIterator[Row]:
    for name, networks, each, screen in TAKERS:
        async with flooded(silent(held.address, networks, each, screen)):
            await asyncio.sleep(2 * SECONDS)
            told = Counter(
                [await come(held.address, at, f"{at} {n}") for n in "ab" for at in OTHERS]
            )
        memory = ", ".join(f"{megabytes:.0f}" for megabytes in held.memory())
        words = ", ".join(f"{many} {what}" for what, many in told.items())
        yield Row(f"{name}: newcomers", f"{words}; {memory} MB", set(told) == {"in"})
        await asyncio.sleep(2)


async def turns(held: Site) -> AsyncIterator[Row]:
    for name, networks, each, rate in FLOODS:
        attackers = [
            greedy(
                held.address,
                f"127.0.{68 + n // 200}.{1 + n % 200}",
                rate,
                1000 * n + turn,
                anew="new connection" in name,
            )
            for n in range(networks)
            for turn in range(each)
        ]
        due = round(READERS * SECONDS / PAUSE)
        waits = await classroom(held.address, SECONDS, *attackers)
        p95 = float(np.quantile(waits or [np.inf], 0.95))
        median = float(np.median(waits or [np.inf]))
        words = f"{len(waits)} of {due} moves, median {median:.2f} s, 95% {p95:.2f} s"
        is_served = p95 <= WAIT and len(waits) >= 0.7 * due
        yield Row(f"{name}: a class", words, is_served)


PARTS: dict[str, Callable[[Site], AsyncIterator[Row]]] = {
    "places": places,
    "turns": turns,
}


async def attack(held: Site, *chosen: str) -> list[Row]:
    """All rows of the parts that are named, or of all; each is said when it is there."""
    rows = []
    for name in chosen or PARTS:
        async for row in PARTS[name](held):
            print(row.attack, row.others, sep=": ", file=sys.stderr, flush=True)
            rows.append(row)
    return rows


def main(*chosen: str) -> None:
    """Attack, and print what others got; exit status 1 where something was found."""
    begun = time.monotonic()
    trusted = {TRUSTED: CLASS}
    with tempfile.TemporaryDirectory() as folder, site(Path(folder), settings=trusted) as held:
        rows = asyncio.run(attack(held, *chosen))
    print(
        markdown(
            ("beside", "others got", ""),
            ((*row[:2], "" if row.is_well else "FOUND") for row in rows),
        )
    )
    found = sum(not row.is_well for row in rows)
    print(f"{found} findings; {(time.monotonic() - begun) / 60:.0f} minutes")
    raise SystemExit(bool(found))


if __name__ == "__main__":
    main(*sys.argv[1:])
