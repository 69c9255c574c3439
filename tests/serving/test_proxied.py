"""Two replicas behind the project's nginx: whatever one network sends, the others are answered.

Networks are addresses of this machine, 127.0.x.y. Each refusal is made twice, on connections that
are kept, and then ten other networks ask; beside each flood two come and go.
"""

import asyncio
import json
import socket
import threading
import time
from collections.abc import Iterator
from contextlib import ExitStack, suppress
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from urllib.parse import urlsplit

import pytest
from streamlit.proto.BackMsg_pb2 import BackMsg
from websockets.exceptions import InvalidStatus

from benchmarks.hostile.networks import come, flooded
from benchmarks.proxied import Site, closed, get, site
from benchmarks.scale.machine import Machine, nginx
from benchmarks.visitor import Tab
from tests.conftest import PATIENCE, ROOT, awaited
from tests.lab.processes import until

NGINX = nginx()
OTHERS = [f"127.0.{n}.1" for n in range(10, 20)]
WORST = "127.0.66.6"
HEAD = "GET /rope HTTP/1.1\r\nHost: x\r\n"
POST = HEAD.replace("GET", "POST")
UPGRADED = "Connection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\n"
LINE = HEAD.replace("/rope", "/_stcore/stream") + UPGRADED
SECONDS = 2.0
"""Of a flood, at least."""
LOCKED = 5.0
"""Seconds for which nginx lets one who asks wait for the answer to another one."""

pytestmark = pytest.mark.skipif(NGINX is None, reason="nginx is not installed")


@pytest.fixture(scope="module")
def held(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Site]:
    with site(tmp_path_factory.mktemp("proxied")) as held:
        yield held


@pytest.fixture
def proxy(held: Site) -> int:
    """Port of nginx before two replicas."""
    return int(held.address.rpartition(":")[2])


def connected(port: int, network: str) -> socket.socket:
    """A connection to the proxy from a network."""
    return socket.create_connection(("127.0.0.1", port), PATIENCE, (network, 0))


def status(peer: socket.socket, request: str) -> str:
    """Status of the answer on a connection that stays; "" where it is closed instead."""
    with suppress(OSError):
        peer.sendall(request.encode("latin-1"))
        told = b""
        while b"\r\n\r\n" not in told:
            if not (piece := peer.recv(4096)):
                return ""
            told += piece
        head, _, body = told.partition(b"\r\n\r\n")
        sizes = [row[15:] for row in head.lower().splitlines() if row.startswith(b"content-length")]
        size = int(sizes[0]) if sizes else 0
        while len(body) < size and (piece := peer.recv(4096)):
            body += piece
        return head.split()[1].decode()
    return ""


def asked_by(port: int, network: str, path: str = "/_stcore/health") -> str:
    """Status of a usual request of a network."""
    with connected(port, network) as peer:
        return status(peer, f"GET {path} HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n")


def at(path: str) -> str:
    """A request for a path, without its end."""
    return HEAD.replace("/rope", path)


