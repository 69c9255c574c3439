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
import os
import re
import socket
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any, BinaryIO

from streamlit.proto.BackMsg_pb2 import BackMsg
from streamlit.proto.ForwardMsg_pb2 import ForwardMsg
from streamlit.proto.WidgetStates_pb2 import WidgetState
from websockets.sync.client import ClientConnection, connect
from websockets.typing import Subprotocol

from benchmarks.report import keep, markdown

ROOT = Path(__file__).resolve().parent.parent
PATIENCE = 120.0
"""Seconds in which an answer must come."""
WARM = 2
"""Moves before the measured ones: imports, and what is computed once."""


@dataclass(frozen=True)
class Move:
    """One control of one picture, and where it is moved to, in turn."""

    screen: str
    key: str
    values: Sequence[Any]
    """Numbers, or places in the list of what can be chosen."""
    query: str = "step=0"

    @property
    def name(self) -> str:
        picture = self.query.partition("view=")[2]
        return f"{self.screen} {picture}".strip() + f": {self.key}"


MOVES = (
    Move("home", "encoding", (1, 4, 6, 10), "encoding=rope"),
    Move("why_position", "shuffle", range(2, 10)),
    Move("absolute", "length", range(129, 140)),
    Move("absolute", "base", range(9000, 9010), "step=0&view=similarity"),
    Move("relative", "max_distance", range(5, 11)),
    Move("alibi", "head", range(1, 8)),
    Move("rope", "m", range(10, 30)),
    Move("rope", "base", range(1001, 1020), "step=0&view=clocks"),
    Move("rope", "base", range(1001, 1020), "step=0&view=score"),
    Move("cope", "max_positions", range(50, 64)),
    Move("kv_cache", "original_length", range(5, 17)),
    Move("side_by_side", "seed", range(1, 20)),
    Move("live_attention", "head", range(4)),
    Move("config", "target_length", range(40960, 81920, 4096)),
    Move("scaling", "factor", range(2, 16)),
    Move("units", "value", range(3, 16)),
    Move("measured", "length", range(4), "step=0&view=distance"),
    Move("lab", "times", range(4)),
    Move("own", "own_point", ("0, 1024", "0, 2048")),
    Move("pitfalls", "pitfall", range(6)),
    Move("verified", "measure", range(2)),
)
FLOOR = Move("", "frequency", range(2, 30), "")
HEAD = ("move", "ms", "worst tenth", "floor, ms", "× floor", "kB", "before, ms", "of before")


class Reader:
    """A browser of one tab."""

    def __init__(self, socket: ClientConnection, screen: str, query: str) -> None:
        self.socket = socket
        self.screen = screen
        self.query = query
        self.widgets: dict[str, tuple[Any, str]] = {}
        self.states: dict[str, WidgetState] = {}
        self.kept: set[str] = set()
        self.page = ""
        self.bytes = 0
        self._run("")

    def move(self, key: str, value: Any) -> None:
        """Move a control and read the answer to its end."""
        found = [one for name, one in self.widgets.items() if name.endswith(f"-{key}")]
        if not found:
            raise LookupError(f"{self.screen} has no control {key}")
        element, fragment = found[0]
        self.states[element.id] = _state(element, value)
        self._run(fragment)

    def _run(self, fragment: str) -> None:
        asked = BackMsg()
        state = asked.rerun_script
        state.query_string = self.query
        state.fragment_id = fragment
        state.page_script_hash = self.page
        state.page_name = "" if self.page else self.screen
        state.widget_states.widgets.extend(self.states.values())
        state.cached_message_hashes.extend(self.kept)
        self.socket.send(asked.SerializeToString())
        self.bytes = 0
        while True:
            answer = self.socket.recv(PATIENCE)
            assert isinstance(answer, bytes)
            self.bytes += len(answer)
            message = ForwardMsg.FromString(answer)
            self._keep(message)
            ended = message.WhichOneof("type") == "script_finished"
            if ended and message.script_finished != ForwardMsg.FINISHED_EARLY_FOR_RERUN:
                return

    def _keep(self, message: ForwardMsg) -> None:
        if message.metadata.cacheable and message.hash:
            self.kept.add(message.hash)
        self.page = message.navigation.page_script_hash or self.page
        if message.WhichOneof("type") != "delta":
            return
        element = message.delta.new_element
        kind = element.WhichOneof("type")
        if kind == "exception":
            raise LookupError(f"{self.screen}: {element.exception.message}")
        widget = getattr(element, kind) if kind else None
        if getattr(widget, "id", ""):
            self.widgets[widget.id] = (widget, message.delta.fragment_id)


def _state(element: Any, value: Any) -> WidgetState:
    """Widget state that a browser sends for a moved control."""
    state = WidgetState(id=element.id)
    kind = element.DESCRIPTOR.name
    if kind == "NumberInput":
        state.double_value = value
    elif kind == "Selectbox":
        state.string_value = element.options[value]
    elif kind == "TextInput":
        state.string_value = value
    elif kind == "ButtonGroup":
        state.string_array_value.data.append(element.options[value].content)
    elif kind == "Slider" and element.options:
        state.string_array_value.data.append(element.options[value])
    else:
        state.double_array_value.data.append(value)
    return state


