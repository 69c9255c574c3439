"""The server that is tried, what an answer may not hold, and the record of it all."""

import json
import re
import statistics
import sys
import time
import urllib.error
import urllib.request
from collections import Counter, defaultdict
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.client import HTTPException
from pathlib import Path

from websockets.exceptions import ConnectionClosed

from benchmarks.report import markdown
from benchmarks.server import ROOT, Server, started
from benchmarks.visitor import PATIENCE, Page

SLOW = 10.0
"""Seconds that one answer may take where nobody else asks for anything."""
OF_NO_PAGE = "a message of no page"
"""Why a connection is ended whose message no page could send."""
SECRET = "a secret that is long enough for a server"
LINK = "[x](https://elsewhere.example/)"


@dataclass
class Trial:
    server: Server
    home: Path
    """The lab's folder."""
    log: Path
    tried: Counter[str] = field(default_factory=Counter)
    found: list[str] = field(default_factory=list)
    seconds: dict[str, list[float]] = field(default_factory=lambda: defaultdict(list))

    @property
    def address(self) -> str:
        """Of the server, http://…"""
        return self.server.address

    def find(self, what: str, about: object) -> None:
        """Note a finding, and say so at once."""
        self.found.append(f"{what}: {about!r:.3000}")
        print("FOUND", self.found[-1], file=sys.stderr, flush=True)

    def search(self, told: str, about: object, *more: str) -> None:
        """Look for what no visitor may see."""
        secrets = (SECRET, str(self.home), str(ROOT), "Traceback (most recent", "site-packages")
        for secret in (*secrets, *more):
            if secret in told:
                self.find("told a secret", (secret, about))

    @contextmanager
    def timed(self, kind: str, about: object) -> Iterator[None]:
        """One try, and the time that its answer takes."""
        self.tried[kind] += 1
        begun = time.monotonic()
        yield
        self.seconds[kind].append(time.monotonic() - begun)
        if self.seconds[kind][-1] > SLOW:
            self.find(f"{self.seconds[kind][-1]:.0f} s", (kind, about))

    def page(self, kind: str, about: object, run: Callable[[], Page]) -> Page | None:
        """Run something of a page and look at the answer; None where none came."""
        try:
            with self.timed(kind, about):
                page = run()
        except ConnectionClosed as error:
            if error.rcvd is None or error.rcvd.reason != OF_NO_PAGE:
                self.find(f"no answer ({error})", (kind, about))
            else:
                self.tried[f"{kind}, {OF_NO_PAGE}"] += 1
                self.tried[kind] -= 1
            return None
        except (TimeoutError, OSError) as error:
            self.find(f"no answer ({type(error).__name__})", (kind, about))
            return None
        if page.exceptions:
            where, ours = self._last_error()
            if ours:
                self.find("error box", (kind, about, where))
            else:  # no page sends such a value: Streamlit refuses it before our code is asked
                self.tried[f"{kind}, refused by Streamlit"] += 1
                self.tried[kind] -= 1
        told = "\n".join(page.texts)
        self.search(told, (kind, about))
        if LINK in told.replace(f"`{LINK}`", ""):
            self.find("typed text is a link", (kind, about))
        return page

    def _last_error(self) -> tuple[str, bool]:
        """The last lines of the newest error of the log, and whether our code was at work."""
        for line in reversed(self.log.read_text("utf-8", "replace").splitlines()):
            if line.startswith("{") and "error" in (told := json.loads(line)):
                files = re.findall(r'File "([^"]+)"', told["error"])
                ours = any(str(ROOT) in file and ".venv" not in file for file in files)
                return " | ".join(told["error"].splitlines()[-24:]), ours
        return "", True

    def table(self) -> str:
        """Table of the attacks, how often each was tried, and how long an answer took."""
        rows = []
        for kind, count in self.tried.items():
            taken = self.seconds.get(kind, [0.0])
            middle = 1000 * statistics.median(taken)
            rows.append([kind, f"{count}", f"{middle:.0f}", f"{max(taken):.1f}"])
        rows.append(["all", f"{self.tried.total()}", "", ""])
        return markdown(("tried", "inputs", "median, ms", "longest, s"), rows)


@contextmanager
def served(home: Path) -> Iterator[Trial]:
    """The app, as a container starts it."""
    variables = {
        "POSENC_LAB": "own",
        "POSENC_LAB_HOME": str(home),
        "POSENC_SECRET": SECRET,
        "POSENC_LAB_JOBS": "1",
        "POSENC_LOG": "json",
    }
    command = ["serving", "--port"]
    with (home / "server.log").open("wb") as log, started(command, ROOT, variables, log) as server:
        yield Trial(server, home, home / "server.log")


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
        with error:  # its socket stays open otherwise
            return error.code, error.read().decode("utf-8", "replace")
    except (OSError, ValueError, HTTPException) as error:
        return 0, str(error)