@pytest.mark.parametrize(
    ("request_", "answers"),
    [
        (HEAD + "a:b\r\n" * 600, {"200"}),
        (HEAD + "a:b\r\n" * 12_000, {"200", "400"}),
        (HEAD + "x: " + "y" * 40_000 + "\r\n", {"400"}),
        (HEAD + "Accept: " + "text/html," * 3000 + "\r\n", {"200"}),
        (HEAD + "Accept-Language: " + "x-y;q=0.1," * 2500 + "\r\n", {"200"}),
        (HEAD + "Cookie: " + "a" * 8193 + "\r\n", {"431"}),
        (HEAD + "Cookie: a=\"" + "\\" * 8000 + "\"\r\n", {"431"}),
        (HEAD + "Cookie: a=\"" + "\\" * 99 + "\"\r\n", {"200"}),
        (HEAD + "Cookie: a\x01b\r\n", {"200"}),
        (HEAD + "User-Agent: \xff\r\n", {"200"}),
        (HEAD + "User-Agent: a\0b\r\n", {"400"}),
        (HEAD + "Content-Length: 100000\r\n", {"413"}),
        (HEAD + "Content-Length: 5\r\nContent-Length: 6\r\n", {"400"}),
        (HEAD + "Content-Length: 5\r\nTransfer-Encoding: chunked\r\n", {"400"}),
        (HEAD + "Content-Length: 99999999999999999999\r\n", {"400"}),
        (POST + "Transfer-Encoding: chunked\r\n\r\n" + "1\r\na\r\n" * 70_000, {"408", "413", ""}),
        (POST + "Transfer-Encoding: chunked\r\n\r\nFFFFFFFFFFFFFFFF\r\n", {"400"}),
        (POST + "Transfer-Encoding: xchunked\r\n", {"501"}),
        (POST + "Content-Encoding: gzip\r\nContent-Length: 5\r\n\r\nabc", {"405"}),
        (HEAD + "Host: y\r\n", {"400"}),
        ("GET /rope HTTP/1.1\r\n", {"400"}),
        ("GET /rope HTTP/1.0\r\n", {"400"}),
        (HEAD.replace("1.1", "9.9"), {"505"}),
        (HEAD.replace("GET", "BREW"), {"405"}),
        (HEAD.replace("GET /rope", "CONNECT x:443"), {"400"}),
        ("PRI * HTTP/2.0\r\n\r\nSM\r\n", {"400"}),
        (HEAD + "Connection: Upgrade, HTTP2-Settings\r\nUpgrade: h2c\r\n", {"200"}),
        (HEAD + "Expect: 100-continue\r\n", {"100"}),
        (HEAD + "X-Request-ID: a\r\n b\r\n", {"200", "400"}),
        (HEAD + "X-Forwarded-For: 127.0.0.1\r\nConnection: x-forwarded-for\r\n", {"200"}),
        (at("http://elsewhere.example/rope"), {"200"}),
        (at("/app/static/../../app.py"), {"400", "404"}),
        (at("/app/static/%2e%2e/%2e%2e/app.py"), {"400"}),
        (at("/course/-/..%2f..%2fapp.py"), {"400"}),
        (at("/app/static/%252e%252e/app.py"), {"404"}),
        (at("//elsewhere.example/%2f.."), {"400"}),
        (at("/%00"), {"400"}),
        (at("/%ff%fe"), {"404"}),
        (at("/" + "a" * 300), {"404"}),
        (at("/app/static/" + "a" * 300), {"404"}),
        (at("/" + "a/" * 15_000), {"301"}),  # 502 where nginx takes shorter headers
        (at("/rope/?text=" + "a" * 30_000), {"301"}),
        (at("/rope?text=" + "a" * 30_000), {"200"}),
        (at("/rope?" + "a=1&" * 7000), {"414"}),
        (at("/metrics"), {"404"}),
        (at("/metrics") + "Authorization: Bearer guess\r\n", {"404"}),
        (at("/x/%72eady"), {"404"}),
        (at("/_stcore/metrics"), {"404"}),
        (LINE, {"400", "426"}),
        (LINE + "Sec-WebSocket-Key: short\r\n", {"400"}),
        (LINE + "Sec-WebSocket-Protocol: stream\x7flit\r\n", {"400"}),
        (LINE + "Content-Length: 5\r\n\r\nabc", {"400"}),
        (HEAD + UPGRADED, {"200"}),
        (at("/course/rope/") + UPGRADED, {"200"}),
    ],
)  # fmt: skip
@pytest.mark.slow
def test_a_refusal_takes_no_replica_from_the_others(
    proxy: int, request_: str, answers: set[str]
) -> None:
    """A connection that is closed without an answer counts as a replica's failure."""
    for _ in range(2):  # of two replicas, each
        with ExitStack() as stack:
            peers = [stack.enter_context(connected(proxy, WORST)) for _ in range(6)]
            for peer in peers:
                assert status(peer, HEAD + "\r\n") == "200"  # the connection is kept
                assert status(peer, request_ + "\r\n") in answers
    assert [asked_by(proxy, other) for other in OTHERS] == ["200"] * len(OTHERS)


