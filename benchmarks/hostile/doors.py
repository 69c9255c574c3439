# ruff: noqa: E501, SIM905, lists of inputs are read as words
"""Requests: paths, methods and headers that lie, and bodies without end."""

import random
import socket
import time
from urllib.parse import urlsplit

from websockets.exceptions import ConnectionClosed, InvalidStatus

from benchmarks.hostile.inputs import hostile
from benchmarks.hostile.target import SLOW, Record, Target, ask
from benchmarks.visitor import Tab

ENDPOINTS = """/ /rope /lab /_stcore/health /_stcore/host-config /_stcore/stream /metrics /ready
    /_stcore/script-health-check /_stcore/upload_file/nobody/x /_stcore/bidi-components/x /media/x
    /_stcore/agent/interact /_stcore/agent/mcp /component/x /app/static/chart/chart.js /auth/login
    /oauth2callback /api/posenc.html""".split()
STARTS = """/ /app/static/ /app/static/chart/ /app/static/pictures/ /_stcore/ /media/ /component/ /static/
    /rope/ /_stcore/upload_file/ /auth/login /auth/logout /oauth2callback /metrics /ready
    /_stcore/metrics /_stcore/agent/""".split()
ENDS = (
    *r"""../asgi.py ..%2f..%2fasgi.py %2e%2e/%2e%2e/.streamlit/config.toml ....//asgi.py %00
    ..%5c..%5casgi.py //elsewhere.example/ \\host\share x/y ?code=x&state=y %c0%ae%c0%ae/ ;/../ ~root
    runs.sqlite secret C:/x ?provider=../x""".split(),
    *("", "a" * 4000, "%0d%0aX-A: b"),
)
METHODS = ("GET", "GET", "HEAD", "POST", "PUT", "DELETE", "OPTIONS", "TRACE")
BODY = 32 << 20
"""Bytes of a body that nobody asked for."""
KEPT = 134.0
"""Megabytes that the server may keep of such bodies, all together."""
FORWARDED = (
    {"X_Forwarded_For": "127.0.0.1"},
    {"X_Forwarded_For": ""},
    {"X_Forwarded_For": "::1, 198.51.100.9"},
    {"Forwarded": "for=127.0.0.1"},
    {"X_Real_Ip": "127.0.0.1"},
    {"X_Forwarded_Host": "localhost"},
    {"Host": "elsewhere.example"},
    {"Host": "127.0.0.1.elsewhere.example"},
    {"Host": "[::1]x"},
    {"Host": "localhost.elsewhere.example:80"},
    {"Host": "elsewhere.example", "X_Forwarded_For": "127.0.0.1", "Authorization": "Bearer "},
    {"Host": "elsewhere.example", "Authorization": "Bearer None"},
)
"""Headers that no operator on this machine sends."""
ORIGINS = """https://elsewhere.example null http://127.0.0.1.elsewhere.example file:// x http://[::1
    http://localhost.elsewhere.example https://elsewhere.example:443/../""".split()


def paths(target: Target, record: Record, draw: random.Random, count: int) -> None:
    """Requests that leave the folder, ask for what is not theirs, or lie about who they are."""
    proxied = {"X_Forwarded_For": "198.51.100.9"}
    for number in range(count):
        path = draw.choice(STARTS) + draw.choice(ENDS)
        method = draw.choice(METHODS)
        cookie = f"posenc_owner={hostile(draw)!a:.60}"
        headers = proxied | {
            "X_Request_ID": f"{hostile(draw)!a:.60}",
            "Cookie": cookie,
            "Host": draw.choice(("127.0.0.1", "elsewhere.example", "[x", "a b")),
            "Authorization": "Bearer " + "x" * (number % 30),
        }
        begun = time.monotonic()
        status, told = ask(
            target.address + path, method, b"x" if method in ("POST", "PUT") else None, **headers
        )
        record.tried["paths, methods, headers"] += 1
        record.seconds.setdefault("paths, methods, headers", []).append(time.monotonic() - begun)
        record.search(
            told, (method, path), [*target.secrets, "import streamlit", "posenc_budget", "[server]"]
        )
        if status >= 500:
            record.find(f"status {status}", (method, path, headers, told[:200]))


def bodies(target: Target, record: Record, draw: random.Random, count: int) -> None:
    """Large bodies for what takes none: told, told wrongly, in pieces, and never ending."""
    before = target.server.megabytes()
    for _ in range(count):
        path = draw.choice(ENDPOINTS)
        way = draw.choice(("told", "pieces", "too little", "nothing"))
        method = draw.choice(("POST", "PUT", "PATCH", "DELETE"))
        begun = time.monotonic()
        status = _send(target, method, path, way)
        seconds = time.monotonic() - begun
        record.tried["bodies"] += 1
        record.seconds.setdefault("bodies", []).append(seconds)
        if seconds > SLOW or status.startswith("5"):
            record.find("a body", (method, path, way, status, seconds))
        if ask(f"{target.address}/_stcore/health")[0] != 200:
            record.find("no answer beside a body", (method, path, way))
    if target.server.megabytes() - before > KEPT:
        record.find("bodies are kept", f"{target.server.megabytes() - before:.0f} MB")


def _send(target: Target, method: str, path: str, way: str) -> str:
    """Send a body over a plain socket; the first line of the answer, "" where none came."""
    told = {"told": BODY, "too little": 10**15, "nothing": 10**15}.get(way)
    length = f"Content-Length: {told}" if told else "Transfer-Encoding: chunked"
    head = f"{method} {path} HTTP/1.1\r\nHost: 127.0.0.1\r\n{length}\r\n\r\n"
    port = urlsplit(target.address).port
    assert port is not None
    with socket.create_connection(("127.0.0.1", port), SLOW) as line:
        line.settimeout(2.0)
        piece = b"x" * (1 << 20)
        try:
            line.sendall(head.encode())
            for _ in range(0 if way == "nothing" else BODY >> 20):
                line.sendall(b"100000\r\n" + piece + b"\r\n" if way == "pieces" else piece)
        except (OSError, TimeoutError):
            pass  # the server has heard enough
        try:
            return line.recv(100).decode("ascii", "replace").partition(" ")[2][:3]
        except (OSError, TimeoutError):
            return ""


def liars(target: Target, record: Record, draw: random.Random, count: int) -> None:
    for number in range(count):
        record.tried["headers that lie"] += 1
        if number % 3:
            path = draw.choice(("/metrics", "/ready", "/_stcore/metrics"))
            lie = draw.choice(FORWARDED)
            status, told = ask(f"{target.address}{path}", **lie)
            if status not in (0, 400, 404) or "posenc_" in told:
                record.find("told to a stranger", (path, lie, status))
            continue
        origin = draw.choice(ORIGINS)
        try:
            with Tab(target.address, "units", "step=0", Origin=origin) as tab:
                tab.run()
            record.find("a line for another site", origin)
        except (InvalidStatus, ConnectionClosed, TimeoutError):
            continue
