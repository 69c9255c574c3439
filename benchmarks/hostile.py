# ruff: noqa: E501, lists of inputs are read by columns
"""What a stranger tries, against the real server: `python -m benchmarks.hostile`.

Thousands of inputs that no page would send: addresses, values of controls and of pictures, texts,
configs, uploaded files, paths, cookies, messages that are none. Then the dearest pictures in twelve
tabs at once, and two visitors against each other. A seed draws the same inputs again. The server is
the real one, started here on a loopback address, with toys for jobs and a lab of its own; nothing
else is asked anything.

What counts as a finding: an error box where a screen should have a sentence, a path or a secret of
the server in an answer, typed text that became a link, an answer that takes longer than `SLOW`
seconds, a server that is gone, memory beyond the budget, and whatever one visitor can do to another.
"""

import argparse
import json
import os
import random
import re
import socket
import statistics
import subprocess
import sys
import tempfile
import threading
import time
import urllib.error
import urllib.parse
import urllib.request
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import partial
from http.client import HTTPException
from pathlib import Path
from typing import Any

from streamlit.proto.WidgetStates_pb2 import WidgetState
from websockets.exceptions import ConnectionClosed, InvalidStatus

from benchmarks.visitor import PATIENCE, Page, Tab, cookie_of, pressed

ROOT = Path(__file__).resolve().parent.parent
SLOW = 10.0
"""Seconds that one answer may take where nobody else asks for anything."""
BUDGET = 4 * 512 * 2**20
"""Bytes that the large pictures of all readers may take together: `ui.screen.budget.POOL`."""
ROOM = 512 * 2**20
"""Bytes besides: of small pictures, of what is sent, of what a heap keeps."""
SECRET = "a secret that is long enough for a server"
UP = "../" * 2
LINK = "[x](https://elsewhere.example/)"
NAMES = sorted(path.parent.name for path in (ROOT / "pages").glob("*/*.py") if path.stem in
               ("screen", "page"))  # fmt: skip
WORDS = (
    "", " ", "0", "-1", "1e999", "nan", "inf", "-inf", "9" * 400, "1e-999", "0x10", "١٢", "true", "null",
    "None", "[]", "{}", "'", '"', "\\", "%", "%00", "\0", "\n", f"{UP}etc/passwd", "{0}", "{x.__class__}",
    "${7*7}", "{{7*7}}", "<script>alert(1)</script>", "<img src=x onerror=alert(1)>", LINK,
    "![x](https://elsewhere.example/)", "`code`", "$x^{2}$", ":material/bolt:", ":red[x]", "| a | b |\n|---|---|",
    "a" * 5000, "字" * 2000, "\u202eabc", "\u200b", "é" * 100, "👩‍👩‍👧‍👦" * 50, "\ud7ff", "a b c", "x", "1,2,3",
    "1, , 2", "1:2", "2:1", "-5:5", "0:999999999", "1e5", "3.5", "--", "; DROP TABLE lab_jobs; --",
)  # fmt: skip
NUMBERS = (
    float("nan"), float("inf"), float("-inf"), -1.0, 0.0, 0.5, 1.5, 1e9, 1e18, 1e300, -1e300, 5e-324, 2.0**31,
    2.0**53 + 2, 2.0**63, 2.0**64,
)  # fmt: skip
LONG = "text=" + "word+" * 590
SHAW = "step=0&view=shaw&length=256&max_distance=60000&head_dim=256"
DEAREST = (
    ("relative", f"{SHAW}&seed=1"),
    ("relative", f"{SHAW}&seed=2"),
    ("relative", SHAW.replace("60000", "100000")),  # refused
    ("absolute", "step=0&view=shift&d_model=3600"),
    ("absolute", "step=0&view=shift&d_model=3500"),
    ("absolute", "step=0&view=learned&source=random&length=8192&new_length=2000&d_model=2048"),
    ("live_attention", f"step=0&model=random&encoding=fire&{LONG}"),
    ("live_attention", f"step=0&model=random&encoding=t5&{LONG}"),
    ("live_attention", f"step=0&{LONG}"),
    ("side_by_side", f"a=fire&b=t5&c=kerple&d=alibi&{LONG}"),
    ("lab", "times=8&method=ntk"),
    ("config", "view=scores&target_length=10000000"),
)


