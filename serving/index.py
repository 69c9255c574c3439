"""Streamlit's page, which also begins to load what the first picture needs.

By itself a browser asks for a chart's files only when the first chart has come, and then reads a
library of 1.5 MB. Here both happen while it waits for Streamlit anyway. And on the page of a
screen, `/rope`, Streamlit first looks for its server below `/rope/`, is told that nothing is there,
and waits before it asks in the right place: here it knows the place (`begin.js`).
"""

import importlib
import re
from functools import cache
from pathlib import Path

import streamlit as st
from starlette.datastructures import Headers, MutableHeaders
from starlette.types import ASGIApp, Message, Receive, Scope, Send

PARTS = ("BidiComponent", "Html", "Button", "TextInput", "ButtonGroup", "Metric", "rehype-katex")
"""Parts of Streamlit that nearly every screen shows, and that a browser else loads only then."""
SCRIPT = Path(__file__).with_name("begin.js").read_text("utf-8")


class Index:
    """Adds to the page what is to be loaded; every other answer passes through."""

    def __init__(self, app: ASGIApp) -> None:
        self.app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Serve one request."""
        is_page = scope["type"] == "http" and "text/html" in Headers(scope=scope).get("accept", "")
        if not is_page:
            await self.app(scope, receive, send)
            return
        # The start page moves before it shows a chart, and plotly would only keep that waiting.
        shows_charts = not scope["path"].endswith("/")
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
                    await _send(send, start, body, begun(with_charts=shows_charts))

        await self.app(dict(scope) | {"headers": asked}, receive, add)


async def _send(send: Send, start: Message, body: bytes, added: bytes) -> None:
    headers = MutableHeaders(scope=start)
    if b'<div id="root">' in body:
        body = body.replace(b"</head>", added + b"</head>", 1)
        headers["Content-Length"] = str(len(body))
        del headers["ETag"], headers["Last-Modified"]  # it changes with the app's files too
    await send(start)
    await send({"type": "http.response.body", "body": body})


@cache
def begun(*, with_charts: bool) -> bytes:
    """What is added to the head of the page."""
    lines = [f"<script>{SCRIPT}</script>"]
    if with_charts:
        lines += _loaded()
    return "\n".join([*lines, ""]).encode()


def _loaded() -> list[str]:
    component = importlib.import_module("ui.charts.component")  # there since start-up
    script, *others = component.addresses()
    first = f'<link rel="modulepreload" href="{script}" data-chart>'
    return [first, *(f'<link rel="modulepreload" href="{file}">' for file in [*others, *parts()])]


def parts() -> list[str]:
    """Addresses of Streamlit's `PARTS` and of what they import, as its own page writes them."""
    static = Path(st.__file__).parent / "static"
    page = (static / "index.html").read_text("utf-8")
    folder = static / "static" / "js"
    found: list[str] = []
    waiting = [file.name for part in PARTS for file in folder.glob(f"{part}.*.js")]
    while waiting:
        name = waiting.pop()
        if name not in found and name not in page:  # which loads the rest itself
            found.append(name)
            text = (folder / name).read_text("utf-8")
            waiting += re.findall(r'(?:from|import)"\./([\w.-]+\.js)"', text)
    return [f"./static/js/{name}" for name in found]
