"""Two replicas behind the project's nginx: whatever one network sends, the others are answered.

Networks are addresses of this machine, 127.0.x.y. Each refusal is made twice, on connections that
are kept, and then ten other networks ask.
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

import pytest
from websockets.exceptions import InvalidStatus

from benchmarks.hostile import networks
from benchmarks.proxied import Site, get, site
from benchmarks.scale.machine import Machine, nginx
from benchmarks.visitor import Tab
from tests.conftest import PATIENCE, ROOT, awaited

NGINX = nginx()
OTHERS = [f"127.0.{n}.1" for n in range(10, 20)]
WORST = "127.0.66.6"
HEAD = "GET /rope HTTP/1.1\r\nHost: x\r\n"
POST = HEAD.replace("GET", "POST")
UPGRADED = "Connection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\n"
LINE = HEAD.replace("/rope", "/_stcore/stream") + UPGRADED
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


@pytest.mark.slow
def test_beside_odd_slow_and_endless_requests_everybody_else_is_answered(
    held: Site, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A part of `python -m benchmarks.hostile.networks`, which tries places and turns too."""
    monkeypatch.setattr(networks, "SECONDS", 3.0)
    monkeypatch.setattr(networks, "WAIT", PATIENCE)  # how quickly is the machine's to say
    assert awaited(networks.attack(held, "requests")) == []


@pytest.mark.slow
def test_files_and_plain_pages_come_from_the_cache_whatever_is_asked_about_them(
    held: Site, proxy: int
) -> None:
    """Each asked of a replica anew, the largest takes a quarter of a second to pack."""
    paths = "/app/static/chart/plotly-cartesian-4.1.1.min.js", "/course/rope/", "/questions/sqrt-d/"
    for path in paths:
        for row in ("", "Range: bytes=0-9\r\n", 'If-None-Match: "x"\r\n', "Range: bytes=9-\r\n"):
            with connected(proxy, OTHERS[0]) as peer:
                ask = f"GET {path} HTTP/1.1\r\nHost: x\r\nConnection: close\r\n"
                assert status(peer, f"{ask}{row}Accept-Encoding: gzip\r\n\r\n") in ("200", "206")
    rows = [json.loads(row) for row in held.log.read_text().splitlines()]
    for path in paths:
        asked = [row["replica"] for row in rows if row["path"] == path][-4:]
        assert len(asked) == 4
        assert asked[1:] == ["", "", ""], path


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