@pytest.mark.slow
@pytest.mark.parametrize("path", ["/course/rope", "/course/nothing/", "/app/static/release-x/a.js"])
def test_a_class_that_asks_at_once_is_answered_at_once(held: Site, path: str) -> None:
    """What no cache keeps was asked for by one after another, each half a second later."""

    async def ask() -> float:
        begun = time.monotonic()
        networks = [f"127.0.30.{1 + n}" for n in range(60)]
        told = await asyncio.gather(*(get(held.address, at, path) for at in networks))
        assert {status for status, _ in told} <= {301, 404}
        return time.monotonic() - begun

    assert awaited(ask()) < LOCKED


@pytest.mark.slow
def test_five_hundred_lines_of_one_network_keep_nobody_out(proxy: int) -> None:
    address = f"http://127.0.0.1:{proxy}"
    refused = set()
    with ExitStack() as stack:
        for _ in range(500):
            try:
                stack.enter_context(Tab(address, "units", "", WORST))
            except InvalidStatus as told:
                refused.add(told.response.status_code)
        assert refused <= {429, 503}
        for other in OTHERS:
            with Tab(address, "units", "", other) as tab:
                assert tab.run().exceptions == []


def frame(
    kind: int, content: bytes = b"", *, is_last: bool = True, mask: bytes = bytes(4)
) -> bytes:
    """A frame as a browser sends it, with a mask that changes nothing."""
    size = len(content)
    is_masked = 128 * bool(mask)
    told = [size + is_masked] if size < 126 else [127 + is_masked, *size.to_bytes(8, "big")]
    return bytes([128 * is_last + kind, *told]) + mask + content


