"""What serves the app: start-up work, security headers and smaller downloads around app.py.

Start with `streamlit run asgi.py` (what `make run` does) or `uvicorn asgi:app`.
"""

import asyncio
import base64
import gc
import hashlib
import importlib
import logging
import resource
import sys
from collections import Counter
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from pathlib import Path
from typing import Any

import streamlit as st
from prometheus_client import CONTENT_TYPE_LATEST
from starlette.concurrency import run_in_threadpool
from starlette.datastructures import URL, MutableHeaders, QueryParams
from starlette.datastructures import Headers as Headings
from starlette.middleware import Middleware
from starlette.middleware.gzip import GZipMiddleware
from starlette.requests import ClientDisconnect, HTTPConnection, Request
from starlette.responses import HTMLResponse, RedirectResponse, Response
from starlette.routing import Route
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from lab import logs
from lab.queue.access import Access
from lab.queue.database import read_address
from lab.queue.settings import LabSettings
from models.home import Home
from serving import figures
from serving.crowd import Crowd
from serving.files import Kept
from serving.health import Readiness
from serving.index import Index
from serving.messages import Messages
from serving.origin import is_encrypted, is_from_this_machine
from serving.watching import Watching
from ui.jobs import visitor
from ui.streamlit.page import BEGIN, inline_scripts
from ui.streamlit.run import is_open
from ui.streamlit.server import address, held_bytes, show_app_first

LOG = logging.getLogger("posenc.server")
A_YEAR = "public, max-age=31536000, immutable"
NOT_FRAMED = {"lab", "own"}
"""Screens with buttons that order, end or remove something; `begin.js` names them too."""
KEY = "token"
"""What the address in the terminal says, beside that of the app."""
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
FULL = "Too many files are held; remove one first."
UPLOAD_SECONDS = 300.0
"""In which a file must have come."""
SESSION_BYTES, ALL_BYTES = 48 << 20, 512 << 20
"""Uploaded files that one session, and all of them, hold in memory at most."""
NOBODY = (
    "accelerometer",
    "camera",
    "display-capture",
    "geolocation",
    "gyroscope",
    "magnetometer",
    "microphone",
    "midi",
    "payment",
    "serial",
    "usb",
    "xr-spatial-tracking",
)
"""What browsers can do and no page here asks for."""
HEADERS = {
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "same-origin",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Permissions-Policy": ", ".join(f"{name}=()" for name in NOBODY),
}


def content_security_policy() -> str:
    """Everything from this server alone, so that a page works offline and loads nothing foreign.

    Plotly and Streamlit set styles inline, the chart's loader is a blob, and Streamlit's index
    page has inline scripts, one of them from here, which are allowed by their hashes.
    """
    scripts = [*inline_scripts(), BEGIN]
    hashes = [base64.b64encode(hashlib.sha256(s.encode()).digest()).decode() for s in scripts]
    allowed = " ".join(f"'sha256-{digest}'" for digest in hashes)
    return "; ".join(
        [
            "default-src 'self'",
            f"script-src 'self' blob: {allowed}",
            "style-src 'self' 'unsafe-inline'",
            "img-src 'self' data: blob:",
            "font-src 'self' data:",
            "worker-src 'self' blob:",
            "object-src 'none'",
            "base-uri 'self'",
            "form-action 'self'",
        ]
    )