@dataclass
class Record:
    """What was tried and what came of it."""

    tried: Counter[str] = field(default_factory=Counter)
    found: list[str] = field(default_factory=list)
    seconds: dict[str, list[float]] = field(default_factory=dict)

    def find(self, what: str, about: object) -> None:
        """Note a finding, and say so at once."""
        self.found.append(f"{what}: {about!r:.3000}")
        print("FOUND", self.found[-1], file=sys.stderr, flush=True)

    def judge(self, kind: str, page: Page, about: object, seconds: float, target: "Target") -> None:
        """Look at one answer."""
        self.tried[kind] += 1
        self.seconds.setdefault(kind, []).append(seconds)
        if page.exceptions:
            where, ours = target.last_error()
            if ours:
                self.find("error box", (kind, about, where))
            else:  # no page sends such a value: Streamlit refuses it before our code is asked
                self.tried[f"{kind}, refused by Streamlit"] += 1
                self.tried[kind] -= 1
        if seconds > SLOW:
            self.find(f"{seconds:.0f} s", (kind, about))
        told = "\n".join(page.texts)
        self.search(told, (kind, about), target.secrets)
        if LINK in told.replace(f"`{LINK}`", ""):
            self.find("typed text is a link", (kind, about))

    def search(self, told: str, about: object, secrets: list[str]) -> None:
        """Look for what no visitor may see."""
        for secret in secrets:
            if secret in told:
                self.find("told a secret", (secret, about))

    def table(self) -> str:
        """What was tried, how often, how long an answer took."""
        lines = ["| tried | inputs | median, ms | longest, s |", "|---|---|---|---|"]
        for kind, count in self.tried.items():
            taken = self.seconds.get(kind, [0.0])
            lines.append(
                f"| {kind} | {count} | {1000 * statistics.median(taken):.0f} | {max(taken):.1f} |"
            )
        lines.append(f"| all | {self.tried.total()} | | |")
        return "\n".join(lines)


@dataclass
class Target:
    """The server that is tried."""

    address: str
    process: int
    home: Path
    log: Path

    @property
    def secrets(self) -> list[str]:
        """What no answer may hold."""
        return [SECRET, str(self.home), str(ROOT), "Traceback (most recent", "site-packages"]

    def last_error(self) -> tuple[str, bool]:
        """The last lines of the newest error of the log, and whether our code was at work."""
        lines = self.log.read_text("utf-8", "replace").splitlines()
        for line in reversed(lines):
            if line.startswith("{") and "error" in (told := json.loads(line)):
                files = re.findall(r'File "([^"]+)"', told["error"])
                ours = any(str(ROOT) in file and ".venv" not in file for file in files)
                return " | ".join(told["error"].splitlines()[-24:]), ours
        return "", True

    def memory(self, name: str = "VmRSS") -> int:
        """Bytes of the process: now, or ("VmHWM") at most so far."""
        text = Path(f"/proc/{self.process}/status").read_text()
        return 1024 * int(text.split(f"{name}:")[1].split()[0])


