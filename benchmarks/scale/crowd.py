"""Readers who move controls over websockets, and come back by themselves when a line is cut."""

import random
import re
import ssl
import threading
import time
import urllib.error
import urllib.request
from collections.abc import Sequence
from contextlib import ExitStack, suppress
from dataclasses import dataclass, field
from http.cookies import SimpleCookie
from json import loads
from typing import Any
from urllib.parse import parse_qs

from streamlit.proto.ForwardMsg_pb2 import ForwardMsg
from websockets.exceptions import WebSocketException
from websockets.protocol import State
from websockets.sync.client import ClientConnection, connect
from websockets.typing import Origin, Subprotocol

from benchmarks import moves
from benchmarks.moves import MOVES, Move
from benchmarks.scale.machine import REPLICA

SCREENS = ("absolute", "relative", "alibi", "rope", "cope", "kv_cache", "scaling", "units")
"""Whose controls are numbers: what they show can be compared with the address."""
CUT = (OSError, WebSocketException, TimeoutError, urllib.error.URLError)
TRUSTING = ssl.create_default_context()
TRUSTING.check_hostname, TRUSTING.verify_mode = False, ssl.CERT_NONE
"""The certificate is one that nobody signed."""


def a_move(number: int) -> Move:
    firsts = {move.screen: move for move in reversed(MOVES)}
    return firsts[SCREENS[number % len(SCREENS)]]


class Page(moves.Reader):
    def __init__(self, line: ClientConnection, screen: str, address: str) -> None:
        self.address = address
        super().__init__(line, screen, address)

    def _keep(self, message: ForwardMsg) -> None:
        super()._keep(message)
        if message.WhichOneof("type") != "delta":
            return
        element = message.delta.new_element
        if element.bidi_component.component_name == "posenc_address":
            part = element.bidi_component
            self.address = loads(part.json or part.mixed.json)["query"]

    def shown(self, key: str) -> float:
        element = next(one for name, (one, _) in self.widgets.items() if name.endswith(f"-{key}"))
        return float(element.value if element.set_value else element.default)


@dataclass
class Seen:
    """A reader's experience; times are of `time.monotonic`."""

    moves: list[tuple[float, float, int]] = field(default_factory=list)
    """When a move began, the seconds until its answer was whole, and the port of the replica."""
    absences: list[tuple[float, float]] = field(default_factory=list)
    """When the line was found cut, and the seconds until the page was there again."""
    wrong: list[str] = field(default_factory=list)
    """Pages that came back in another state than their address says."""


