"""Runs of screens take turns: one after another, and each network as many as the others.

Python computes on one core. A hundred runs at once take as long as a hundred one after another, and
longer: five at once lose over a third of the core to handing it around. Meanwhile the server, one
thread among them, answers nobody. Who asks for more than the others, as often as a line may, waits
for its own.
"""

import asyncio
from collections import Counter, deque

from starlette.types import ASGIApp, Message, Receive, Scope, Send

from serving.crowd import network_of
from serving.line import ENDED
from ui.streamlit.messages import asked_screen, ending

RUNS = 2
"""Runs at a time."""
ALONE = RUNS - 1
"""Runs of a network while no other asks: one is left for whoever comes."""
BESIDE = 1
"""The same while another asks too."""
SECONDS = 0.5
"""After which a run goes on beside others: what takes longer mostly waits, as for a database."""


class Turns:
    """Holds the wish of a page back until it is its network's turn."""

    def __init__(self, app: ASGIApp) -> None:
        self.app = app
        self.running: Counter[str] = Counter()
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
            if turn is not None and self.waiting.keys() - {network}:
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

    def _share(self, network: str) -> int:
        return BESIDE if (self.running.keys() | self.waiting.keys()) - {network} else ALONE

    async def _take(self, network: str, ended: asyncio.Future[None]) -> bool:
        """Wait for a turn; False where the line has ended before."""
        if self.running.total() < RUNS and self.running[network] < self._share(network):
            self.running[network] += 1
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
        self.running[network] -= 1
        self.running += Counter()  # forgets who runs nothing
        while self.running.total() < RUNS and (
            may_run := [name for name in self.waiting if self.running[name] < self._share(name)]
        ):
            following = min(may_run, key=self.running.__getitem__)
            theirs = self.waiting.pop(following)
            one = theirs.popleft()
            if theirs:
                self.waiting[following] = theirs
            if not one.done():
                self.running[following] += 1
                one.set_result(True)