class Server:
    def __init__(self, port: int, process: int) -> None:
        self.address = f"http://127.0.0.1:{port}"
        self.stream = f"ws://127.0.0.1:{port}/_stcore/stream"
        self.process = process
        # The kernel's clock of another process: all threads, nanoseconds.
        self.clock = (~process << 3) | 2

    def milliseconds(self) -> float:
        """CPU time of the process so far."""
        return 1000 * time.clock_gettime(self.clock)

    def megabytes(self) -> float:
        return megabytes(self.process)


def megabytes(process: int) -> float:
    """Memory of a process that is in use now (resident)."""
    found = re.search(r"VmRSS:\s+(\d+) kB", Path(f"/proc/{process}/status").read_text())
    return int(found[1]) / 1000 if found else 0.0


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


@contextmanager
def started(
    program: Sequence[str], folder: Path, environment: Mapping[str, str], log: BinaryIO
) -> Iterator[Server]:
    """Run a server, a module of Python whose last option takes the port, in a checkout."""
    port = free_port()
    path = os.pathsep.join([str(folder), str(folder / "encodings")])
    process = subprocess.Popen(
        [sys.executable, "-m", *program, str(port)],
        cwd=folder,
        env=os.environ | {"PYTHONPATH": path} | environment,
        stdout=log,
        stderr=log,
    )
    try:
        _wait(port, process)
        yield Server(port, process.pid)
    finally:
        process.terminate()
        process.wait(PATIENCE)


@contextmanager
def served(script: str, folder: Path = ROOT) -> Iterator[Server]:
    command = ["streamlit", "run", script, "--server.headless", "true"]
    command += ["--server.address", "127.0.0.1", "--server.port"]
    with tempfile.TemporaryDirectory() as home, tempfile.TemporaryFile() as log:
        try:
            with started(command, folder, {"POSENC_LAB_HOME": home}, log) as server:
                yield server
        except SystemExit:
            log.seek(0)
            sys.stderr.buffer.write(log.read())  # why a page failed stands here alone
            raise


def _wait(port: int, process: subprocess.Popen[bytes]) -> None:
    end = time.monotonic() + PATIENCE
    while time.monotonic() < end and process.poll() is None:
        with socket.socket() as probe:
            if probe.connect_ex(("127.0.0.1", port)) == 0:
                return
        time.sleep(0.1)
    raise SystemExit("the server did not start")


def connected(server: Server) -> ClientConnection:
    """A line to the server that waits as long as a busy machine needs."""
    protocols = [Subprotocol("streamlit")]
    patient: dict[str, Any] = {"open_timeout": PATIENCE, "ping_interval": None, "max_size": None}
    return connect(server.stream, subprotocols=protocols, **patient)


def taken(server: Server, reader: Reader, move: Move, turn: int) -> float:
    before = server.milliseconds()
    reader.move(move.key, move.values[turn % len(move.values)])
    return server.milliseconds() - before


def cost(servers: dict[str, Server], move: Move, moves: int) -> dict[str, Any]:
    """Milliseconds by server of each move after the warm ones, all taking turns; bytes of ours."""
    chosen = {name: FLOOR if name == "floor" else move for name in servers}
    found: dict[str, list[float]] = {name: [] for name in servers}
    with ExitStack() as stack:
        readers = {}
        for name, server in servers.items():
            line = connected(server)
            one = chosen[name]
            readers[name] = Reader(stack.enter_context(line), one.screen, one.query)
        for turn in range(WARM + moves):
            for name, server in servers.items():
                found[name].append(taken(server, readers[name], chosen[name], turn))
        return {name: all_[WARM:] for name, all_ in found.items()} | {"bytes": readers["app"].bytes}


def measure(moves: Sequence[Move], count: int, other: Path | None) -> Iterator[dict[str, Any]]:
    """A row for each move, beside the floor of just then and the app of another checkout."""
    with ExitStack() as stack:
        servers = {
            "app": stack.enter_context(served("asgi.py")),
            "floor": stack.enter_context(served("benchmarks/floor_page.py")),
        }
        if other is not None:
            servers["before"] = stack.enter_context(served("asgi.py", other))
        for move in moves:
            try:
                found = cost(servers, move, count)
            except LookupError as error:
                print(error, file=sys.stderr)
                continue
            middle = {name: statistics.median(found[name]) for name in servers}
            row = {"move": move.name, "kB": found["bytes"] / 1000, **middle}
            yield row | {"worst tenth": sorted(found["app"])[int(0.9 * count)]}


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
    parser.add_argument("--moves", type=int, default=20, help="of each control")
    parser.add_argument("--quick", action="store_true", help="six moves of each: a minute")
    parser.add_argument("--only", nargs="+", default=[], help="screens")
    parser.add_argument("--against", type=Path, help="another checkout, measured in the same run")
    parser.add_argument("--out", type=Path, default=ROOT / "build" / "moves.md")
    options = parser.parse_args()
    chosen = [move for move in MOVES if not options.only or move.screen in options.only]
    rows: list[dict[str, Any]] = []
    for row in measure(chosen, 6 if options.quick else options.moves, options.against):
        rows.append(row)
        say = f"{len(rows)} of {len(chosen)}  {row['move']}: {row['app']:.1f} ms"
        print(say, file=sys.stderr, flush=True)
    keep(options.out, table(rows), rows)


if __name__ == "__main__":
    main()
