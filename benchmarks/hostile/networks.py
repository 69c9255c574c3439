"""Floods of some networks, and what another network gets: `python -m benchmarks.hostile.networks`.

Two replicas stand behind the project's nginx. Attackers and readers come from addresses of this
machine, so the limits by network count them as on the internet. What counts is never what an
attacker is told, but what twenty networks that did nothing are, and a class whose network the
operator has named as a trusted one.
"""

import asyncio
import sys
import tempfile
import time
from collections import Counter
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import AsyncExitStack, asynccontextmanager, suppress
from pathlib import Path
from urllib.parse import urlsplit

import numpy as np
from websockets.exceptions import WebSocketException

from benchmarks.proxied import Site, answered, ask, closed, get, line, site
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


async def asks(address: str, network: str, request: bytes, pause: float = 0.1) -> None:
    """The same bytes again and again on connections that are kept, whatever the answer is."""
    place = urlsplit(address)
    while True:
        with suppress(OSError):
            reader, writer = await asyncio.open_connection(
                place.hostname, place.port, local_addr=(network, 0)
            )
            try:
                for _ in range(5):
                    writer.write(request)
                    with suppress(TimeoutError):
                        async with asyncio.timeout(10 * pause):  # wait_for may swallow a cancel
                            await reader.read(1 << 16)
                    await asyncio.sleep(pause)
            finally:
                await closed(writer)


async def drips(address: str, network: str, request: bytes) -> None:
    """A request that comes letter by letter, and then another one."""
    place = urlsplit(address)
    while True:
        with suppress(OSError):
            _, writer = await asyncio.open_connection(
                place.hostname, place.port, local_addr=(network, 0)
            )
            try:
                for at in range(len(request)):
                    writer.write(request[at : at + 1])
                    await writer.drain()
                    await asyncio.sleep(0.5)
            finally:
                await closed(writer)


async def says(address: str, network: str, piece: bytes) -> None:
    """Bytes without end on a page's line, below what a library for websockets lets anybody say."""
    while True:
        with suppress(OSError, WebSocketException, TimeoutError):
            async with line(address, network, network) as page:
                while True:
                    page.transport.write(piece)
                    await asyncio.sleep(0.02)
                    if page.transport.is_closing() or page.transport.get_write_buffer_size():
                        break


async def silent(address: str, networks: int, each: int, screen: str | None = None) -> None:
    """Lines that ask for nothing, or once for a screen, and stay."""
    async with AsyncExitStack() as stack:
        for number in range(each):
            for network in range(networks):
                with suppress(OSError, WebSocketException, TimeoutError):
                    page = line(address, f"127.0.67.{1 + network}", f"{network} {number}")
                    held = await stack.enter_async_context(page)
                    if screen is not None:
                        await ask(held, screen, "step=0")
        await asyncio.Event().wait()


async def greedy(address: str, network: str, rate: float, seed: int, *, anew: bool = False) -> None:
    """Asks for dear screens and waits for no answer, on one line or each time on a new one."""
    while True:
        with suppress(OSError, WebSocketException, TimeoutError):
            async with line(address, network, network) as page:
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
        async with line(address, network, agent) as page:
            await answered(page, "units", "step=0")
    except WebSocketException as error:
        return f"a line: {error}"
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
        async with line(address, CLASS, f"reader {number}") as page:
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


def frame(kind: int, content: bytes = b"", *, is_last: bool = True) -> bytes:
    """A frame as a browser sends it, with a mask that changes nothing."""
    size = len(content)
    told = bytes([size + 128]) if size < 126 else b"\xff" + size.to_bytes(8, "big")
    return bytes([128 * is_last + kind]) + told + bytes(4) + content


HEAD = b"GET /rope HTTP/1.1\r\nHost: x\r\n"
BODY = HEAD.replace(b"GET", b"POST") + b"Content-Length: 60000\r\n\r\n"
UPLOAD = BODY.replace(b"/rope", b"/_stcore/upload_file/nobody/x").replace(b"60000", b"16000000")
FILE = HEAD.replace(b"/rope", b"/app/static/chart/plotly-cartesian-4.1.1.min.js")
ODD = {
    "600 header rows": HEAD + b"a:b\r\n" * 600 + b"\r\n",
    "12,000 header rows": HEAD + b"a:b\r\n" * 12_000 + b"\r\n",
    "cookies of backslashes": HEAD + b'Cookie: a="' + b"\\" * 8000 + b'"\r\n\r\n',
    "parts of a large file": FILE + b"Range: bytes=0-9,20-29,40-49\r\n\r\n",
    "questions whether a file has changed": FILE + b'If-None-Match: "x"\r\n\r\n',
    "a file packed anew": FILE + b"Accept-Encoding: gzip\r\n\r\n",
    "addresses of 30 kB": HEAD.replace(b"/rope", b"/rope?" + b"a=1&" * 7500) + b"\r\n",
    "uploads for nobody": UPLOAD + bytes(1 << 16),
    "half requests": HEAD + b"a:",
}
"""Requests of twenty networks."""
FRAMES = {
    "questions without end": frame(9) * 200,
    "parts without content": frame(2, b"x", is_last=False) + frame(0, is_last=False) * 200,
    "messages of 1.2 MB that do not end": frame(2, bytes(1_200_000), is_last=False),
    "messages that are none": frame(2, b"\xff" * 50) * 20,
}
"""What twenty networks say on lines."""


