"""A page's first picture is painted before what stands behind it is sent.

Streamlit's half in the browser draws all that has come in one go; the picture alone is there in two
thirds of that time. The script runs on meanwhile.
"""

import asyncio
from contextlib import suppress

from starlette.types import ASGIApp, Message, Receive, Scope, Send

from ui.streamlit.messages import draws

PICTURES = ("posenc_chart", "posenc_moving")
SECONDS = 0.6
"""In which a slow machine paints what has come."""


class First:
    """Sends what follows a line's first picture a moment later."""

    def __init__(self, app: ASGIApp) -> None:
        self.app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Serve one request, or one line."""
        if scope["type"] != "websocket":
            await self.app(scope, receive, send)
            return
        held: list[Message] = []
        later: asyncio.Task[None] | None = None

        async def send_held() -> None:
            await asyncio.sleep(SECONDS)
            while held:
                await send(held[0])
                del held[0]

        async def send_first(message: Message) -> None:
            nonlocal later
            if later is not None and not later.done():
                held.append(message)
                return
            await send(message)
            if later is None and draws(message.get("bytes") or b"") in PICTURES:
                later = asyncio.create_task(send_held())

        try:
            await self.app(scope, receive, send_first)
        finally:
            if later is not None:
                later.cancel()
                with suppress(asyncio.CancelledError, OSError, RuntimeError):  # it has ended
                    await later
