"""Streamlit's page, with the app's styles, which also begins to load what the first picture needs.

By itself a browser asks for a chart's files, 1.5 MB, only when the first chart has come. Here it
does while it waits for Streamlit anyway. And on the page of a screen, `/rope`, Streamlit first
looks for its server below `/rope/`, is told that nothing is there, and waits before it asks in the
right place: here it knows the place (`begin.js`).
"""

import importlib
from functools import cache
from urllib.parse import parse_qs

from starlette.datastructures import Headers, MutableHeaders
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from course.page.header import header
from ui.streamlit.page import BEGIN, is_page, parts


class Index:
    """Adds to the page what is to be loaded; every other answer passes through."""

    def __init__(self, app: ASGIApp) -> None:
        self.app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Serve one request."""
        if scope["type"] != "http" or "text/html" not in Headers(scope=scope).get("accept", ""):
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
            if not Headers(raw=start["headers"]).get("content-type", "").startswith("text/html"):
                await send(message)
            elif message["type"] == "http.response.body":
                body += message.get("body", b"")
                if not message.get("more_body"):
                    added = begun(with_charts=shows_charts)
                    await _send(send, start, body, added, above(scope))

        await self.app(dict(scope) | {"headers": asked}, receive, add)


async def _send(send: Send, start: Message, body: bytes, added: bytes, above: bytes) -> None:
    headers = MutableHeaders(scope=start)
    if is_page(body):
        body = body.replace(b"</head>", added + b"</head>", 1)
        body = body.replace(b"<body>", b"<body>\n" + look() + above, 1)
        headers["Content-Length"] = str(len(body))
        del headers["ETag"], headers["Last-Modified"]  # it changes with the app's files too
    await send(start)
    await send({"type": "http.response.body", "body": body})


@cache
def begun(*, with_charts: bool) -> bytes:
    """Lines that are added to the head of the page."""
    lines = [f"<script>{BEGIN}</script>"]
    if with_charts:
        lines += _loaded()
    return "\n".join([*lines, ""]).encode()


@cache
def look() -> bytes:
    """The app's own styles: behind Streamlit's, which are set in the head, and there at once."""
    served = importlib.import_module("ui.charts.served")
    styles = [served.address(name) for name in ("app.css", "site/header.css")]
    return "\n".join(f'<link rel="stylesheet" href="{one}">' for one in styles).encode()


def above(scope: Scope) -> bytes:
    """The header of the site; none in a picture that stands in somebody's page."""
    query = parse_qs(scope["query_string"].decode("latin-1"))
    if query.get("embed", [""])[-1] == "true":
        return b""
    html = header(scope["path"].removeprefix(scope.get("root_path", "")))
    if query.get("present", [""])[-1] == "1":
        html = html.replace("<header ", "<header hidden ", 1)  # header.js shows it afterwards
    served = importlib.import_module("ui.charts.served")
    script = f'<script type="module" src="{served.address("site/header.js")}"></script>'
    return f"\n{html}{script}\n".encode()


def _loaded() -> list[str]:
    component = importlib.import_module("ui.charts.component")  # there since start-up
    files = [*component.addresses(), *parts()]
    return [f'<link rel="modulepreload" href="{file}">' for file in files]
