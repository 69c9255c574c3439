"""Files that never change, from memory: read and packed when they are asked for first.

A first visit asks for more than a hundred of them. Each one read from the disk and packed anew
takes the server milliseconds in which it answers nobody else, the largest a quarter of a second. So
whoever asks for a part of one, or whether it has changed, gets it whole from memory too, and a
file that is not kept is not packed. Browsers keep them for a year, so a file of another release is
never given under an address of this one, nor the other way round.
"""

import asyncio
import posixpath
import re

from starlette.datastructures import Headers
from starlette.responses import Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from course.page.files import version

MOST_BYTES = 64 << 20
"""Most bytes that are kept; all files of a reader together are a tenth of it."""
RELEASE = re.compile(r"(?<=/app/static)/release-([^/]*)(?=/)")
"""In the path of the app's files: the hash of its release."""
PIECE = 1 << 16
"""Bytes that are given out at a time: who takes none of them holds no whole file."""
CONDITIONS = (b"range", b"if-range", b"if-none-match", b"if-modified-since")


class Kept:
    """Answers again with what the app has answered for the same file; the rest is the app's."""

    def __init__(self, app: ASGIApp) -> None:
        self.app = app
        self.answers: dict[tuple[str, bool], list[Message]] = {}
        """By path and whether it may be packed: what was sent."""
        self.bytes = 0
        self.turn = asyncio.Lock()

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Serve one request."""
        if is_of_another_release(scope):
            # A proxy asks the next replica, which may be of that release.
            told = Response("This file is not of this release.", 404)
            await told(scope, receive, send)
            return
        if not is_lasting(scope):
            await self.app(not_packed(scope), receive, send)
            return
        scope = plain(scope)
        key = scope["path"], "gzip" in Headers(scope=scope).get("accept-encoding", "")
        if key not in self.answers:
            async with self.turn:
                answer = self.answers.get(key) or await self._ask(scope, receive)
                if not answer:
                    return  # who asked has left
                self._keep(key, answer)
        else:
            answer = self.answers[key]
        start, body = answer
        # Those who send it on add headers of their own, for this reader.
        await send({**start, "headers": list(start["headers"])})
        whole = body["body"]
        for at in range(0, max(1, len(whole)), PIECE):
            more = at + PIECE < len(whole)
            await send(dict(body) | {"body": whole[at : at + PIECE], "more_body": more})
            # The others' turn: a socket that is empty takes all of it at once.
            await asyncio.sleep(0)

    async def _ask(self, scope: Scope, receive: Receive) -> list[Message]:
        said: list[Message] = []

        async def hear(message: Message) -> None:
            said.append(message)

        await self.app(scope, receive, hear)
        if not said:
            return said
        if Headers(raw=said[0]["headers"]).get("content-type", "").startswith("text/html"):
            # For a file that is not there Streamlit answers with its page.
            said.clear()
            await Response("There is no such file.", 404)(scope, receive, hear)
        body = b"".join(message.get("body", b"") for message in said[1:])
        return [said[0], {"type": "http.response.body", "body": body}]

    def _keep(self, key: tuple[str, bool], answer: list[Message]) -> None:
        start, body = answer
        lives = Headers(raw=start["headers"]).get("cache-control", "")
        if start["status"] != 200 or not ("immutable" in lives or "/app/static/" in key[0]):
            return
        size = len(body["body"])
        if key not in self.answers and self.bytes + size <= MOST_BYTES:
            self.answers[key] = answer
            self.bytes += size


def is_lasting(scope: Scope) -> bool:
    """Whether a file is asked for that another one never takes the place of.

    Streamlit's own have a hash in their name, and nobody changes the app's under a running process.
    """
    if scope["type"] != "http" or scope["method"] != "GET":
        return False
    path = one_path(scope)
    return "/app/static/" in path or any(
        f"/static/{folder}/" in path for folder in ("js", "css", "media")
    )


def one_path(scope: Scope) -> str:
    """The path of a file, which has one: by `/./` and `//` strangers would fill the memory."""
    return posixpath.normpath(f"/{scope['path'].lstrip('/')}")


def is_of_another_release(scope: Scope) -> bool:
    """Whether one of the app's files is asked for by a hash that is not its own here."""
    found = RELEASE.search(scope.get("path", ""))
    return found is not None and found[1] != version()


def plain(scope: Scope) -> Scope:
    """The request for a whole file as Streamlit knows it; nothing else of it counts for one."""
    path = RELEASE.sub("", one_path(scope), 1)
    headers = [header for header in scope["headers"] if header[0] not in CONDITIONS]
    told = {"path": path, "raw_path": path.encode(), "query_string": b"", "headers": headers}
    return dict(scope) | told


def not_packed(scope: Scope) -> Scope:
    """The request for a file that is packed for nobody; pages and all else as they were."""
    path = scope.get("path", "")
    if not ("/static/" in path or "/media/" in path):
        return scope
    path = RELEASE.sub("", path, 1)
    headers = [header for header in scope["headers"] if header[0] != b"accept-encoding"]
    return dict(scope) | {"path": path, "raw_path": path.encode(), "headers": headers}
