"""Gives every request an id, counts what is answered, and times the moves of readers."""

import logging
import time

from starlette.datastructures import Headers, MutableHeaders
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from lab import logs
from serving import figures
from ui.streamlit.messages import asked_screen, ending

HEADER = "X-Request-ID"
LOG = logging.getLogger("posenc.request")
QUIET = ("/metrics", "/ready", "/_stcore/health")
"""Asked every few seconds by programs: counted, and not written down."""
LONGEST = 100
"""Letters of a path in the log."""
KINDS = {
    "/_stcore/upload_file": "upload",
    "/_stcore": "core",
    "/app/static": "static",
    "/course/-": "static",
    "/static": "static",
    "/media": "media",
    "/auth": "sign-in",
}


class Watching:
    """The outermost part of the server; the app's session finds the id among its headers."""

    def __init__(self, app: ASGIApp) -> None:
        self.app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Serve one request, or one connection."""
        if scope["type"] not in ("http", "websocket"):
            await self.app(scope, receive, send)
            return
        request = logs.request_id(Headers(scope=scope).get(HEADER, ""))
        others = [(name, value) for name, value in scope["headers"] if name != b"x-request-id"]
        scope = dict(scope) | {"headers": [*others, (b"x-request-id", request.encode())]}
        serve = self._page if scope["type"] == "http" else self._stream
        with logs.knowing(request=request):
            await serve(scope, receive, send)

    async def _page(self, scope: Scope, receive: Receive, send: Send) -> None:
        begun = time.monotonic()
        status = 500

        async def noted(message: Message) -> None:
            nonlocal status
            if message["type"] == "http.response.start":
                status = message["status"]
                MutableHeaders(scope=message)[HEADER] = logs.known("request")
            await send(message)

        try:
            await self.app(scope, receive, noted)
        finally:
            figures.requests.labels(kind_of(scope["path"]), f"{status // 100}xx").inc()
            if not scope["path"].endswith(QUIET):
                facts = {"method": scope["method"], "status": status}
                _write("answered", scope["path"], facts, begun)

    async def _stream(self, scope: Scope, receive: Receive, send: Send) -> None:
        begun = time.monotonic()
        moves = Moves()

        async def heard() -> Message:
            message = await receive()
            if message["type"] == "websocket.receive" and message.get("bytes"):
                moves.asks(message["bytes"])
            return message

        async def noted(message: Message) -> None:
            if message["type"] == "websocket.send" and message.get("bytes"):
                moves.answers(message["bytes"])
            await send(message)

        _write("page opened", scope["path"], {}, begun)
        with figures.sessions.track_inprogress():
            try:
                await self.app(scope, heard, noted)
            finally:
                _write("page closed", scope["path"], {"moves": moves.count}, begun)


class Moves:
    """The moves of one connection: an answer ends the ones that were asked for before it began."""

    def __init__(self) -> None:
        self.count = 0
        self.since: float | None = None
        self.screen = figures.OTHER

    def asks(self, message: bytes) -> None:
        """Watch a message from the browser; a run of the script is a move."""
        screen = asked_screen(message)
        if screen is None:
            return
        self.count += 1
        self.screen = figures.screens().get(screen, figures.OTHER)
        if self.since is None:
            self.since = time.monotonic()

    def answers(self, message: bytes) -> None:
        """Watch a message from the server."""
        end = ending(message) if self.since is not None else ""
        if end == "replaced":
            figures.replaced.inc()
        elif end and self.since is not None:
            figures.moves.labels(self.screen).observe(time.monotonic() - self.since)
            self.since = None


def kind_of(path: str) -> str:
    """Kind of a requested path, in one of a few words."""
    found = (kind for start, kind in KINDS.items() if start in path)
    return next(found, "page")


def _write(what: str, path: str, facts: dict[str, object], begun: float) -> None:
    """A line of JSON; lines for people leave this out."""
    if logs.form() != "json":
        return
    if "/upload_file/" in path:  # what follows is known to one reader alone
        path = path.split("/upload_file/")[0] + "/upload_file/…"
    facts = {"path": path[:LONGEST], **facts, "seconds": round(time.monotonic() - begun, 4)}
    LOG.info(what, extra={"facts": facts})
