"""How long many readers at once wait for a move: `python -m benchmarks.readers`.

One process of the real server; each reader has a screen of their own, as far as there are screens,
and moves one of its controls every five seconds, or as soon as the last answer has come. A wait is
from the press to the end of the answer, whose bytes this process reads too, on the same cores: what
a reader waits for is therefore counted too high. `--replicas 2` shares the readers between two
such processes. The same readers then move the one control of an
empty page with one chart of ours. `--minutes 30` watches the memory of the server instead, with
readers who leave after a while and others who come. `--floods 1` lets another network ask for as
much as it may meanwhile; readers leave and come then too, so that first pictures count.
"""

import argparse
import os
import statistics
import subprocess
import sys
import threading
import time
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from websockets.exceptions import ConnectionClosed

from benchmarks.moves import FLOOR, MOVES, Move
from benchmarks.report import keep, markdown
from benchmarks.server import ROOT, Server, served
from benchmarks.visitor import PATIENCE, Tab

ONCE = 4
"""Values of a control that are asked for before the measured ones: some are computed once for all
readers, and kept."""
STAYS = 24
"""Moves after which a reader leaves, where memory is watched, and beside a flood."""
SECONDS = 40.0
"""Of each page."""
LOOKED_AT = 5.0
"""Seconds between two looks at memory."""


@dataclass
class Readers:
    """Readers of all servers, and what they have waited."""

    servers: Sequence[Server]
    moves: Sequence[Move]
    every: float
    stays: int
    waits: list[tuple[float, str]] = field(default_factory=list)
    """Seconds, and of which move."""
    firsts: list[float] = field(default_factory=list)
    """Seconds from the first word to the whole of a first page."""
    problems: list[str] = field(default_factory=list)
    end: float = 0.0

    def read(self, number: int, opened: threading.Barrier) -> None:
        """One reader, who comes again after `stays` moves, from the first page to the end."""
        move = self.moves[number % len(self.moves)]
        server = self.servers[number % len(self.servers)]
        turn = number
        stays = self.stays - number % STAYS  # not all leave at the same time
        first = True
        while first or time.monotonic() < self.end:
            try:
                begun = time.monotonic()
                with Tab(server.address, move.screen, move.query) as tab:
                    tab.open()
                    if first:
                        for value in move.values[:ONCE]:
                            tab.move(move.key, value)
                        opened.wait(PATIENCE)
                        opened.wait(PATIENCE)  # the end is settled between both
                        time.sleep(self.every * (number % 50) / 50)
                    else:
                        self.firsts.append(time.monotonic() - begun)
                    first = False
                    self._stay(tab, move, range(turn, turn + stays))
                    turn += stays
                    stays = self.stays
            except (LookupError, OSError, TimeoutError, ConnectionClosed) as error:
                self.problems.append(f"{move.name}: {error}")
                if first:
                    opened.abort()
                    return

    def _stay(self, tab: Tab, move: Move, turns: range) -> None:
        for turn in turns:
            begun = time.monotonic()
            if begun >= self.end:
                break
            tab.move(move.key, move.values[turn % len(move.values)])
            waited = time.monotonic() - begun
            self.waits.append((waited, move.name))
            time.sleep(max(0.0, self.every - waited))


@contextmanager
def flooded(server: Server, networks: int) -> Iterator[None]:
    """Let so many networks of this machine ask for as much as they may."""
    begin = [sys.executable, "-m", "benchmarks.flood", server.address]
    greedy = [
        subprocess.Popen([*begin, f"127.0.0.{2 + number}"], cwd=ROOT) for number in range(networks)
    ]
    try:
        yield
    finally:
        for one in greedy:
            one.terminate()
            one.wait(PATIENCE)


def measure(
    script: str,
    moves: Sequence[Move],
    readers: int,
    seconds: float,
    every: float,
    stays: int,
    floods: int = 0,
    replicas: int = 1,
) -> dict[str, Any]:
    """Let readers read: what they waited, what that cost, and what memory the servers had."""
    with ExitStack() as stack:
        servers = [stack.enter_context(served(script)) for _ in range(replicas)]
        group = Readers(servers, moves, every, stays)
        opened = threading.Barrier(readers + 1)
        threads = [
            threading.Thread(target=group.read, args=(number, opened), daemon=True)
            for number in range(readers)
        ]
        for thread in threads:
            thread.start()
        try:
            opened.wait(PATIENCE)
        except threading.BrokenBarrierError:
            raise SystemExit("\n".join(group.problems)) from None
        begun = time.monotonic()
        cpu = milliseconds(servers)
        own = time.process_time()
        group.end = begun + seconds
        opened.wait(PATIENCE)
        with flooded(servers[0], floods):
            memory = watched(group, begun)
            for thread in threads:
                thread.join(PATIENCE)
        took = time.monotonic() - begun
        cpu = (milliseconds(servers) - cpu) / 1000
    waits = [waited for waited, _name in group.waits]
    return {
        "first pages": len(group.firsts),
        "first page, 95%, s": float(np.quantile(group.firsts or [0.0], 0.95)),
        "readers": readers,
        "moves": len(waits),
        "moves per second": len(waits) / took,
        "median, s": statistics.median(waits),
        "95%, s": float(np.quantile(waits, 0.95)),
        "most, s": max(waits),
        "longest": sorted(group.waits)[-20:],
        "CPU, s": cpu,
        "CPU per move, ms": 1000 * cpu / len(waits),
        "readers' CPU, s": time.process_time() - own,
        "seconds": took,
        "load": os.getloadavg()[0],
        "memory, MB": memory,
        "problems": group.problems,
    }