class Person(threading.Thread):
    """A reader with one page, who moves one control every few seconds.

    Args:
        number: Which one.
        doors: Addresses of the proxy, or of the replicas where there is none: the first that
            answers is taken, beginning with another one for each reader.
        pause: Seconds from one move to the next.
    """

    def __init__(self, number: int, doors: Sequence[str], pause: float) -> None:
        super().__init__(daemon=True)
        first = number % len(doors)
        self.doors = [*doors[first:], *doors[:first]]
        self.what = a_move(number)
        self.pause = pause
        self.number = number
        self.seen = Seen()
        self.over = threading.Event()
        self.open_line = ExitStack()
        self.here = threading.Event()
        self.page: Page | None = None
        self.line: ClientConnection | None = None
        self.address = self.what.query
        self.normal = 0.0
        self.trouble = self.cookie = ""
        self.turn = self.port = 0

    def run(self) -> None:
        chance = random.Random(self.number)
        due = time.monotonic()
        while not self.over.is_set():
            try:
                if self.line is None or self.line.protocol.state is not State.OPEN:
                    self._come()
                if time.monotonic() >= due:
                    due = time.monotonic() + self.pause * chance.uniform(0.7, 1.3)
                    self._move()
            except CUT as error:
                self.trouble = f"{type(error).__name__}: {error}"
            except LookupError as error:  # the app's own error
                self.seen.wrong.append(str(error))
                self.over.wait(self.pause)
            self.over.wait(0.1)
        self.open_line.close()

    def _come(self) -> None:
        """Open the page at its address, trying again as browsers do."""
        before = self.page is not None
        begun = time.monotonic()
        self.here.clear()
        for turn in range(10_000):
            if self.over.is_set():
                return
            try:
                self.open_line.close()
                self.line = self._open(self.doors[turn % len(self.doors)])
                self.page = Page(self.line, self.what.screen, self.address)
                break
            except CUT as error:
                self.trouble = f"{type(error).__name__}: {error}"
                self.over.wait(0.5)
        assert self.page is not None
        shown = self.page.shown(self.what.key)
        if before:
            self.seen.absences.append((begun, time.monotonic() - begun))
            asked = parse_qs(self.address).get(self.what.key)
            if shown != (float(asked[0]) if asked else self.normal):
                self.seen.wrong.append(f"{self.what.screen}?{self.address} shows {shown:g}")
        else:
            self.normal = shown
        self.here.set()

    def _open(self, door: str) -> ClientConnection:
        """Ask as browsers do: once for the page and its cookie, later whether a server is there."""
        context = TRUSTING if door.startswith("https") else None
        path = "_stcore/health" if self.cookie else self.what.screen
        asked = urllib.request.Request(f"{door}/{path}", headers={"Cookie": self.cookie})
        with urllib.request.urlopen(asked, timeout=30, context=context) as answer:
            given = SimpleCookie(answer.headers.get("Set-Cookie", ""))
        self.cookie = self.cookie or "; ".join(f"{k}={v.value}" for k, v in given.items())
        patient: dict[str, Any] = {"open_timeout": 30, "ping_interval": None, "max_size": None}
        line = connect(
            f"{door.replace('http', 'ws', 1)}/_stcore/stream",
            subprotocols=[Subprotocol("streamlit")],
            origin=Origin(door),
            additional_headers={"Cookie": self.cookie},
            ssl=context,
            close_timeout=1,
            source_address=(f"127.0.0.{2 + self.number % 200}", 0),
            **patient,
        )
        assert line.response is not None
        told = line.response.headers.get(REPLICA, door).split(", ")[-1]
        self.port = int(told.rpartition(":")[2])
        return self.open_line.enter_context(line)

    def _move(self) -> None:
        assert self.page is not None
        values = self.what.values
        begun = time.monotonic()
        self.page.move(self.what.key, values[(self.number + self.turn) % len(values)])
        self.seen.moves.append((begun, time.monotonic() - begun, self.port))
        self.address = self.page.address
        self.turn += 1


def files_of(door: str, other: str) -> list[str]:
    """Wrong answers to requests for the scripts of a first page.

    A page of one replica asks for its scripts by the release that they are of, and another replica
    may be asked: it has the same bytes, or says that it has none.
    """
    try:
        page = _get(f"{door}/rope")[1].decode()
    except CUT:
        return []  # it is away; what readers see of that is counted elsewhere
    wrong = []
    for name in re.findall(r'(?:src|href)="[./]*(app/static/release-[^"]+)"', page):
        with suppress(*CUT):
            answers = [_get(f"{one}/{name}") for one in (door, other)]
            given = {body for status, body in answers if status == 200}
            if len(given) > 1 or any(status not in (200, 404) for status, _ in answers):
                wrong.append(f"{name} is {[status for status, _ in answers]} and not one file")
    return wrong


def _get(address: str) -> tuple[int, bytes]:
    context = TRUSTING if address.startswith("https") else None
    try:
        with urllib.request.urlopen(address, timeout=30, context=context) as answer:
            return answer.status, answer.read()
    except urllib.error.HTTPError as refused:
        return refused.code, b""


class Crowd:
    def __init__(self, count: int, doors: Sequence[str], pause: float) -> None:
        self.people = [Person(number, doors, pause) for number in range(count)]

    def come(self) -> None:
        """Let them come one after another; returns when all pages stand."""
        for person in self.people:
            person.start()
            time.sleep(0.1)

    def away(self) -> list[str]:
        """Those whose page does not stand, and why."""
        return [
            f"reader {person.number} ({person.trouble or 'first page'})"
            for person in self.people
            if not person.here.is_set()
        ]

    def leave(self) -> None:
        for person in self.people:
            person.over.set()
        for person in self.people:
            person.join(moves.PATIENCE)
