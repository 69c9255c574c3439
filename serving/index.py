"""Streamlit's page, which also begins to load what the first picture needs.

By itself a browser asks for a chart's files only when the first chart has come, and then reads a
library of 1.5 MB. Here both happen while it waits for Streamlit anyway.
"""

import importlib
from functools import cache

from starlette.datastructures import Headers, MutableHeaders
from starlette.types import ASGIApp, Message, Receive, Scope, Send


class Index:
    """Adds to the page what is to be loaded; every other answer passes through."""

    def __init__(self, app: ASGIApp) -> None:
        self.app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Serve one request."""
        is_page = scope["type"] == "http" and "text/html" in Headers(scope=scope).get("accept", "")
        # The start page moves before it shows a chart, and plotly would only keep that waiting.
        if not is_page or scope["path"].endswith("/"):
            await self.app(scope, receive, send)
            return
        # As plain text and whole; it is packed on its way out.
        left_out = (b"accept-encoding", b"if-none-match", b"if-modified-since", b"range")
        asked = [header for header in scope["headers"] if header[0] not in left_out]
        start: Message = {}
        body = b""

        async def add(message: Message) -> None:
            nonlocal start, body
            if message["type"] == "http.response.start":
                start = message
            is_page = Headers(raw=start["headers"]).get("content-type", "").startswith("text/html")
            if not is_page:
                await send(message)
            elif message["type"] == "http.response.body":
                body += message.get("body", b"")
                if not message.get("more_body"):
                    await _send(send, start, body)

        await self.app(dict(scope) | {"headers": asked}, receive, add)


async def _send(send: Send, start: Message, body: bytes) -> None:
    headers = MutableHeaders(scope=start)
    if b'<div id="root">' in body:
        body = body.replace(b"</head>", begun() + b"</head>", 1)
        headers["Content-Length"] = str(len(body))
        del headers["ETag"], headers["Last-Modified"]  # it changes with the app's files too
    await send(start)
    await send({"type": "http.response.body", "body": body})


@cache
def begun() -> bytes:
    """What stands in the head of the page."""
    component = importlib.import_module("ui.charts.component")  # there since start-up
    script, *others = component.addresses()
    lines = [f'<script type="module" async src="{script}"></script>']
    lines += [f'<link rel="modulepreload" href="{file}">' for file in others]
    return "\n".join([*lines, ""]).encode()