def milliseconds(servers: Sequence[Server]) -> float:
    """CPU time of all servers so far."""
    return sum(server.milliseconds() for server in servers)


def watched(group: Readers, begun: float) -> list[tuple[float, float]]:
    """Minutes and megabytes of all servers, from now to the end."""
    found = []
    while (now := time.monotonic()) < group.end:
        held = sum(server.megabytes() for server in group.servers)
        found.append(((now - begun) / 60, held))
        if len(found) % 12 == 1:
            say = f"{found[-1][0]:5.1f} min  {found[-1][1]:6.0f} MB  {len(group.waits)} moves"
            print(say, file=sys.stderr, flush=True)
        time.sleep(min(LOOKED_AT, max(0.0, group.end - now)))
    return found


def slope(memory: Sequence[tuple[float, float]]) -> float:
    """Megabytes in ten minutes, by least squares over the second half."""
    later = memory[len(memory) // 2 :]
    if len(later) < 2:
        return 0.0
    return 10 * statistics.linear_regression(*zip(*later, strict=True)).slope


def _cells(row: dict[str, Any]) -> list[str]:
    memory = row["memory, MB"]
    return [
        row["name"],
        f"{row['moves per second']:.1f}",
        f"{row['median, s']:.3f}",
        f"{row['95%, s']:.3f}",
        f"{row['most, s']:.2f}",
        f"{row['CPU per move, ms']:.1f}",
        f"{row['CPU, s'] / row['seconds']:.0%}",
        str(row["first pages"]),
        f"{row['first page, 95%, s']:.2f}",
        f"{memory[0][1]:.0f} to {memory[-1][1]:.0f}",
        f"{slope(memory):+.1f}",
        f"{row['load']:.1f}",
    ]


def table(rows: Sequence[dict[str, Any]]) -> str:
    heads = ["", "moves / s", "median wait, s", "95%", "most", "CPU per move, ms", "of one core"]
    heads += ["first pages", "95%, s", "memory, MB", "MB in ten minutes", "load"]
    lines = [markdown(heads, map(_cells, rows))]
    if len(rows) > 1:
        ratios = [rows[0][name] / rows[1][name] for name in ("median, s", "95%, s")]
        lines += ["", f"Times {rows[1]['name']}: median {ratios[0]:.1f}, 95% {ratios[1]:.1f}."]
    lines += [f"{row['name']}: {problem}" for row in rows for problem in row["problems"]]
    return "\n".join(lines)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--readers", type=int, default=50)
    parser.add_argument("--every", type=float, default=5.0, help="seconds between two moves")
    parser.add_argument("--minutes", type=float, default=0.0, help="watch memory for so long")
    parser.add_argument("--floods", type=int, default=0, help="networks that ask for all they may")
    parser.add_argument("--replicas", type=int, default=1, help="processes of the server")
    asked = parser.parse_args()
    long = sys.maxsize
    empty = ("empty page", "benchmarks/floor_page.py", (FLOOR,), SECONDS, long, 0)
    runs = [("all screens", "app.py", MOVES, SECONDS, long, 0), empty]
    if asked.floods:
        name = f"beside {asked.floods} floods"
        runs = [
            ("all screens", "app.py", MOVES, SECONDS, STAYS, 0),
            (name, "app.py", MOVES, SECONDS, STAYS, asked.floods),
        ]
    elif asked.minutes:
        name = "all screens, coming and going"
        runs = [(name, "app.py", MOVES, 60 * asked.minutes, STAYS, 0)]
    rows = []
    for name, script, moves, seconds, stays, floods in runs:
        found = measure(
            script, moves, asked.readers, seconds, asked.every, stays, floods, asked.replicas
        )
        rows.append({"name": name} | found)
    keep(ROOT / "build" / "readers.md", table(rows), rows)


if __name__ == "__main__":
    main()
