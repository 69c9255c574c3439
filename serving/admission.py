"""Refuses what is not for everybody: figures of the server, and files without end."""

import asyncio
import logging
from collections import Counter

from prometheus_client import CONTENT_TYPE_LATEST
from starlette.datastructures import URL, Headers, QueryParams
from starlette.responses import HTMLResponse, RedirectResponse, Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from lab.queue.access import Access
from serving import figures
from serving.headers import owner_cookie
from serving.health import Readiness
from serving.origin import is_from_this_machine
from ui.jobs import visitor
from ui.streamlit.run import is_open
from ui.streamlit.server import held_bytes

LOG = logging.getLogger("posenc.server")
KEY = "token"
"""Parameter of the key in the address that the terminal prints beside that of the app."""
LONGEST_NAME = 255
"""Bytes of a name that a file can have; asking the disk for a longer one is an error."""
SIGN_IN_SECONDS = 15.0
NO_SIGN_IN = """<!doctype html>
<html lang="en"><meta charset="utf-8"><title>Signing in does not work</title>
<p>Signing in does not work: the provider of accounts does not answer, or what this server knows of
it is wrong. The server's log says more. <a href="..">Go back</a>; everything that needs no account
goes on.</p></html>
"""
OPERATORS = ("/metrics", "/ready")
"""Ends of paths that are refused to everybody else. `/_stcore/health` is for all."""
SESSION_BYTES = 48 << 20
ALL_BYTES = 512 << 20
"""Uploaded files that one session, and all of them, hold in memory at most."""


class Admission:
    """Refuses what is not for everybody: figures of the server, and files without end."""

    def __init__(self, app: ASGIApp) -> None:
        self.app = app
        self.coming: Counter[str] = Counter()
        self.readiness = Readiness()

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Serve one request."""
        path = scope.get("path", "")
        if scope["type"] == "http" and any(len(p.encode()) > LONGEST_NAME for p in path.split("/")):
            await Response(status_code=404)(scope, receive, send)
        elif scope["type"] == "http" and (key := key_in(scope)):
            await self._unlock(key, scope, receive, send)
        elif scope["type"] == "http" and path.endswith(OPERATORS):
            await self._for_operators(scope, receive, send)
        elif scope["type"] == "http" and path.endswith("/auth/login") and scope["method"] == "GET":
            await self._sign_in(scope, receive, send)
        elif scope["type"] == "http" and "/_stcore/upload_file/" in path:
            await self._upload(scope, receive, send)
        else:
            await self.app(scope, receive, send)

    async def _unlock(self, key: str, scope: Scope, receive: Receive, send: Send) -> None:
        """Give the key to the browser, whose copied addresses then do not hold it."""
        if visitor.owner_in(key) != visitor.HERE:
            await self.app(scope, receive, send)
            return
        rest = URL(scope=scope).remove_query_params(KEY).query
        place = "/" + scope["path"].lstrip("/\\") + (f"?{rest}" if rest else "")
        answer = RedirectResponse(place, 303, {"Set-Cookie": owner_cookie(scope, key)})
        await answer(scope, receive, send)

    async def _for_operators(self, scope: Scope, receive: Receive, send: Send) -> None:
        if not is_operator(scope):
            answer = Response(status_code=404)
        elif scope["path"].endswith("/_stcore/metrics"):
            await self.app(scope, receive, send)
            return
        elif scope["path"].endswith("/metrics"):
            told = await asyncio.to_thread(figures.text)
            answer = Response(told, media_type=CONTENT_TYPE_LATEST)
        else:
            missing = await self.readiness.missing()
            answer = Response(missing or "ready", 503 if missing else 200, media_type="text/plain")
        await answer(scope, receive, send)

    async def _sign_in(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Send the reader on to the provider of accounts, or say that this does not work."""
        told: list[Message] = []

        async def keep(message: Message) -> None:
            told.append(message)

        try:
            await asyncio.wait_for(self.app(scope, receive, keep), SIGN_IN_SECONDS)
        except Exception:
            LOG.exception("signing in failed")
            told.clear()
        if told and told[0]["status"] < 400:
            for message in told:
                await send(message)
        else:
            await HTMLResponse(NO_SIGN_IN, 503)(scope, receive, send)

    async def _upload(self, scope: Scope, receive: Receive, send: Send) -> None:
        session = scope["path"].split("/_stcore/upload_file/")[1].split("/")[0]
        size = Headers(scope=scope).get("content-length", "")
        if not is_open(session):
            # With several replicas a proxy asks another one; Streamlit's own answer is a 400.
            await Response("This page is not known here.", 404)(scope, receive, send)
        elif scope["method"] != "PUT":
            await self.app(scope, receive, send)
        elif not size.isdecimal():
            await Response("The size must be told.", 411)(scope, receive, send)
        elif self._is_full(session, int(size)):
            await Response("Too many files are held; remove one first.", 413)(scope, receive, send)
        else:
            self.coming[session] += int(size)  # whole and at once: the proxy has waited for it
            try:
                await self.app(scope, receive, send)
            finally:
                self.coming[session] -= int(size)
                self.coming += Counter()  # forgets who sends nothing

    def _is_full(self, session: str, more: int) -> bool:
        here, all_ = held_bytes(session)
        here, all_ = here + self.coming[session] + more, all_ + self.coming.total() + more
        return here > SESSION_BYTES or all_ > ALL_BYTES


def key_in(scope: Scope) -> str:
    """The key in the address, which takes the place of a cookie; "" where there is none."""
    query = scope.get("query_string", b"")
    # To take 60 kB of it apart takes 20 ms, for each page that is asked for.
    return QueryParams(query).get(KEY, "") if KEY.encode() in query else ""


def is_operator(scope: Scope) -> bool:
    """Whether a request shows the administrator's token; without one, is from this machine."""
    if Access.from_environment().admin:
        token = Headers(scope=scope).get("authorization", "").removeprefix("Bearer ")
        return visitor.is_token(token)
    return is_from_this_machine(scope)