@contextmanager
def served(home: Path, **environment: str) -> Iterator[Target]:
    """The app, as a container starts it."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    variables = {"POSENC_LAB": "own", "POSENC_LAB_HOME": str(home), "POSENC_SECRET": SECRET,
                 "POSENC_LAB_WORK": "benchmarks.idle_work", "POSENC_LAB_JOBS": "1", "POSENC_LOG": "json",
                 "PYTHONPATH": f"{ROOT}:{ROOT / 'encodings'}"}  # fmt: skip
    command = [sys.executable, "-m", "uvicorn", "asgi:app", "--port", str(port), "--no-access-log"]
    with (home / "server.log").open("wb") as log:
        process = subprocess.Popen(
            command, cwd=ROOT, env=os.environ | variables | environment, stdout=log, stderr=log
        )
        try:
            address = f"http://127.0.0.1:{port}"
            end = time.monotonic() + PATIENCE
            while ask(f"{address}/_stcore/health")[0] != 200:
                if time.monotonic() > end or process.poll() is not None:
                    raise SystemExit("the server did not start")
                time.sleep(0.2)
            yield Target(address, process.pid, home, home / "server.log")
        finally:
            process.terminate()
            process.wait(PATIENCE)


def ask(
    address: str, method: str = "GET", body: bytes | None = None, **headers: str
) -> tuple[int, str]:
    """Status and text of an answer; 0 where there is none."""
    names = {name.replace("_", "-"): text for name, text in headers.items()}
    try:
        request = urllib.request.Request(address, body, names, method=method)
        with urllib.request.urlopen(request, timeout=PATIENCE) as answer:
            return answer.status, answer.read().decode("utf-8", "replace")
    except urllib.error.HTTPError as error:
        return error.code, error.read().decode("utf-8", "replace")
    except (OSError, ValueError, HTTPException) as error:
        return 0, str(error)


# ---- one visitor ----------------------------------------------------------------------------------


def addresses(target: Target, record: Record, draw: random.Random, count: int) -> None:
    """Parameters of every screen with what no screen writes there."""
    known = {name: parameters_of(target, name) for name in NAMES}
    for _ in range(count):
        screen = draw.choice(NAMES)
        keys = [
            *known[screen],
            "step",
            "view",
            "embed",
            "present",
            "picture",
            "lang",
            "list",
            "item",
            "part",
        ]
        chosen = {draw.choice(keys): hostile(draw) for _ in range(draw.randint(1, 4))}
        query = urllib.parse.urlencode(chosen | ({} if "step" in chosen else {"step": "0"}))
        with Tab(target.address, screen, query) as tab:
            _judged(record, target, "addresses", tab.run, (screen, chosen))


def parameters_of(target: Target, screen: str) -> list[str]:
    """The keys of the controls that a screen draws."""
    with Tab(target.address, screen, "step=0") as tab:
        return [name.rsplit("-", 1)[-1] for name in tab.run().widgets]


def hostile(draw: random.Random) -> str:
    """A text, or a number as one."""
    return draw.choice(WORDS) if draw.random() < 0.6 else str(draw.choice(NUMBERS))


def controls(target: Target, record: Record, draw: random.Random, count: int) -> None:
    """Values that no control of a page can have, and after each a page that still answers."""
    cookie = cookie_of(target.address)
    for screen in NAMES:
        left = max(1, count // len(NAMES))
        while left > 0:
            with Tab(target.address, screen, "step=0", Cookie=cookie) as tab:
                left -= _until_refused(target, record, draw, tab, left)


def _until_refused(target: Target, record: Record, draw: random.Random, tab: Tab, most: int) -> int:
    """Move controls of a page until Streamlit has refused a value, which its session then keeps."""
    page = tab.run()
    for done in range(most):
        usable = [
            one for one in page.widgets.values() if "button" not in one[0] or "group" in one[0]
        ]
        if not usable:
            return most
        kind, element, fragment = draw.choice(usable)
        # A part of the screen that has been drawn anew is no longer asked by its old name.
        fragment = fragment if draw.random() < 0.5 else ""
        value = value_for(kind, element, draw)
        about = (tab.screen, element.id.rsplit("-", 1)[-1], str(value)[:200])
        told = _judged(
            record, target, f"controls: {kind}", partial(tab.run, value, fragment=fragment), about
        )
        if told is None or told.exceptions:
            return done + 1
        page = told if told.widgets else tab.run()
    return most


def value_for(kind: str, element: Any, draw: random.Random) -> WidgetState:
    """A value of the kind that a browser sends for a control, out of its range."""
    state, word = WidgetState(id=element.id), hostile(draw)
    number = draw.choice(NUMBERS)
    if kind == "number_input":
        state.double_value = number
    elif kind == "slider" and element.options:
        state.string_array_value.data.extend([word] * draw.randint(1, 2))
    elif kind == "slider":
        state.double_array_value.data.extend([number] * draw.randint(1, 2))
    elif kind in ("text_input", "text_area") or kind in ("selectbox", "radio"):
        state.string_value = word
    elif kind in ("button_group", "multiselect"):
        state.string_array_value.data.extend([word] * draw.randint(1, 2))
    elif kind in ("checkbox",):
        state.bool_value = draw.random() < 0.5
    else:
        state.json_value = draw.choice(reports(draw))
    return state


def reports(draw: random.Random) -> list[str]:
    """What a picture might report: its window, a click, its state."""
    number, word = (
        draw.choice((1e308, -1, 0, 2**70, 1e-300, "x", None, True, [], {})),
        hostile(draw),
    )
    window = {"r": [number] * 4, "w": number, "h": number, "rev": word, "whole": number}
    cell = {"x": number, "y": number, "z": number, "i": [number] * draw.randint(0, 3), "curve": number,
            "rev": word, "frame": number, "at": number}  # fmt: skip
    state = {"m": number, "n": number, "pair": number, "method": word, "content": number, "at": number,
             "way": number, "encoding": word, "p": number}  # fmt: skip
    parts = [{"view": window}, {"cell": cell}, {"report": state}, {"view": {}}, {"cell": {}}, {"report": {}},
             {"view": word}, {"cell": number}, {"report": word}, {"view": window, "cell": cell}]  # fmt: skip
    return [json.dumps(part) for part in parts] + [
        "",
        "[",
        "NaN",
        "[]",
        "9" * 5000,
        '{"view": NaN}',
        word,
    ]


def wrong_types(target: Target, record: Record, draw: random.Random, count: int) -> None:
    """Values of another kind than a control has. Streamlit refuses them: the page must come back."""
    for _ in range(count):
        screen = draw.choice(NAMES)
        with Tab(target.address, screen, "step=0") as tab:
            page = tab.run()
            _, element, _ = draw.choice(list(page.widgets.values()))
            state = WidgetState(id=element.id)
            draw.choice((
                lambda s: setattr(s, "string_value", "x"), lambda s: setattr(s, "double_value", 1.5),
                lambda s: s.double_array_value.data.extend([1, 2, 3]), lambda s: setattr(s, "json_value", "{}"),
                lambda s: setattr(s, "bytes_value", b"\xff"), lambda s: setattr(s, "trigger_value", True),
                lambda s: s.string_array_value.data.extend(["x"] * 99),
            ))(state)  # fmt: skip
            record.tried["controls: of another kind"] += 1
            told = tab.run(state)
            record.search("\n".join(told.texts + told.exceptions), screen, target.secrets)
        with Tab(target.address, screen, "step=0") as tab:
            if tab.run().exceptions:
                record.find("a screen that does not come back", (screen, element.id))


def configs(target: Target, record: Record, draw: random.Random, count: int) -> None:
    """Files of models with fields that are missing, of another kind, or out of range."""
    file = ROOT / "encodings/posenc/config/known_models.json"
    known = json.loads(file.read_text("utf-8"))
    models = [
        m for m in (known.values() if isinstance(known, dict) else known) if isinstance(m, dict)
    ]
    models = [model.get("config", model) for model in models]
    with Tab(target.address, "config") as tab:
        page = tab.run(query="model=own")
        areas = [element for kind, element, _ in page.widgets.values() if kind == "text_area"]
        if not areas:
            raise SystemExit("the screen config has no place for a text")
        for _ in range(count):
            text = mutated(json.dumps(draw.choice(models)), draw)
            value = WidgetState(id=areas[0].id, string_value=text)
            _judged(record, target, "configs", partial(tab.run, value), text)


def mutated(text: str, draw: random.Random) -> str:
    """A config with one to three things wrong; sometimes no longer JSON."""
    if draw.random() < 0.15:
        at = draw.randrange(len(text))
        return text[:at] + draw.choice(("", "{", '"', "\0", "[" * 5000, "1e99999")) + text[at + 1 :]
    config = json.loads(text)
    for _ in range(draw.randint(1, 3)):
        key = draw.choice(
            [*config, "rope_scaling", "head_dim", "rope_theta", "layer_types", "model_type"]
        )
        config[key] = draw.choice((
            None, True, "", "x", LINK, -1, 0, 1, 10**30, 1e308, 1e-308, [], [[]], {}, {"type": "yarn"}, [1] * 3000,
            {"rope_type": LINK, "factor": -1}, {"rope_type": "longrope", "short_factor": [1] * 9, "factor": 4},
            {"full_attention": {"rope_type": "default"}}, "9" * 300,
        ))  # fmt: skip
    return json.dumps(config)


def paths(target: Target, record: Record, draw: random.Random, count: int) -> None:
    """Requests that leave the folder, ask for what is not theirs, or lie about who they are."""
    starts = ("/", "/app/static/", "/app/static/chart/", "/_stcore/", "/media/", "/component/", "/static/", "/rope/",
              "/_stcore/upload_file/", "/auth/login", "/auth/logout", "/oauth2callback", "/metrics", "/ready",
              "/_stcore/metrics", "/_stcore/agent/", "/app/static/pictures/")  # fmt: skip
    ends = ("", "../asgi.py", "..%2f..%2fasgi.py", "%2e%2e/%2e%2e/.streamlit/config.toml", "....//asgi.py", "%00",
            "..%5c..%5casgi.py", "//elsewhere.example/", "\\\\host\\share", "a" * 4000, "x/y", "?code=x&state=y",
            "%c0%ae%c0%ae/", ";/../", "~root", "runs.sqlite", "secret", "C:/x", "?provider=../x", "%0d%0aX-A: b")  # fmt: skip
    proxied = {"X_Forwarded_For": "198.51.100.9"}
    for number in range(count):
        path = draw.choice(starts) + draw.choice(ends)
        method = draw.choice(("GET", "GET", "HEAD", "POST", "PUT", "DELETE", "OPTIONS", "TRACE"))
        cookie = f"posenc_owner={hostile(draw)!a:.60}"
        headers = proxied | {"X_Request_ID": f"{hostile(draw)!a:.60}", "Cookie": cookie,
                             "Host": draw.choice(("127.0.0.1", "elsewhere.example", "[x", "a b")),
                             "Authorization": "Bearer " + "x" * (number % 30)}  # fmt: skip
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


def uploads(target: Target, record: Record, draw: random.Random, count: int) -> None:
    """Files without an end, of nobody's session, with any name and content."""
    kept = [b"", b"\0" * 100, b"{" * 10_000, b'{"model_type": "llama"}', "text".encode("utf-16"),
            b"GGUF" + b"\xff" * 200, b"GGUF\3\0\0\0" + b"\xff" * 64, b"PK\3\4" + b"x" * 99, os.urandom(5000),
            b'{"a":' * 2000, b"\x80\4\x95"]  # fmt: skip
    with urllib.request.urlopen(f"{target.address}/_stcore/health", timeout=PATIENCE) as told:
        cookie = told.headers["Set-Cookie"].split(";")[0]
    token = {"Cookie": cookie, "X_Xsrftoken": cookie.partition("=")[2]}
    names = ("config.json", "model.gguf", "é.json", f"{UP}x.json", "x" * 300, "a\nb", "<b>.json")
    for number in range(count):
        with Tab(target.address, "config", "model=own") as tab:
            page = tab.run()
            name, content = draw.choice(names), draw.choice(kept)
            file = draw.choice((f"file-{number}", f"file-{number}", "../x", "a" * 300))
            session = draw.choice((page.session, page.session, "nobody", "../x"))
            place = "/".join(urllib.parse.quote(part, safe="") for part in (session, file))
            edge = "edge"
            head = f'--{edge}\r\nContent-Disposition: form-data; name="file"; filename="{name}"\r\n\r\n'
            status, said = ask(
                f"{target.address}/_stcore/upload_file/{place}",
                "PUT",
                head.encode() + content + f"\r\n--{edge}--\r\n".encode(),
                Content_Type=f"multipart/form-data; boundary={edge}",
                **(token if number % 5 else {}),
            )
            record.tried["uploads"] += 1
            record.search(said, (session == page.session, file), target.secrets)
            if status >= 500:
                record.find(f"status {status}", ("upload", name, said[:200]))
            # Whatever became of the file, the page says that it is there.
            state = WidgetState(id=page.control("upload").id)
            info = state.file_uploader_state_value.uploaded_file_info.add()
            info.name, info.file_id = name, file
            info.size = draw.choice((len(content), 10**12, 0))
            about = (name, content[:60], status)
            _judged(record, target, "uploads, read", partial(tab.run, state), about)


