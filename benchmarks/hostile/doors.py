# ruff: noqa: E501, SIM905, lists of inputs are read as words
"""Requests: paths, methods and headers that lie. Bodies without end are the proxy's: networks.py."""

import random

from websockets.exceptions import ConnectionClosed, InvalidStatus

from benchmarks.hostile.inputs import hostile
from benchmarks.hostile.trial import Trial, ask
from benchmarks.visitor import Tab

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
