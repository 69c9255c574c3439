"""Readers who move controls over websockets, and come back by themselves when one is cut."""

import random
import re
import threading
import time
import urllib.error
import urllib.request
from collections.abc import Sequence
from contextlib import ExitStack, suppress
from http.cookies import SimpleCookie
from urllib.parse import parse_qs

from websockets.exceptions import WebSocketException
from websockets.protocol import State

from benchmarks.moves import MOVES
from benchmarks.scale.machine import REPLICA
from benchmarks.visitor import PATIENCE, TRUSTING, Tab, address_of, find

SCREENS = ("absolute", "relative", "alibi", "rope", "cope", "kv_cache", "scaling", "units")
"""Whose controls are numbers: what they show can be compared with the address."""
FIRST_MOVES = {move.screen: move for move in reversed(MOVES)}
CUT = (OSError, WebSocketException, TimeoutError, urllib.error.URLError)


class Person(threading.Thread):
    """A reader with one page, who moves one control every few seconds.

    Args:
        number: Which one.
        addresses: Addresses of the proxy, or of the replicas where there is none: the first that
            answers is taken, beginning with another one for each reader.
        pause: Seconds from one move to the next.

    Times of `moves` (begin, seconds until the answer was whole, port of the replica) and `absences`
    (when the cut was found, seconds until the page was there again) are of `time.monotonic`;
    `wrong` are pages that came back in another state than their address says.
    """

    def __init__(self, number: int, addresses: Sequence[str], pause: float) -> None:
        super().__init__(daemon=True)
        first = number % len(addresses)
        self.addresses = [*addresses[first:], *addresses[:first]]
        self.what = FIRST_MOVES[SCREENS[number % len(SCREENS)]]
        self.pause = pause
        self.number = number
        self.moves: list[tuple[float, float, int]] = []
        self.absences: list[tuple[float, float]] = []
        self.wrong: list[str] = []
        self.over = threading.Event()
        self.here = threading.Event()
        self.open_line = ExitStack()
        self.tab: Tab | None = None
        self.address = self.what.query
        self.normal: float | None = None
        self.cookie = ""
        self.port = 0

    def run(self) -> None:
        chance = random.Random(self.number)
        due = time.monotonic()
        while not self.over.wait(0.1):
            try:
                if self.tab is None or self.tab.connection.protocol.state is not State.OPEN:
                    self._come()
                elif time.monotonic() >= due:
                    due = time.monotonic() + self.pause * chance.uniform(0.7, 1.3)
                    self._move(self.tab)
            except CUT:
                continue
            except LookupError as error:  # the app's own error
                self.wrong.append(str(error))
                self.over.wait(self.pause)
        self.open_line.close()

    def leave(self) -> None:
        self.over.set()
        self.join(PATIENCE)

    def _come(self) -> None:
        """Open the page at its address, trying again as browsers do."""
        begun = time.monotonic()
        self.here.clear()
        tab = None
        turn = 0
        while tab is None:
            if self.over.is_set():
                return
            self.open_line.close()
            try:
                tab = self._open(self.addresses[turn % len(self.addresses)])
            except CUT:
                self.over.wait(0.5)
            turn += 1
        element = find(tab.widgets, self.what.key).element
        shown = float(element.value if element.set_value else element.default)
        if self.normal is None:
            self.normal = shown
        else:
            self.absences.append((begun, time.monotonic() - begun))
            asked = parse_qs(self.address).get(self.what.key)
            if shown != (float(asked[0]) if asked else self.normal):
                self.wrong.append(f"{self.what.screen}?{self.address} shows {shown:g}")
        self.tab = tab
        self.here.set()

    def _open(self, door: str) -> Tab:
        """Ask as browsers do: once for the page and its cookie, later whether a server is there."""
        path = "_stcore/health" if self.cookie else self.what.screen
        asked = urllib.request.Request(f"{door}/{path}", headers={"Cookie": self.cookie})
        context = TRUSTING if door.startswith("https") else None
        with urllib.request.urlopen(asked, timeout=30, context=context) as answer:
            given = SimpleCookie(answer.headers.get("Set-Cookie", ""))
        self.cookie = self.cookie or "; ".join(f"{k}={v.value}" for k, v in given.items())
        network = f"127.0.0.{2 + self.number % 200}"
        cookie = {"Cookie": self.cookie, "Origin": door}
        tab = Tab(door, self.what.screen, self.address, network, **cookie)
        self.open_line.enter_context(tab)
        assert tab.connection.response is not None
        told = tab.connection.response.headers.get(REPLICA, door).split(", ")[-1]
        self.port = int(told.rpartition(":")[2])
        tab.open()
        return tab

    def _move(self, tab: Tab) -> None:
        values = self.what.values
        begun = time.monotonic()
        tab.move(self.what.key, values[(self.number + len(self.moves)) % len(values)])
        self.moves.append((begun, time.monotonic() - begun, self.port))
        self.address = address_of(tab)


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
