# ruff: noqa: E501, SIM905, lists of inputs are read as words
"""Requests: paths, methods and headers that lie, and bodies without end."""

import random
import socket
from contextlib import suppress
from urllib.parse import urlsplit

from websockets.exceptions import ConnectionClosed, InvalidStatus

from benchmarks.hostile.inputs import hostile
from benchmarks.hostile.trial import SLOW, Trial, ask
from benchmarks.visitor import Tab

ENDPOINTS = """/ /rope /lab /_stcore/health /_stcore/host-config /_stcore/stream /metrics /ready
    /_stcore/script-health-check /_stcore/upload_file/nobody/x /_stcore/bidi-components/x /media/x
    /_stcore/agent/interact /_stcore/agent/mcp /component/x /app/static/chart/chart.js /auth/login
    /oauth2callback /api/posenc.html""".split()
STARTS = """/ /app/static/ /app/static/chart/ /app/static/pictures/ /_stcore/ /media/ /component/ /static/
    /rope/ /_stcore/upload_file/ /auth/login /auth/logout /oauth2callback /metrics /ready
    /_stcore/metrics /_stcore/agent/""".split()
ENDS = (
    *r"""../app.py ..%2f..%2fapp.py %2e%2e/%2e%2e/.streamlit/config.toml ....//app.py %00
    ..%5c..%5capp.py //elsewhere.example/ \\host\share x/y ?code=x&state=y %c0%ae%c0%ae/ ;/../ ~root
    runs.sqlite secret C:/x ?provider=../x""".split(),
    *("", "a" * 4000, "%0d%0aX-A: b"),
)
METHODS = ("GET", "GET", "HEAD", "POST", "PUT", "DELETE", "OPTIONS", "TRACE")
WAYS = ("told", "pieces", "too little", "nothing")
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


def paths(trial: Trial, draw: random.Random, count: int) -> None:
    """Requests that leave the folder, ask for what is not theirs, or lie about who they are."""
    for number in range(count):
        path = draw.choice(STARTS) + draw.choice(ENDS)
        method = draw.choice(METHODS)
        headers = {
            "X_Forwarded_For": "198.51.100.9",
            "X_Request_ID": f"{hostile(draw)!a:.60}",
            "Cookie": f"posenc_owner={hostile(draw)!a:.60}",
            "Host": draw.choice(("127.0.0.1", "elsewhere.example", "[x", "a b")),
            "Authorization": "Bearer " + "x" * (number % 30),
        }
        body = b"x" if method in ("POST", "PUT") else None
        with trial.timed("paths, methods, headers", (method, path)):
            status, told = ask(trial.address + path, method, body, **headers)
        trial.search(told, (method, path), "import streamlit", "posenc_budget", "[server]")
        if status >= 500:
            trial.find(f"status {status}", (method, path, headers, told[:200]))


def bodies(trial: Trial, draw: random.Random, count: int) -> None:
    """Large bodies for what takes none: told, told wrongly, in pieces, and never ending."""
    before = trial.server.megabytes()
    for _ in range(count):
        method = draw.choice(("POST", "PUT", "PATCH", "DELETE"))
        about = (method, draw.choice(ENDPOINTS), draw.choice(WAYS))
        with trial.timed("bodies", about):
            status = _send(trial, *about)
        if status.startswith("5"):
            trial.find(f"status {status}", about)
        if ask(f"{trial.address}/_stcore/health")[0] != 200:
            trial.find("no answer beside a body", about)
    if trial.server.megabytes() - before > KEPT:
        trial.find("bodies are kept", f"{trial.server.megabytes() - before:.0f} MB")


def _send(trial: Trial, method: str, path: str, way: str) -> str:
    """Send a body over a plain socket; the status of the answer, "" where none came."""
    length = "Transfer-Encoding: chunked"
    if way != "pieces":
        length = f"Content-Length: {BODY if way == 'told' else 10**15}"
    head = f"{method} {path} HTTP/1.1\r\nHost: 127.0.0.1\r\n{length}\r\n\r\n"
    piece = b"x" * (1 << 20)
    if way == "pieces":
        piece = b"100000\r\n" + piece + b"\r\n"
    with socket.create_connection(("127.0.0.1", urlsplit(trial.address).port or 80), SLOW) as line:
        line.settimeout(2.0)
        with suppress(OSError):  # the server has heard enough
            line.sendall(head.encode())
            for _ in range(0 if way == "nothing" else BODY >> 20):
                line.sendall(piece)
        with suppress(OSError):
            return line.recv(100).decode("ascii", "replace").partition(" ")[2][:3]
    return ""


def liars(trial: Trial, draw: random.Random, count: int) -> None:
    """Headers of somebody else: of the operator, of a proxy, of a page of another site."""
    for number in range(count):
        trial.tried["headers that lie"] += 1
        if number % 3:
            path = draw.choice(("/metrics", "/ready", "/_stcore/metrics"))
            lie = draw.choice(FORWARDED)
            status, told = ask(f"{trial.address}{path}", **lie)
            if status not in (0, 400, 404) or "posenc_" in told:
                trial.find("told to a stranger", (path, lie, status))
            continue
        origin = draw.choice(ORIGINS)
        try:
            with Tab(trial.address, "units", "", Origin=origin) as tab:
                tab.run()
            trial.find("a line for another site", origin)
        except (InvalidStatus, ConnectionClosed, TimeoutError):
            continue
