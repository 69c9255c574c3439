"""Cost of one move of one control to the server: `python -m benchmarks.moves`.

The real server runs in a process of its own. This one is the browser: it opens a screen over the
websocket, moves one control again and again as a reader would, keeps what the server calls
cacheable and reads every answer to its end. What is measured is CPU time of the server's process.
Other work on the machine lengthens it too, by what it takes of caches: so every move takes turns
with one on an empty page with one chart of ours (`floor_page.py`, with the same server settings),
which is Streamlit's own share, and with the same move in another checkout where one is given
(`--against`). The ratios of one run can be relied on. The table says median and the worst tenth.
"""

import argparse
import statistics
import sys
from collections.abc import Iterator, Sequence
from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from benchmarks.report import keep, markdown
from benchmarks.server import ROOT, Server, served
from benchmarks.visitor import Tab

WARM = 2
"""Moves before the measured ones: imports, and what is computed once."""


@dataclass(frozen=True)
class Move:
    """One control of one picture, and where it is moved to, in turn."""

    screen: str
    key: str
    values: Sequence[Any]
    """Numbers, or places in the list of what can be chosen."""
    query: str = ""

    @property
    def name(self) -> str:
        picture = self.query.partition("view=")[2]
        return f"{self.screen} {picture}".strip() + f": {self.key}"


MOVES = (
    Move("home", "encoding", (1, 4, 6, 10), "encoding=rope"),
    Move("why_position", "shuffle", range(2, 10)),
    Move("absolute", "length", range(129, 140)),
    Move("absolute", "base", range(9000, 9010), "view=similarity"),
    Move("relative", "max_distance", range(5, 11)),
    Move("alibi", "head", range(1, 8)),
    Move("rope", "m", range(10, 30)),
    Move("rope", "base", range(1001, 1020), "view=clocks"),
    Move("rope", "base", range(1001, 1020), "view=score"),
    Move("cope", "max_positions", range(50, 64)),
    Move("kv_cache", "original_length", range(5, 17)),
    Move("side_by_side", "seed", range(1, 20)),
    Move("live_attention", "head", range(4)),
    Move("config", "target_length", range(40960, 81920, 4096)),
    Move("scaling", "factor", range(2, 16)),
    Move("units", "value", range(3, 16)),
    Move("measured", "length", range(4), "view=distance"),
    Move("lab", "times", range(4)),
    Move("own", "own_point", ("0, 1024", "0, 2048")),
    Move("pitfalls", "pitfall", range(6)),
    Move("verified", "measure", range(2)),
)
FLOOR = Move("", "frequency", range(2, 30), "")
HEAD = ("move", "ms", "worst tenth", "floor, ms", "× floor", "kB", "before, ms", "of before")


class Turns(NamedTuple):
    """One server, and the page whose control is moved there."""

    server: Server
    tab: Tab
    move: Move

    def cost(self, turn: int) -> float:
        """Milliseconds of the server's CPU time for one move."""
        before = self.server.milliseconds()
        self.tab.move(self.move.key, self.move.values[turn % len(self.move.values)])
        return self.server.milliseconds() - before


def costs(servers: dict[str, Server], move: Move, count: int) -> dict[str, Any]:
    """Milliseconds by server of each move after the warm ones, all taking turns; bytes of ours."""
    found: dict[str, list[float]] = {name: [] for name in servers}
    with ExitStack() as stack:
        turns = {}
        for name, server in servers.items():
            one = FLOOR if name == "floor" else move
            tab = stack.enter_context(Tab(server.address, one.screen, one.query))
            tab.open()
            turns[name] = Turns(server, tab, one)
        for turn in range(WARM + count):
            for name, taking in turns.items():
                found[name].append(taking.cost(turn))
        measured: dict[str, Any] = {name: taken[WARM:] for name, taken in found.items()}
        return measured | {"bytes": turns["app"].tab.bytes}


def measure(moves: Sequence[Move], count: int, other: Path | None) -> Iterator[dict[str, Any]]:
    """A row for each move, beside the floor of just then and the app of another checkout."""
    with ExitStack() as stack:
        servers = {
            "app": stack.enter_context(served("app.py")),
            "floor": stack.enter_context(served("benchmarks/floor_page.py")),
        }
        if other is not None:
            servers["before"] = stack.enter_context(served("app.py", other))
        for move in moves:
            try:
                found = costs(servers, move, count)
            except LookupError as error:
                print(error, file=sys.stderr)
                continue
            middle = {name: statistics.median(found[name]) for name in servers}
            worst = float(np.quantile(found["app"], 0.9))
            yield {"move": move.name, "kB": found["bytes"] / 1000, "worst tenth": worst, **middle}


def table(rows: Sequence[dict[str, Any]]) -> str:
    cells = []
    for row in rows:
        numbers = (row["app"], row["worst tenth"], row["floor"], row["app"] / row["floor"])
        cells.append([row["move"], *(f"{number:.1f}" for number in numbers), f"{row['kB']:.0f}"])
        old = row.get("before")
        cells[-1] += [f"{old:.1f}", f"{row['app'] / old:.2f}"] if old else ["", ""]
    taken = [row["app"] for row in rows]
    floor = statistics.median(row["floor"] for row in rows)
    told = f"Median {statistics.median(taken):.1f} ms, most {max(taken):.1f} ms; "
    told += f"an empty page with one chart {floor:.1f} ms."
    if old_ones := [row["before"] for row in rows if "before" in row]:
        shares = [row["app"] / row["before"] for row in rows]
        told += f" Before: median {statistics.median(old_ones):.1f} ms, most "
        told += f"{max(old_ones):.1f} ms; median of the ratios {statistics.median(shares):.2f}."
    return f"{markdown(HEAD, cells)}\n\n{told}"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--quick", action="store_true", help="six moves of each: a minute")
    parser.add_argument("--only", nargs="+", default=[], help="screens")
    parser.add_argument("--against", type=Path, help="another checkout, measured in the same run")
    options = parser.parse_args()
    chosen = [move for move in MOVES if not options.only or move.screen in options.only]
    rows: list[dict[str, Any]] = []
    for row in measure(chosen, 6 if options.quick else 20, options.against):
        rows.append(row)
        say = f"{len(rows)} of {len(chosen)}  {row['move']}: {row['app']:.1f} ms"
        print(say, file=sys.stderr, flush=True)
    keep(ROOT / "build" / "moves.md", table(rows), rows)


if __name__ == "__main__":
    main()
