"""Files that never change, from memory: read and packed when they are asked for first.

A first visit asks for more than a hundred of them. Each one read from the disk and packed anew
takes the server milliseconds in which it answers nobody else. Browsers keep them for a year, so a
file of another release is never given under an address of this one, nor the other way round.
"""

import importlib
import re

from starlette.datastructures import Headers
from starlette.responses import Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send

MOST_BYTES = 64 << 20
"""What is kept at most; all files of a reader together are a tenth of it."""
RELEASE = re.compile(r"(?<=/app/static)/release-([^/]*)(?=/)")
"""In the path of the app's files: the hash of its release."""
CONDITIONS = ("range", "if-none-match", "if-modified-since")


class Kept:
    """Answers again with what the app has answered for the same file; the rest is the app's."""

    def __init__(self, app: ASGIApp) -> None:
        self.app = app
        self.answers: dict[tuple[str, bool], tuple[bytes, list[Message]]] = {}
        """By path and whether it may be packed: the query, and what was sent."""
        self.bytes = 0

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Serve one request."""
        if is_of_another_release(scope):
            # A proxy asks the next replica, which may be of that release.
            told = Response("This file is not of this release.", 404)
            await told(scope, receive, send)
            return
        lasting = is_lasting(scope)
        scope = without_release(scope)
        if not lasting:
            await self.app(scope, receive, send)
            return
        query = scope["query_string"]
        key = scope["path"], "gzip" in Headers(scope=scope).get("accept-encoding", "")
        old, answer = self.answers.get(key, (None, []))
        if old != query:
            answer = await self._ask(scope, receive)
            self._keep(key, query, answer)
        for message in answer:
            await send(_copy(message))

    async def _ask(self, scope: Scope, receive: Receive) -> list[Message]:
        said: list[Message] = []

        async def hear(message: Message) -> None:
            said.append(message)

        await self.app(scope, receive, hear)
        if Headers(raw=said[0]["headers"]).get("content-type", "").startswith("text/html"):
            # For a file that is not there Streamlit answers with its page.
            said.clear()
            await Response("There is no such file.", 404)(scope, receive, hear)
        body = b"".join(message.get("body", b"") for message in said[1:])
        return [said[0], {"type": "http.response.body", "body": body}]

    def _keep(self, key: tuple[str, bool], query: bytes, answer: list[Message]) -> None:
        start = answer[0]
        lives = Headers(raw=start["headers"]).get("cache-control", "")
        if start["status"] != 200 or not ("immutable" in lives or "/app/static/" in key[0]):
            return
        _query, before = self.answers.get(key, (b"", [{}, {"body": b""}]))
        grows = len(answer[1]["body"]) - len(before[1]["body"])
        if self.bytes + grows <= MOST_BYTES:
            self.answers[key] = query, answer
            self.bytes += grows


def is_lasting(scope: Scope) -> bool:
    """Whether a file is asked for, whole, that another one never takes the place of.

    Streamlit's own have a hash in their name, the app's in their path.
    """
    if scope["type"] != "http" or scope["method"] != "GET":
        return False
    if any(name in Headers(scope=scope) for name in CONDITIONS):
        return False
    path = scope["path"]
    if "/app/static/" in path:
        return RELEASE.search(path) is not None
    return any(f"/static/{folder}/" in path for folder in ("js", "css", "media"))


def is_of_another_release(scope: Scope) -> bool:
    """Whether one of the app's files is asked for by a hash that is not its own here."""
    found = RELEASE.search(scope.get("path", ""))
    return found is not None and found[1] != version()


def without_release(scope: Scope) -> Scope:
    """The request for a file as Streamlit knows it; nothing else of the address counts for one."""
    path, count = RELEASE.subn("", scope.get("path", ""), 1)
    plain = {"path": path, "raw_path": path.encode(), "query_string": b""}
    return dict(scope) | plain if count else scope


def version() -> str:
    """The hash of the app's files in addresses; the module is there since start-up."""
    told: str = importlib.import_module("ui.charts.served").version()
    return told


def _copy(message: Message) -> Message:
    # Those who send it on add headers of their own, for this reader.
    copy = dict(message)
    if "headers" in copy:
        copy["headers"] = list(copy["headers"])
    return copy
