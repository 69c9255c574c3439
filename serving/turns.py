"""Runs of screens take turns: one at a time for each network, and two in all.

Python computes on one core. A hundred runs at once take as long as a hundred one after another, and
longer: five at once lose over a third of the core to handing it around. Meanwhile the server, one
thread among them, answers nobody. Who asks for more than the others, as often as a line may, waits
for its own.
"""

import asyncio
from collections import deque

from starlette.types import ASGIApp, Message, Receive, Scope, Send

from serving.crowd import network_of
from serving.line import ENDED
from ui.streamlit.messages import asked_screen, ending

RUNS = 2
"""Runs at a time, each of another network: beside one that asks for all, a turn is left."""
SECONDS = 0.5
"""After which a run goes on beside others: what takes longer mostly waits, as for a database."""


class Turns:
    """Holds the wish of a page back until it is its network's turn."""

    def __init__(self, app: ASGIApp) -> None:
        self.app = app
        self.running: set[str] = set()
        """Networks that have a turn."""
        self.waiting: dict[str, deque[asyncio.Future[bool]]] = {}
        """By network; first comes who was served longest ago."""

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Serve one request, or one line."""
        if scope["type"] != "websocket":
            await self.app(scope, receive, send)
            return
        network = network_of((scope.get("client") or ("",))[0])
        turn: asyncio.TimerHandle | None = None
        over = asyncio.Event()

        def end() -> None:
            nonlocal turn
            if turn is not None:
                turn.cancel()
                turn = None
                over.set()
                self._give_back(network)

        async def heard() -> Message:
            nonlocal turn
            message = await receive()
            if asked_screen(message.get("bytes") or b"") is None:
                return message
            if turn is not None and self.waiting:
                await over.wait()  # else it takes the place of the run, whose turn has no end
            if turn is None:
                if not await self._take(network, scope[ENDED]):
                    return {"type": "websocket.disconnect", "code": 1001}
                # A run goes on when its page is closed; so does its turn.
                over.clear()
                turn = asyncio.get_running_loop().call_later(SECONDS, end)
            return message

        async def send_and_end(message: Message) -> None:
            await send(message)
            if turn is not None and ending(message.get("bytes") or b"") == "ended":
                end()

        await self.app(scope, heard, send_and_end)

    def _may_run(self, network: str) -> bool:
        return network not in self.running and len(self.running) < RUNS

    async def _take(self, network: str, ended: asyncio.Future[None]) -> bool:
        """Wait for a turn; False where the line has ended before."""
        if self._may_run(network):
            self.running.add(network)
            return True
        mine: asyncio.Future[bool] = asyncio.get_running_loop().create_future()
        self.waiting.setdefault(network, deque()).append(mine)

        def leave(_: object) -> None:
            if not mine.done():
                mine.set_result(False)

        ended.add_done_callback(leave)
        try:
            return await mine  # whoever gives a turn back makes it this one's
        except asyncio.CancelledError:
            if not mine.cancelled() and mine.result():
                self._give_back(network)
            raise
        finally:
            ended.remove_done_callback(leave)

    def _give_back(self, network: str) -> None:
        self.running.discard(network)
        if network in self.waiting:
            self.waiting[network] = self.waiting.pop(network)  # behind the others
        while following := next(filter(self._may_run, self.waiting), None):
            theirs = self.waiting[following]
            one = theirs.popleft()
            if not theirs:
                del self.waiting[following]
            if not one.done():
                self.running.add(following)
                one.set_result(True)
