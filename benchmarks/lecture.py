"""A lecture of 500, two replicas behind nginx: `python -m benchmarks.lecture --minutes 10`.

480 students read the course, whose pages need no session, and 20 are at screens, where each moves a
control every five seconds. All come within the first half minute, from forty networks. A student
loads a page of the course with what it names, as a browser does that has been here before: what has
a release in its address is asked for once.
"""

import argparse
import asyncio
import gzip
import json
import re
import tempfile
import time
from collections import Counter
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np
from websockets.exceptions import WebSocketException

from benchmarks.proxied import PATIENCE, Site, answered, connection, get, site
from benchmarks.report import keep, markdown
from benchmarks.server import ROOT
from course.chapters import COURSE

STUDENTS = 480
AT_SCREENS = 20
NETWORKS = 40
COMING = 30.0
"""Seconds in which all come."""
READS = 30.0
"""Seconds that a student reads a page of the course."""
MOVES = 5.0
"""Seconds between two moves of a reader at a screen."""
LOOKS = 5.0
"""Seconds between two looks at memory."""
GRACE = 2 * PATIENCE
"""Seconds after the end in which everybody has left: who reads, reads to the end of a page."""
SCREENS = (
    ("alibi", "length"),
    ("rope", "m"),
    ("why_position", "seed"),
    ("scaling", "factor"),
)
"""Screens, and a number of each that changes."""


@dataclass
class Lecture:
    """All that happens."""

    held: Site
    end: float
    pages: list[float] = field(default_factory=list)
    """Seconds of each answer over HTTP."""
    bytes: int = 0
    """Of the bodies of these, as they came."""
    moves: list[float] = field(default_factory=list)
    statuses: Counter[int] = field(default_factory=Counter)
    problems: list[str] = field(default_factory=list)
    memory: list[tuple[float, float]] = field(default_factory=list)

    async def get(self, network: str, path: str) -> bytes:
        """Ask, and note how long it took."""
        begun = time.monotonic()
        status, body = await get(self.held.address, network, path, packing="gzip")
        self.pages.append(time.monotonic() - begun)
        self.statuses[status] += 1
        self.bytes += len(body)
        return gzip.decompress(body) if body.startswith(b"\x1f\x8b") else body

    async def study(self, number: int) -> None:
        """Read one chapter after another."""
        network = network_of(number)
        await asyncio.sleep(COMING * number / STUDENTS)
        kept: set[str] = set()
        turn = number
        while time.monotonic() < self.end:
            turn += 1
            path = f"/course/{COURSE[turn % len(COURSE)]}/"
            page = await self.get(network, path)
            named = re.findall(rb'(?:src|href)="([^"#?]+\.(?:js|css|woff2))"', page)
            for file in {"/" + name.decode() for name in named} - kept:
                await self.get(network, file)
                kept.add(file)
            await asyncio.sleep(READS)

    async def explore(self, number: int) -> None:
        """Move a control of a screen, again and again, over a connection opened anew if it ends."""
        screen, name = SCREENS[number % len(SCREENS)]
        await asyncio.sleep(COMING * number / AT_SCREENS)
        turn = number
        while time.monotonic() < self.end:
            try:
                async with connection(
                    self.held.address, network_of(number), f"reader {number}"
                ) as page:
                    await answered(page, screen, "step=0")
                    while (begun := time.monotonic()) < self.end:
                        turn += 1
                        took = await answered(page, screen, f"step=0&{name}={4 + turn % 12}")
                        self.moves.append(took)
                        await asyncio.sleep(max(0.0, MOVES - (time.monotonic() - begun)))
            except (OSError, TimeoutError, LookupError, WebSocketException) as error:
                self.problems.append(f"{screen}: {error!r}")
                await asyncio.sleep(1)

    async def look(self) -> None:
        """Watch the memory of the replicas."""
        begun = time.monotonic()
        while (now := time.monotonic()) < self.end:
            self.memory.append(((now - begun) / 60, sum(self.held.memory())))
            await asyncio.sleep(LOOKS)


def network_of(number: int) -> str:
    return f"127.0.40.{1 + number % NETWORKS}"


async def hold(held: Site, seconds: float) -> Lecture:
    """Hold the lecture."""
    lecture = Lecture(held, time.monotonic() + seconds)
    async with asyncio.timeout(seconds + GRACE), asyncio.TaskGroup() as group:
        group.create_task(lecture.look())
        for number in range(STUDENTS):
            group.create_task(lecture.study(number))
        for number in range(AT_SCREENS):
            group.create_task(lecture.explore(number))
    return lecture


def table(lecture: Lecture) -> str:
    """What it was like."""
    rows = []
    for name, seconds in (("an answer of the course", lecture.pages), ("a move", lecture.moves)):
        told = [f"{np.quantile(seconds or [np.nan], part):.3f}" for part in (0.5, 0.95, 1.0)]
        rows.append([name, f"{len(seconds)}", *told])
    memory = [megabytes for _minutes, megabytes in lecture.memory]
    middle = memory[len(memory) // 2]
    told = [json.loads(row) for row in lecture.held.log.read_text("utf-8").splitlines()]
    plain = [row for row in told if row["path"] != "/_stcore/stream"]
    asked = sum(bool(row["replica"]) for row in plain)
    failed = sum(count for status, count in lecture.statuses.items() if status != 200)
    lines = [
        markdown(("", "times", "median, s", "95%, s", "most, s"), rows),
        "",
        f"Answers by status: {dict(lecture.statuses)}. Errors: {failed} answers, "
        f"{len(lecture.problems)} moves.",
        f"A student of the course asked {len(lecture.pages) / STUDENTS:.1f} times and got "
        f"{lecture.bytes / STUDENTS / 1000:.0f} kB. None of that needs a turn, so {STUDENTS} of "
        f"{STUDENTS + AT_SCREENS} wait for nobody's computing; the replicas gave {asked} of "
        f"{len(plain)} answers, nginx's cache the rest.",
        f"Memory of all replicas: {memory[0]:.0f} MB at first, {middle:.0f} in the middle, "
        f"{memory[-1]:.0f} at the end.",
        *lecture.problems[:20],
    ]
    return "\n".join(lines)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--minutes", type=float, default=10.0)
    asked = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder, site(Path(folder)) as held:
        lecture = asyncio.run(hold(held, 60 * asked.minutes))
        keep(ROOT / "build" / "lecture.md", table(lecture), {"moves": lecture.moves})


if __name__ == "__main__":
    main()
