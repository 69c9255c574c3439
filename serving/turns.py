"""Runs of screens take turns: two at a time, and next is who has used least.

Python computes on one core. A hundred runs at once take as long as a hundred one after another, and
longer: five at once lose over a third of the core to handing it around. Meanwhile the server, one
thread among them, answers nobody. So whoever has kept the core busy for longest in the last minute
waits, and readers who move something now and then do not.
"""

import asyncio
import math
import time
from dataclasses import dataclass, field
from functools import lru_cache

from starlette.types import ASGIApp, Message, Receive, Scope, Send

from serving import figures
from serving.network import KEPT, client, is_trusted, network_of
from serving.sessions import SCREEN
from serving.websocket import ENDED
from ui.streamlit.messages import ending

RUNS = 2
"""Runs at a time. One of the two is a trusted network's where one waits, else that of a page which
has stayed for a minute: who comes with a hundred new pages leaves half of the core to others."""
SECONDS = 2.0
"""After which a run goes on beside others: what takes longer mostly waits, as for a database."""
MINUTE = 60.0
"""Seconds in which what was used counts a third as much as at first."""
HASTE = 0.2
"""Seconds that a wish counts more which comes before the answer to the last."""
CLASS = 100
"""Readers of a network that count as one each: more of them share what these may use."""


class Use:
    """Seconds of the server that were used in the last minute or so."""

    def __init__(self, used: float = 0.0) -> None:
        self.used = used
        self.since = time.monotonic()
        self.connections = 0
        """Pages of a network that are open."""

    def now(self) -> float:
        """What still counts."""
        return self.used * math.exp((self.since - time.monotonic()) / MINUTE)

    def add(self, seconds: float) -> None:
        """Count more."""
        self.used = self.now() + seconds
        self.since = time.monotonic()


@dataclass(eq=False)
class Reader:
    """One open page and its turn."""

    network: Use
    is_trusted: bool
    own: Use
    opened: float = field(default_factory=lambda: time.monotonic())
    asked: float | None = None
    """When it asked for what has not been answered; a later wish may have replaced the first."""
    screen: str = figures.OTHER
    """Name of the screen that it asked for last."""
    begun: float | None = None
    """When the run began that has not ended; it may have given its turn back."""
    turn: asyncio.TimerHandle | None = None
    over: asyncio.Event = field(default_factory=asyncio.Event)
    wish: asyncio.Future[bool] | None = None
    """Is True when it is this reader's turn, and False where its connection has ended."""

    def has_stayed(self) -> bool:
        """Whether the page has been open for a minute."""
        return time.monotonic() - self.opened >= MINUTE

    def rank(self) -> float:
        """Seconds used: by this page, or by its network for each reader of a large class."""
        return max(self.own.now(), self.network.now() / CLASS)

    def count(self, least: float = 0.0) -> None:
        """Count what the run has used that has begun."""
        if self.begun is not None:
            used = max(least, time.monotonic() - self.begun)
            self.network.add(used)
            self.own.add(used)
            self.begun = None

    def begin(self, screen: str, asked: float) -> None:
        """Begin a run of a screen, by the hash that browsers send, in place of one that runs."""
        self.count()  # the run that is replaced has no end
        self.begun = time.monotonic()
        self.screen = figures.screens().get(screen, figures.OTHER)
        self.asked = asked if self.asked is None else self.asked

    def end(self) -> None:
        """End the run, and tell how long its reader has waited."""
        self.count()
        if self.asked is not None:
            figures.moves.labels(self.screen).observe(time.monotonic() - self.asked)
            self.asked = None


class Turns:
    """Holds the wish of a page back until it is its turn, and times how long it waits."""

    def __init__(self, app: ASGIApp) -> None:
        self.app = app
        self.running: set[Reader] = set()
        self.waiting: dict[Reader, None] = {}
        """In the order in which they came."""
        self.used = lru_cache(KEPT)(lambda _network: Use())
        """What a network has used, by its name."""

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Serve one request, or one connection."""
        if scope["type"] != "websocket":
            await self.app(scope, receive, send)
            return
        reader = self._reader(scope)

        async def heard() -> Message:
            message = await receive()
            if SCREEN not in message:
                return message
            asked = time.monotonic()
            if reader.begun is not None:
                reader.own.add(HASTE)
            if reader.turn is not None and self.waiting:
                await reader.over.wait()  # else it replaces the run, whose turn would have no end
            if reader.turn is None and not await self._take(reader, scope.get(ENDED)):
                return {"type": "websocket.disconnect", "code": 1001}
            reader.begin(message[SCREEN], asked)
            return message

        async def send_and_end(message: Message) -> None:
            await send(message)
            how = ending(message.get("bytes") or b"") if reader.begun is not None else ""
            if how == "replaced":
                figures.replaced.inc()
            elif how == "ended":
                reader.end()
                self._give_back(reader)

        try:
            await self.app(scope, heard, send_and_end)
        finally:
            reader.count(SECONDS)  # it goes on for nobody, at the cost of its network
            reader.network.connections -= 1

    def _reader(self, scope: Scope) -> Reader:
        """A page, as if it had used what its network's have: else a new one were always first."""
        address = client(scope)
        network = self.used(network_of(address))
        network.connections += 1
        return Reader(network, is_trusted(address), Use(network.now() / network.connections))

    async def _take(self, reader: Reader, ended: asyncio.Future[None] | None) -> bool:
        """Wait for a turn; False where the connection has ended before."""
        wish = reader.wish = asyncio.get_running_loop().create_future()

        def leave(_: object) -> None:
            if not wish.done():
                wish.set_result(False)

        if ended is not None:
            ended.add_done_callback(leave)
        self.waiting[reader] = None
        self._hand_out()
        try:
            return await wish
        except asyncio.CancelledError:
            if not wish.cancelled() and wish.result():
                self._give_back(reader)
            raise
        finally:
            self.waiting.pop(reader, None)
            if ended is not None:
                ended.remove_done_callback(leave)

    def _give_back(self, reader: Reader) -> None:
        """End a turn, whether or not its run has."""
        if reader.turn is not None:
            reader.turn.cancel()
            reader.turn = None
            reader.over.set()
            self.running.discard(reader)
            self._hand_out()

    def _next(self) -> Reader:
        for is_preferred in (lambda one: one.is_trusted, Reader.has_stayed):
            preferred = [one for one in self.waiting if is_preferred(one)]
            if preferred and not any(map(is_preferred, self.running)):
                return min(preferred, key=Reader.rank)
        return min(self.waiting, key=Reader.rank)

    def _hand_out(self) -> None:
        while self.waiting and len(self.running) < RUNS:
            next_one = self._next()
            del self.waiting[next_one]
            if next_one.wish is not None and not next_one.wish.done():
                loop = asyncio.get_running_loop()
                next_one.over.clear()
                # A run goes on when its page is closed; so does its turn.
                next_one.turn = loop.call_later(SECONDS, self._give_back, next_one)
                self.running.add(next_one)
                next_one.wish.set_result(True)
