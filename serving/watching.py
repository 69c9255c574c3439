"""Gives every request an id, and counts what is answered."""

import logging
import time

from starlette.datastructures import Headers, MutableHeaders
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from lab import logs
from serving import figures

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
        _write("page opened", scope["path"], {}, begun)
        with figures.sessions.track_inprogress():
            try:
                await self.app(scope, receive, send)
            finally:
                _write("page closed", scope["path"], {}, begun)


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