class Headers:
    """Adds security headers and the owner's cookie, and a lifetime to files with a hash."""

    def __init__(self, app: ASGIApp) -> None:
        self.app = app
        self.policy = content_security_policy()

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Serve one request."""
        path, hashed = scope.get("path", ""), b"v=" in scope.get("query_string", b"")
        lasting = hashed and "/app/static/" in path
        # Pictures and walks may be framed by any site. Pages with buttons that destroy may not;
        # who comes to them inside of a frame has no cookie there, and may look alone.
        framed_by = "'self'" if path.strip("/").split("/")[-1] in NOT_FRAMED else "*"
        fixed = HEADERS | {"Content-Security-Policy": f"{self.policy}; frame-ancestors {framed_by}"}

        async def send_with_headers(message: Message) -> None:
            if message["type"] == "http.response.start":
                headers = MutableHeaders(scope=message)
                headers.update(fixed)
                if is_encrypted(scope):
                    headers["Strict-Transport-Security"] = "max-age=31536000"
                if lasting and message["status"] == 200:
                    headers["Cache-Control"] = A_YEAR
                if headers.get("Content-Type", "").startswith("text/html"):
                    old = HTTPConnection(scope).cookies.get(visitor.COOKIE, "")
                    headers.append("Set-Cookie", owner_cookie(scope, old))
            await send(message)

        await self.app(scope, receive, send_with_headers)


def owner_cookie(scope: Scope, old: str) -> str:
    """The cookie that says whose a job is; pages of other sites and scripts never get it."""
    marks = "; Path=/; HttpOnly; SameSite=Lax" + ("; Secure" if is_encrypted(scope) else "")
    return f"{visitor.COOKIE}={visitor.new_cookie(old)}; Max-Age={visitor.A_YEAR}{marks}"


def key_in(scope: Scope) -> str:
    """What the address says in place of a cookie."""
    return QueryParams(scope.get("query_string", b"")).get(KEY, "")


class Doors:
    """Refuses what is not for everybody: figures of the server, and files without end."""

    def __init__(self, app: ASGIApp) -> None:
        self.app = app
        self.coming: Counter[str] = Counter()
        self.readiness = Readiness()
        self.crowd = Crowd()

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
        if not self._is_operator(scope):
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

    def _is_operator(self, scope: Scope) -> bool:
        guesses = self.crowd.network(scope).guesses
        if "authorization" not in Headings(scope=scope):
            return is_operator(scope)
        if not guesses.take():
            return False
        if is_operator(scope):
            guesses.left += 1
            return True
        logging.getLogger("posenc.audit").warning("a wrong token for %s", scope["path"][-20:])
        return False

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
        size = Headings(scope=scope).get("content-length", "")
        if not is_open(session):
            # With several replicas a proxy asks another one; Streamlit's own answer is a 400.
            await Response("This page is not known here.", 404)(scope, receive, send)
        elif scope["method"] != "PUT":
            await self.app(scope, receive, send)
        elif not size.isdecimal():
            await Response("The size must be told.", 411)(scope, receive, send)
        elif self._is_full(session, int(size)):
            await Response(FULL, 413)(scope, receive, send)
        else:
            await self._take(session, scope, receive, send)

    def _is_full(self, session: str, more: int) -> bool:
        here, all_ = held_bytes(session)
        here, all_ = here + self.coming[session] + more, all_ + self.coming.total() + more
        return here > SESSION_BYTES or all_ > ALL_BYTES

    async def _take(self, session: str, scope: Scope, receive: Receive, send: Send) -> None:
        """Take a file as it comes: what is only announced is in nobody's way."""
        came, refused = 0, Response()

        async def hear() -> Message:
            nonlocal came, refused
            message = await receive()
            size = len(message.get("body", b""))
            came += size
            self.coming[session] += size
            if self._is_full(session, 0):
                refused = Response(FULL, 413)
                raise ClientDisconnect
            return message

        said: list[Message] = []

        async def keep(message: Message) -> None:
            said.append(message)

        try:
            async with asyncio.timeout(UPLOAD_SECONDS):
                await self.app(scope, hear, keep)
        except TimeoutError:
            refused = Response("The file has not come in time.", 408)
        except ClientDisconnect:
            pass
        finally:
            self.coming[session] -= came
            self.coming += Counter()  # forgets who sends nothing
        if refused.status_code != 200:
            await refused(scope, receive, send)
        for message in said if refused.status_code == 200 else ():
            await send(message)


def is_operator(scope: Scope) -> bool:
    """Whether a request comes from this machine itself, or shows the administrator's token."""
    token = Headings(scope=scope).get("authorization", "").removeprefix("Bearer ")
    return is_from_this_machine(scope) or visitor.is_token(token)


def _page_of_reference(path: str) -> str | None:
    from serving.reference import pages  # takes half a second, for the few who read it

    return pages.page(path)


async def reference(request: Request) -> Response:
    """A page of the library's reference, made of docstrings when it is asked for first."""
    html = await run_in_threadpool(_page_of_reference, request.path_params["path"])
    return Response(status_code=404) if html is None else HTMLResponse(html)


async def home(request: Request) -> Response:
    """The first screen has no name in its address; who gives it its own is led there."""
    return RedirectResponse("./" + (f"?{request.url.query}" if request.url.query else ""))


def check_configuration() -> None:
    """End with one sentence where a variable is not what it must be."""
    try:
        logs.form()
        settings = LabSettings.from_environment()
        read_address(settings.database)
        settings.check_work()
        Access.from_environment()
        Home.from_environment()
    except ValueError as error:
        raise SystemExit(f"The app does not start. {error}") from None


@asynccontextmanager
async def start_up(app: Any) -> AsyncIterator[None]:
    """Import what every screen needs, so that the first visitor does not wait for torch."""
    for module in ("torch", "posenc", "ui.charts.component"):
        importlib.import_module(module)
    # 1,024 silent connections would be all that many systems allow; a proxy ends such ones.
    _soft, most = resource.getrlimit(resource.RLIMIT_NOFILE)
    with suppress(ValueError, OSError):
        resource.setrlimit(resource.RLIMIT_NOFILE, (most, most))
    # What is there now stays; to look for what can go, as after large messages, is then quick.
    gc.collect()
    gc.freeze()
    logs.settle()  # once more: the server has put its own handlers in place
    if Path(sys.argv[0]).name == Path(__file__).name:  # `streamlit run`, which knows its address
        tell_address()
    yield


def tell_address() -> None:
    """Print where the app is; where nothing says what visitors may do, with a key to all of it."""
    told = f"/?{KEY}={visitor.key()}" if not Access.from_environment().mode else ""
    print(f"\n  The app is at {address()}{told}\n", flush=True)  # not words


def count_error(_: Exception) -> None:
    """A screen has ended in an error; the log says in which."""
    figures.errors.inc()


show_app_first()
check_configuration()
BASE = str(st.get_option("server.baseUrlPath")).strip("/")
UNDER = f"/{BASE}" if BASE else ""
logs.settle()
logs.SOURCES[:] = [visitor.known]
figures.start(lambda: held_bytes()[1])
app = st.App(
    "app.py",
    lifespan=start_up,
    on_script_error=count_error,
    routes=[
        Route(UNDER + "/api/{path:path}", reference),
        Route(UNDER + "/home", home),
    ],
    middleware=[
        Middleware(Messages),
        Middleware(Watching),
        Middleware(Headers),
        Middleware(Doors),
        Middleware(Kept),
        Middleware(GZipMiddleware, minimum_size=1000),
        Middleware(Index),
    ],
)