async def requests(held: Site) -> list[str]:
    networks = [f"127.0.66.{1 + n}" for n in range(20)]
    found = []
    for name, request in ODD.items():
        found += await beside(held, name, *(asks(held.address, at, request) for at in networks))
    for name, request in (("slow headers", HEAD * 9), ("slow bodies", BODY + bytes(600))):
        peers = [drips(held.address, at, request) for at in networks for _ in range(20)]
        found += await beside(held, name, *peers)
    for name, piece in FRAMES.items():
        found += await beside(held, name, *(says(held.address, at, piece) for at in networks))
    return found


async def beside(held: Site, name: str, *attackers: Awaitable[None]) -> list[str]:
    """What others get beside attackers: a page of the course, a screen's page, its line."""
    told: Counter[str] = Counter()
    longest = 0.0
    async with flooded(*attackers):
        await asyncio.sleep(1)
        end = time.monotonic() + SECONDS / 2
        while (begun := time.monotonic()) < end:
            for other in OTHERS[:5]:
                told[f"{(await get(held.address, other, '/course/rope/'))[0]}"] += 1
                told[await come(held.address, other, f"{other} {begun}")] += 1
            longest = max(longest, (time.monotonic() - begun) / 5)
    words = f"beside {name} others were {dict(told)}, at most {longest:.1f} s for both"
    print(words, flush=True)
    return [words] if set(told) != {"200", "in"} or longest > WAIT else []


TAKERS = (
    ("silent lines of ten networks", 10, 170, None),
    ("silent lines of one network", 1, 600, None),
    ("lines of ten networks that asked once", 10, 170, "home"),
)
"""Who takes places: networks, lines of each, and the screen that they ask for."""
FLOODS = (
    ("nobody", 0, 0, 0.0),
    ("60 networks x a new line a second", 60, 1, 1.0),
    ("12 networks x 1 line x 2 wishes a second", 12, 1, 2.0),
    ("60 networks x 1 line x 1 wish a second", 60, 1, 1.0),
    ("one network x 100 lines x 1 wish a second", 1, 100, 1.0),
)
"""Who asks for dear screens: networks, lines of each, wishes a second of a line."""


async def places(held: Site) -> list[str]:
    found = []
    for name, networks, each, screen in TAKERS:
        async with flooded(silent(held.address, networks, each, screen)):
            await asyncio.sleep(2 * SECONDS)
            told = Counter(
                [await come(held.address, at, f"{at} {n}") for n in "ab" for at in OTHERS]
            )
        memory = ", ".join(f"{megabytes:.0f}" for megabytes in held.memory())
        print(f"{name}: newcomers were {dict(told)}; replicas have {memory} MB")
        if set(told) != {"in"}:
            found.append(f"beside {name} newcomers were {dict(told)}")
        await asyncio.sleep(2)
    return found


async def turns(held: Site) -> list[str]:
    found = []
    for name, networks, each, rate in FLOODS:
        attackers = [
            greedy(
                held.address,
                f"127.0.{68 + n // 200}.{1 + n % 200}",
                rate,
                1000 * n + turn,
                anew="new line" in name,
            )
            for n in range(networks)
            for turn in range(each)
        ]
        due = round(READERS * SECONDS / PAUSE)
        waits = await classroom(held.address, SECONDS, *attackers)
        p95 = float(np.quantile(waits or [np.inf], 0.95))
        median = float(np.median(waits or [np.inf]))
        words = f"{len(waits)} of {due} moves, median {median:.2f} s, 95 % {p95:.2f} s"
        print(f"a class beside {name}: {words}", flush=True)
        if p95 > WAIT or len(waits) < 0.7 * due:
            found.append(f"beside {name} a class made {words}")
    return found


PARTS: dict[str, Callable[[Site], Awaitable[list[str]]]] = {
    "requests": requests,
    "places": places,
    "turns": turns,
}


async def attack(held: Site, *chosen: str) -> list[str]:
    """Findings of the parts that are named, or of all."""
    return [found for name in chosen or PARTS for found in await PARTS[name](held)]


def main(*chosen: str) -> None:
    """Attack, and say what others got; exit status 1 where something was found."""
    trusted = {TRUSTED: CLASS}
    with tempfile.TemporaryDirectory() as folder, site(Path(folder), settings=trusted) as held:
        found = asyncio.run(attack(held, *chosen))
    for one in found:
        print("FOUND", one)
    print(f"{len(found)} findings")
    raise SystemExit(bool(found))


if __name__ == "__main__":
    main(*sys.argv[1:])