GET = (HEAD + "\r\n").encode()
ROWS = HEAD.encode() + b"a:b\r\n"
BODY = POST.encode() + b"Content-Length: 60000\r\n\r\n"
UPLOAD = BODY.replace(b"/rope", b"/_stcore/upload_file/nobody/x").replace(b"POST", b"PUT")
FILE = GET[:-2].replace(b"/rope", b"/app/static/chart/plotly-cartesian-4.1.1.min.js")
OPEN = (LINE + "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n").encode()
OPEN += b"Sec-WebSocket-Protocol: streamlit\r\n\r\n"
HEART = BackMsg(app_heartbeat=True).SerializeToString()
FORGED = BackMsg(clear_cache=True).SerializeToString()
BEGUN = frame(2, b"x", is_last=False)
LETTER = frame(0, b"x", is_last=False)
FLOODS: dict[str, tuple[int, float, list[bytes]]] = {
    "600 header rows": (1, 0.1, [ROWS + b"a:b\r\n" * 600 + b"\r\n"] * 5),
    "12,000 header rows": (1, 0.1, [ROWS + b"a:b\r\n" * 12_000 + b"\r\n"] * 5),
    "cookies of backslashes": (1, 0.1, [ROWS + b'Cookie: a="' + b"\\" * 8000 + b'"\r\n\r\n'] * 5),
    "parts of a large file": (1, 0.1, [FILE + b"Range: bytes=0-9,20-29,40-49\r\n\r\n"] * 5),
    "whether a file has changed": (1, 0.1, [FILE + b'If-None-Match: "x"\r\n\r\n'] * 5),
    "a file packed anew": (1, 0.1, [FILE + b"Accept-Encoding: gzip\r\n\r\n"] * 5),
    "addresses of 30 kB": (1, 0.1, [GET.replace(b"/rope", b"/rope?" + b"a=1&" * 7500)] * 5),
    "answers that nobody reads": (1, 0.1, [GET * 50]),
    "half requests": (20, 5.0, [ROWS]),
    "slow headers": (20, 0.5, [ROWS[at : at + 1] for at in range(20)]),
    "slow bodies": (20, 0.5, [BODY, *[b"x"] * 20]),
    "bodies that are cut off": (1, 0.02, [BODY + bytes(50_000)]),
    "uploads that are cut off": (1, 0.1, [UPLOAD.replace(b"60000", b"16000000") + bytes(1 << 20)]),
    "uploads for nobody": (1, 0.5, [UPLOAD.replace(b"60000", b"4000000") + bytes(4_000_000)]),
    "handshakes that are left at once": (1, 0.02, [OPEN]),
    "bytes behind a handshake that is none": (1, 0.1, [OPEN.replace(b"Key", b"Kex") + bytes(9999)]),
    "questions whether the server is there": (1, 0.02, [OPEN, *[frame(9) * 200] * 50]),
    "long questions": (1, 0.02, [OPEN, *[frame(9, bytes(125)) * 100] * 50]),
    "answers to no question": (1, 0.02, [OPEN, *[frame(10) * 200] * 50]),
    "parts without content": (1, 0.02, [OPEN, *[BEGUN + frame(0, is_last=False) * 200] * 50]),
    "messages letter by letter": (1, 0.02, [OPEN, BEGUN, *[LETTER * 100] * 50]),
    "a letter of a message now and then": (20, 1.0, [OPEN, BEGUN, *[LETTER] * 20]),
    "parts of nothing": (1, 0.1, [OPEN, LETTER]),
    "parts within parts": (1, 0.1, [OPEN, BEGUN + BEGUN]),
    "questions in parts": (1, 0.1, [OPEN, frame(9, is_last=False)]),
    "1.2 MB that do not end": (1, 0.02, [OPEN, *[frame(2, bytes(1_200_000), is_last=False)] * 9]),
    "frames of 1 GB": (1, 0.1, [OPEN, b"\x82\xff" + (1 << 30).to_bytes(8, "big") + bytes(9999)]),
    "frames of less than nothing": (1, 0.1, [OPEN, b"\x82\xff" + b"\xff" * 8 + bytes(9999)]),
    "half frames": (20, 5.0, [OPEN, frame(2, bytes(60_000))[:50_000]]),
    "frames without a mask": (1, 0.1, [OPEN, frame(2, HEART, mask=b"") * 50]),
    "frames of no kind": (1, 0.1, [OPEN, frame(3, b"x") * 50]),
    "frames that say that they are packed": (1, 0.1, [OPEN, b"\xc2" + frame(2, b"x")[1:]]),
    "ends that do not end": (1, 0.1, [OPEN, frame(8, b"\x03\xe8") * 50]),
    "ends for no reason": (1, 0.1, [OPEN, frame(8, b"\0\1\xff")]),
    "letters that are none": (1, 0.1, [OPEN, frame(1, b"\xff\xfe")]),
    "messages that are none": (1, 0.02, [OPEN, *[frame(2, b"\xff" * 50) * 20] * 5]),
    "messages of no page": (1, 0.02, [OPEN, *[frame(2, FORGED) * 4] * 50]),
    "a heart that beats too fast": (1, 0.02, [OPEN, *[frame(2, HEART) * 50] * 50]),
    "hearts of a hundred lines": (5, 0.25, [OPEN, *[frame(2, HEART) * 5] * 50]),
}  # fmt: skip
"""What each of twenty networks sends: on how many lines, seconds between two pieces, the pieces.
A line that has ended, or has said all, is followed by another one."""


async def floods(address: str, network: str, pause: float, pieces: list[bytes]) -> None:
    """Send the pieces, whatever is answered, again and again."""
    place = urlsplit(address)
    while True:
        with suppress(OSError):
            reader, writer = await asyncio.open_connection(
                place.hostname, place.port, local_addr=(network, 0)
            )
            told = asyncio.ensure_future(_all(reader))
            try:
                for piece in pieces:
                    if told.done():
                        break
                    writer.write(piece)
                    await asyncio.sleep(pause)
            finally:
                told.cancel()
                await closed(writer)


async def _all(reader: asyncio.StreamReader) -> None:
    with suppress(OSError):
        while await reader.read(1 << 16):
            pass


