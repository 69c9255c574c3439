"""Attacks that need no input: too many messages, bombs, messages without an end, handshakes.

Each is tried by one client without a cookie, while somebody else asks every 50 ms whether the
server is alive. What counts is how long that takes, and the memory that stays.
"""

import socket
import threading
import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager, suppress
from urllib.parse import urlsplit

from streamlit.proto.BackMsg_pb2 import BackMsg
from websockets.exceptions import ConnectionClosed, InvalidHandshake
from websockets.frames import Frame, Opcode

from benchmarks.hostile.files import xsrf_token
from benchmarks.hostile.target import Record, Target, ask
from benchmarks.visitor import Tab

ALIVE = 1.0
"""Seconds within which the server says that it is alive, whatever one client does."""
KEPT = 200 << 20
"""Bytes that may stay of all that one client sent."""
PART = 1_200_000
"""Bytes of a message that is not too long yet."""
SETTLED = 5.0
"""Seconds after which the server has let go of what it will."""
GONE = (ConnectionClosed, InvalidHandshake, OSError, TimeoutError)
"""How a line ends that the server does not want."""


@contextmanager
def beside(target: Target, record: Record, what: str) -> Iterator[None]:
    """Ask all the while whether the server is alive, and afterwards what it has kept."""
    before, over, waits = target.memory(), threading.Event(), []

    def look() -> None:
        while not over.wait(0.05):
            begun = time.monotonic()
            status, _ = ask(f"{target.address}/_stcore/health")
            waits.append(time.monotonic() - begun if status == 200 else float("inf"))

    looking = threading.Thread(target=look)
    looking.start()
    try:
        yield
    finally:
        over.set()
        looking.join()
    record.tried[what] += 1
    record.seconds.setdefault(what, []).append(max(waits, default=0.0))
    if max(waits, default=0.0) > ALIVE:
        record.find(f"not alive for {max(waits):.1f} s", what)
    time.sleep(SETTLED)
    kept = target.memory() - before
    record.kept[what] = kept
    if kept > KEPT:
        record.find(f"{kept >> 20} MiB are kept", what)


def floods(target: Target, record: Record) -> None:
    """Runs of a screen, asked for as fast as one line takes them."""
    asked = BackMsg()
    asked.rerun_script.query_string = "step=0"
    message = asked.SerializeToString()
    with (
        beside(target, record, "20,000 messages on one line"),
        Tab(target.address, "units") as tab,
        suppress(*GONE),
    ):
        for _ in range(20_000):
            tab.line.send(message)
        tab.line.recv(timeout=30)


def bombs(target: Target, record: Record) -> None:
    """Messages of a few thousand bytes that are millions of files, or of numbers, when read."""
    for kind, number in (("files", 2_400_000), ("files", 500_000), ("numbers", 1_000_000)):
        asked = BackMsg()
        state = asked.rerun_script.widget_states.widgets.add(id="$$ID-x-x")
        if kind == "files":
            state.file_uploader_state_value.MergeFromString(b"\x12\x00" * number)
        else:
            state.int_array_value.data.extend([0] * number)
        message = asked.SerializeToString()
        with beside(target, record, f"15 messages of {number:,} {kind}"):
            for _ in range(15):
                with Tab(target.address, "units") as tab, suppress(*GONE):
                    tab.line.send(message)
                    tab.line.recv(timeout=2)


def unfinished(target: Target, record: Record) -> None:
    """The beginnings of large messages, which never end, on many lines."""
    part = Frame(Opcode.BINARY, bytes(PART), fin=False)
    with beside(target, record, "60 messages without an end"), ExitStack() as lines:
        for _ in range(60):
            with suppress(*GONE):
                tab = lines.enter_context(Tab(target.address, "units"))
                extensions = tab.line.protocol.extensions
                tab.line.socket.sendall(part.serialize(mask=True, extensions=extensions))


def frames(target: Target, record: Record) -> None:
    """A million frames that are no messages, six bytes each."""
    begun = Frame(Opcode.BINARY, b"x", fin=False).serialize(mask=True)
    for what, frame in (
        ("questions", Frame(Opcode.PING, b"")),
        ("parts without content", Frame(Opcode.CONT, b"", fin=False)),
    ):
        with (
            beside(target, record, f"1,000,000 {what}"),
            Tab(target.address, "units") as tab,
            suppress(*GONE),
        ):
            tab.line.socket.sendall(begun + frame.serialize(mask=True) * 1_000_000)