def garbage(target: Target, record: Record, draw: random.Random, count: int) -> None:
    """Messages that are none of Streamlit's."""
    for _ in range(count):
        record.tried["messages"] += 1
        try:
            with Tab(target.address, "rope") as tab:
                tab.line.send(draw.randbytes(draw.choice((0, 1, 50, 5000))))
                tab.line.send(
                    draw.choice(("text", "{}", "\0")) if draw.random() < 0.3 else b"\xff" * 9
                )
                tab.line.recv(timeout=0.05)
        except (ConnectionClosed, TimeoutError, InvalidStatus):
            continue


def _judged(
    record: Record, target: Target, kind: str, run: Callable[[], Page], about: object
) -> Page | None:
    begun = time.monotonic()
    try:
        page = run()
    except (ConnectionClosed, TimeoutError, OSError) as error:
        record.tried[kind] += 1
        record.find(f"no answer ({type(error).__name__})", (kind, about))
        return None
    record.judge(kind, page, about, time.monotonic() - begun, target)
    return page


# ---- many tabs, two visitors --------------------------------------------------------------------


def dear_tabs(target: Target, record: Record) -> str:
    """The dearest pictures in twelve tabs at once: memory at its peak, and a light page meanwhile."""
    before, peak, over = target.memory(), 0, threading.Event()
    light: list[float] = []

    def look() -> None:
        nonlocal peak
        while not over.wait(0.02):
            peak = max(peak, target.memory())

    def read() -> None:
        while not over.wait(0.5):
            begun = time.monotonic()
            with Tab(target.address, "units") as tab:
                tab.run()
            light.append(time.monotonic() - begun)

    def open_one(screen: str, query: str) -> None:
        with Tab(target.address, screen, query) as tab:
            _judged_slowly(record, target, tab, (screen, query))

    watchers = [threading.Thread(target=one) for one in (look, read)]
    tabs = [threading.Thread(target=open_one, args=one) for one in DEAREST]
    begun = time.monotonic()
    for thread in (*watchers, *tabs):
        thread.start()
    for thread in tabs:
        thread.join()
    seconds = time.monotonic() - begun
    over.set()
    for thread in watchers:
        thread.join()
    if peak - before > BUDGET + ROOM:
        record.find("memory", f"{(peak - before) / 2**20:.0f} MiB above")
    return (
        f"{len(DEAREST)} dearest tabs at once: {seconds:.1f} s, memory {before / 2**20:.0f} MiB before, "
        f"{peak / 2**20:.0f} MiB at its peak; a light page beside them in "
        f"{statistics.median(light) if light else 0:.1f} s (median)"
    )