@pytest.mark.slow
@pytest.mark.parametrize("flood", FLOODS)
def test_beside_a_flood_of_networks_others_are_answered(held: Site, flood: str) -> None:
    """A page of the course, the page of a screen, and what is drawn on its line."""
    lines, pause, pieces = FLOODS[flood]
    networks = [f"127.0.66.{1 + n}" for n in range(20)]

    async def play() -> set[str]:
        attackers = [floods(held.address, at, pause, pieces) for at in networks * lines]
        told = set()
        async with flooded(*attackers):
            await asyncio.sleep(1)
            end = time.monotonic() + SECONDS
            while not told or time.monotonic() < end:
                for other in OTHERS[:2]:
                    told.add(f"{(await get(held.address, other, '/course/rope/'))[0]}")
                    told.add(await come(held.address, other, f"{other} {time.monotonic()}"))
        return told

    assert awaited(play()) == {"200", "in"}


@pytest.mark.slow
def test_what_comes_with_a_handshake_is_not_in_the_log(held: Site, proxy: int) -> None:
    """Nginx reads the rest of a line to where its method and its address stood."""
    with connected(proxy, WORST) as peer:
        peer.sendall(OPEN + frame(2, b"\xff" * 60) * 40)  # more than nginx reads at once
        while peer.recv(4096):
            pass
    until(lambda: b'"status":101' in held.log.read_bytes(), "the line has ended")
    rows = [json.loads(row) for row in held.log.read_text("utf-8").splitlines()]
    lines = [row for row in rows if row["status"] == 101]
    assert {(row["method"], row["path"]) for row in lines} == {("GET", "/_stcore/stream")}


@pytest.mark.slow
def test_files_and_pages_come_from_the_cache_however_asked(held: Site, proxy: int) -> None:
    """Each asked of a replica anew, the largest takes a quarter of a second to pack."""
    paths = (
        *("/app/static/chart/plotly-cartesian-4.1.1.min.js", "/code.zip"),
        *("/course/rope/", "/questions/sqrt-d/"),
    )

    def asked(path: str) -> list[str]:
        rows = [json.loads(row) for row in held.log.read_text("utf-8").splitlines()]
        return [row["replica"] for row in rows if row["path"] == path]

    before = {path: len(asked(path)) for path in paths}
    for path in paths:
        for row in ("", "Range: bytes=0-9\r\n", 'If-None-Match: "x"\r\n', "Range: bytes=9-\r\n"):
            with connected(proxy, OTHERS[0]) as peer:
                ask = f"GET {path} HTTP/1.1\r\nHost: x\r\nConnection: close\r\n"
                assert status(peer, f"{ask}{row}Accept-Encoding: gzip\r\n\r\n") in ("200", "206")
    for path in paths:
        until(lambda path=path: len(asked(path)) >= before[path] + 4, "its four rows in the log")
        assert asked(path)[before[path] + 1 :] == ["", "", ""], path


class Full(BaseHTTPRequestHandler):
    """A replica whose places are all taken."""

    status = 503

    def do_GET(self) -> None:
        self.send_response(self.status)
        self.send_header("Content-Length", "0")
        self.end_headers()


class Free(Full):
    status = 200


def test_who_finds_no_place_at_a_replica_gets_one_at_the_next(tmp_path: Path) -> None:
    """A reader is led to one replica; where it was full, another one helped nobody."""
    assert NGINX is not None
    machine = Machine(ROOT, tmp_path, {})
    replicas = [ThreadingHTTPServer(("127.0.0.1", 0), kind) for kind in (Full, Free)]
    try:
        for replica in replicas:
            threading.Thread(target=replica.serve_forever, daemon=True).start()
        ports = [replica.server_port for replica in replicas]
        at = machine.start_proxy(NGINX, tmp_path / "nginx", ports, encrypted=False)
        machine.wait("nginx")
        for path in ("/rope", "/_stcore/stream"):
            told = [asked_by(int(at.rpartition(":")[2]), other, path) for other in OTHERS]
            assert told == ["200"] * len(OTHERS)
    finally:
        machine.close()
        for replica in replicas:
            replica.shutdown()
            replica.server_close()