def crowds(target: Target, record: Record) -> None:
    """More lines than a class has readers, all of one address and silent."""
    with beside(target, record, "1,500 lines of one address"), ExitStack() as lines:
        for _ in range(1500):
            try:
                lines.enter_context(Tab(target.address, "units"))
            except GONE:
                break
        else:
            record.find("lines without end", "1,500 lines of one address")


def handshakes(target: Target, record: Record) -> None:
    """Lines for pages of another site, which browsers ask for as well."""
    here = urlsplit(target.address)
    origins = ("https://elsewhere.example", f"http://{here.hostname}", "http://127.0.0.1:1", "null")
    for origin in origins:
        with beside(target, record, f"20 handshakes for {origin}"):
            for _ in range(20):
                with suppress(*GONE), Tab(target.address, "units", Origin=origin):
                    record.find("a line for another site", origin)


def silent(target: Target, record: Record) -> None:
    """Uploads that name a size and send nothing; somebody else's is taken beside them."""
    port = urlsplit(target.address).port
    token = xsrf_token(target) | {"Content_Type": "multipart/form-data; boundary=edge"}
    told = "".join(f"{name.replace('_', '-')}: {text}\r\n" for name, text in token.items())
    with beside(target, record, "80 uploads that send nothing"), ExitStack() as lines:
        for _ in range(80):
            tab = lines.enter_context(Tab(target.address, "units"))
            path = f"/_stcore/upload_file/{tab.run().session}/x"
            head = f"PUT {path} HTTP/1.1\r\nHost: x\r\n{told}Content-Length: {16 << 20}\r\n\r\n"
            line = lines.enter_context(socket.create_connection(("127.0.0.1", port or 80), 10))
            line.sendall(head.encode())
        tab = lines.enter_context(Tab(target.address, "units"))
        path = f"/_stcore/upload_file/{tab.run().session}/y"
        status, said = ask(target.address + path, "PUT", b"x" * 1000, **token)
        if status == 413:
            record.find("uploads are refused to everybody", said)


def untaken(target: Target, record: Record) -> None:
    """Runs of a picture, and files, that nobody takes from the line."""
    asked = BackMsg()
    asked.rerun_script.page_name, asked.rerun_script.query_string = "kv_cache", "step=0"
    message = asked.SerializeToString()
    with beside(target, record, "40 lines that read nothing"), ExitStack() as lines:
        tabs = [lines.enter_context(Tab(target.address, "kv_cache")) for _ in range(40)]
        for _ in range(20):
            for tab in tabs:
                with suppress(*GONE):
                    tab.line.send(message)
            time.sleep(0.5)
    request = b"GET /app/static/chart/plotly-cartesian-4.1.1.min.js HTTP/1.1\r\nHost: x\r\n\r\n"
    with beside(target, record, "300 files that nobody takes"), ExitStack() as lines:
        for _ in range(300):
            lines.enter_context(_socket(target)).sendall(request)
        time.sleep(SETTLED)


def slow_to_read(target: Target, record: Record) -> None:
    """Requests of which a small part takes the server long to take apart."""
    lines = b"x: y\r\n" * 12_000
    drops = b"1\r\nx\r\n" * 400_000
    start = b"PUT /_stcore/upload_file/a/b HTTP/1.1\r\nHost: x\r\n"
    for what, request in (
        ("3 cookies of 60,000 backslashes", b'Cookie: a="' + b"\\" * 60_000 + b'"\r\n\r\n'),
        ("3 requests of 12,000 headers", lines + b"\r\n"),
        ("3 bodies in drops", b"Transfer-Encoding: chunked\r\n\r\n" + drops),
    ):
        with beside(target, record, what):
            for _ in range(3):
                with suppress(OSError), _socket(target) as line:
                    line.sendall(start + request)
                    line.recv(1000)


def together(target: Target, record: Record) -> None:
    """Two readers of what one part of torch can measure for one at a time."""
    with beside(target, record, "6 tabs of a cost that is measured"), ExitStack() as lines:
        query = "view=cost"
        tabs = [
            lines.enter_context(Tab(target.address, "side_by_side", f"{query}&seed={number}"))
            for number in range(6)
        ]
        for tab in tabs:
            tab.send()
        for tab in tabs:
            with suppress(*GONE):
                any(one.WhichOneof("type") == "script_finished" for one in tab.answers())


def _socket(target: Target) -> socket.socket:
    return socket.create_connection(("127.0.0.1", urlsplit(target.address).port or 80), 10)


FLOODS = (
    floods,
    bombs,
    unfinished,
    frames,
    crowds,
    handshakes,
    silent,
    untaken,
    slow_to_read,
    together,
)