def _judged_slowly(record: Record, target: Target, tab: Tab, about: object) -> None:
    record.tried["dearest tabs"] += 1
    try:
        page = tab.run()
    except (ConnectionClosed, TimeoutError, OSError) as error:
        record.find(f"no answer ({type(error).__name__})", about)
        return
    if page.exceptions:
        record.find("error box", about)


def two_visitors(target: Target, record: Record) -> str:
    """One orders; the other tries to change that, to see more than is shown, and to be the first."""
    ann, bob = cookie_of(target.address), cookie_of(target.address)
    tries: list[tuple[str, bool]] = []
    with (
        Tab(target.address, "lab", "", Cookie=ann) as hers,
        Tab(target.address, "lab", "", Cookie=bob) as his,
    ):
        page = hers.run()
        ordered = hers.run(pressed(page.control("Train it")))
        steering = [
            name
            for name in ordered.widgets
            if name.rsplit("-", 1)[-1].startswith(("pause_", "cancel_"))
        ]
        tries.append(("who ordered a job may steer it", bool(steering)))
        seen = his.run()
        theirs = [
            name
            for name in seen.widgets
            if name.rsplit("-", 1)[-1].startswith(("pause_", "cancel_", "remove_"))
        ]
        tries.append(("another one sees no button for it", not theirs))
        for name in steering:
            his.run(WidgetState(id=name, trigger_value=True))
        tries.append(
            (
                "pressing her buttons from his page does nothing",
                state_of(target) in ("queued", "running"),
            )
        )
        for forged in (
            ann[:-3] + "AAA",
            ann.replace("browser", "Browser"),
            ann.split(".")[0],
            f"{ann}x",
            "posenc_owner=",
        ):
            with Tab(target.address, "lab", "", Cookie=forged) as his_again:
                told = his_again.run()
                wrong = [name for name in told.widgets if "cancel_" in name or "pause_" in name]
                tries.append((f"a forged cookie {forged[-12:]!r} is nobody's", not wrong))
        tries.append(
            ("her session is not in what he is told", page.session not in "".join(seen.texts))
        )
        address = f"{target.address}/_stcore/upload_file/nobody/{page.session}"
        status, _ = ask(address, "PUT", b"x", Content_Type="text/plain")
        tries.append(("files go to no session that is not there", status >= 400))
        others = {"Cookie": f"{ann}", "Origin": "https://elsewhere.example"}
        try:
            with Tab(target.address, "lab", "", **others) as foreign:
                foreign.run()
            opened = True
        except (InvalidStatus, ConnectionClosed, TimeoutError):
            opened = False
        tries.append(("a page of another site opens no connection with her cookie", not opened))
        cancel = next((name for name in steering if "cancel_" in name), "")
        hers.run(WidgetState(id=cancel, trigger_value=True))
        tries.append(("she cancels it herself", state_of(target) == "cancelled"))
    for what, well in tries:
        record.tried["two visitors"] += 1
        if not well:
            record.find("two visitors", what)
    return f"two visitors against each other: {sum(well for _, well in tries)} of {len(tries)} as it must be"


def state_of(target: Target) -> str:
    """State of the newest job, by the database itself."""
    from lab.queue.jobs import Lab
    from lab.queue.settings import LabSettings

    with Lab(LabSettings(home=target.home, database=f"sqlite:///{target.home}/runs.sqlite")) as lab:
        jobs = lab.jobs(most=1)
        return jobs[0].wanted or jobs[0].state if jobs else "none"


PARTS: dict[str, tuple[Callable[[Target, Record, random.Random, int], None], float]] = {
    "addresses": (addresses, 0.3),
    "controls": (controls, 0.35),
    "wrong_types": (wrong_types, 0.03),
    "configs": (configs, 0.15),
    "paths": (paths, 0.12),
    "uploads": (uploads, 0.04),
    "garbage": (garbage, 0.01),
}
"""What is tried, and its share of the inputs."""


def attack(inputs: int, seed: int, only: list[str], full: bool) -> tuple[Record, list[str]]:
    """Try all of it; what was found, and lines about the rest."""
    record, said = Record(), []
    with tempfile.TemporaryDirectory() as folder, served(Path(folder)) as target:
        before = target.memory()
        for name, (part, share) in PARTS.items():
            if only and name not in only:
                continue
            begun = time.monotonic()
            part(target, record, random.Random(f"{seed} {name}"), max(1, round(share * inputs)))
            print(f"{name}: {time.monotonic() - begun:.0f} s", file=sys.stderr, flush=True)
        if full:
            said += [two_visitors(target, record), dear_tabs(target, record)]
        if ask(f"{target.address}/_stcore/health")[0] != 200:
            record.find("the server is gone", "")
        said.append(
            f"memory {before / 2**20:.0f} MiB before, {target.memory() / 2**20:.0f} MiB after"
        )
    return record, said


def main() -> None:
    """Try, and print the table; exit status 1 where something was found."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--inputs", type=int, default=2200)
    parser.add_argument("--seed", type=int, default=14)
    parser.add_argument("--only", nargs="+", default=[], choices=PARTS, help="parts")
    parser.add_argument("--alone", action="store_true", help="no tabs at once, no two visitors")
    options = parser.parse_args()
    record, said = attack(options.inputs, options.seed, options.only, not options.alone)
    print(record.table(), *said, "", sep="\n")
    for line in record.found:
        print("FOUND", line)
    print(f"{len(record.found)} findings")
    raise SystemExit(bool(record.found))


if __name__ == "__main__":
    main()
