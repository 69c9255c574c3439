"""The page of every screen: Streamlit's, with what the address says and the header of the site.

Streamlit answers every address with one page that says nothing. Here each screen's has its title,
its sentence, its picture and its words, for search engines, for those who unfold a link and for
readers without scripts; and an address that there is not is answered with status 404.

The page also begins to load what the first picture needs. By itself a browser asks for a chart's
files, 1.5 MB, only when the first chart has come; here it does while it waits for Streamlit anyway.
And it says where the server is (`begin.js`): on the page of `/rope` Streamlit first looks below
`/rope/`.
"""

import importlib
import re
from functools import cache
from urllib.parse import parse_qs

from starlette.concurrency import run_in_threadpool
from starlette.datastructures import Headers
from starlette.responses import HTMLResponse, RedirectResponse
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from course import build
from course.page import index
from course.page.document import Page, document
from course.page.head import head
from course.page.header import header
from ui.site import about, public
from ui.streamlit.page import BEGIN, is_page, page, parts
from ui.words.languages import ENGLISH, PARAMETER, has_screen, language_of
from ui.words.telling import told_in

NO_CACHE = {"Cache-Control": "no-cache"}
BY_LANGUAGE = {"Vary": "Accept-Language"}
UNASKED = (b"accept-encoding", b"range")
"""Headers of a request without which an answer is whole and plain; it is packed on its way out."""


class Index:
    """Answers for the screens, and for what there is not; every other answer passes through."""

    def __init__(self, app: ASGIApp, under: str = "") -> None:
        """Answer for an app.

        Args:
            app: The app.
            under: Where it is, "/base"; "" for the top of the server.
        """
        self.app = app
        self.under = under

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Serve one request."""
        if scope["type"] != "http":
            await self.app(scope, receive, send)
            return
        path = scope["path"].removeprefix(self.under) or "/"
        if path not in about.PATHS or scope["method"] not in ("GET", "HEAD"):
            await self._pass(path, scope, receive, send)
            return
        query = scope["query_string"].decode("latin-1")
        spoken = Headers(scope=scope).get("accept-language", "")
        html = await run_in_threadpool(shown, path, query, spoken)
        await HTMLResponse(html, headers=NO_CACHE | BY_LANGUAGE)(scope, receive, send)

    async def _pass(self, path: str, scope: Scope, receive: Receive, send: Send) -> None:
        asked = Headers(scope=scope)
        is_read = scope["method"] == "GET" and "text/html" in asked.get("accept", "")
        headers = [header for header in scope["headers"] if header[0] not in UNASKED]
        held: list[Message] = []
        body = b""

        async def look(message: Message) -> None:
            nonlocal body
            if message["type"] == "http.response.start":
                kind = Headers(raw=message["headers"]).get("content-type", "")
                is_missing = message["status"] == 404 and is_read
                if is_missing or kind.startswith("text/html"):
                    held.append(message)
                    return
            if not held:
                await send(message)
                return
            body += message.get("body", b"")
            if message.get("more_body"):
                return
            if held[0]["status"] == 404 or is_page(body):
                if to := index.same_but_for_capitals(path, build.inner()):
                    query = scope["query_string"].decode("latin-1")
                    leads = RedirectResponse(f"{self.under}{to}" + (f"?{query}" if query else ""))
                    await leads(scope, receive, send)
                    return
                html = await run_in_threadpool(missing, path)
                answer = HTMLResponse(html, 404, headers=NO_CACHE)
                await answer(scope, receive, send)
            else:
                await send(held[0])
                await send({"type": "http.response.body", "body": body})

        await self.app(dict(scope) | {"headers": headers}, receive, look)


def shown(path: str, query: str, accepted: str = "") -> str:
    """HTML of a screen.

    Args:
        path: Of the screen.
        query: Of the address.
        accepted: Languages that the browser accepts, which the header is told in.
    """
    told, counted = about.decided(about.page(path), query)
    asked = parse_qs(query, max_num_fields=None)
    # The start page shows its own picture before a chart, and plotly would only keep that waiting.
    added = begun(with_charts=path != "/")
    lines = head(told, public=public.address(), kind="website", query=counted)
    html = page().replace("<title>Streamlit</title>", lines, 1)
    spoken = language_of(asked.get(PARAMETER, [""])[-1], accepted)
    if has_screen(spoken, path.strip("/") or "home"):
        html = html.replace('<html lang="en">', f'<html lang="{spoken}">', 1)
    html = re.sub(r"<noscript>.*?</noscript>\s*", "", html, flags=re.DOTALL)
    html = html.replace("</head>", f"{added}</head>", 1)
    above = look() + _header(path, asked, accepted)
    below = f'<noscript><main class="site-words">\n{told.body}\n</main></noscript>\n'
    return html.replace("<body>", f"<body>\n{above}{below}", 1)


def _header(path: str, asked: dict[str, list[str]], accepted: str) -> str:
    """The header of the site; none in a picture that stands in somebody's page."""
    if asked.get("embed", [""])[-1] == "true":
        return ""
    spoken = language_of(asked.get(PARAMETER, [""])[-1], accepted)
    language = "" if spoken == ENGLISH else spoken
    html = header(path, told_in(spoken), language, main="#stMain")
    if asked.get("present", [""])[-1] == "1":
        html = html.replace("<nav ", "<nav hidden ", 1)  # header.js shows it afterwards
    return f'{html}<script type="module" src="{_address("site/header.js")}"></script>\n'


@cache
def begun(*, with_charts: bool) -> str:
    """Lines that are added to the head of the page."""
    files = []
    if with_charts:
        component = importlib.import_module("ui.charts.component")  # there since start-up
        files = [*component.addresses(), *parts()]
    loaded = [f'<link rel="modulepreload" href="{file}">' for file in files]
    return "\n".join([f"<script>{BEGIN}</script>", *loaded, ""])


@cache
def look() -> str:
    """The app's own styles: behind Streamlit's, which are set in the head, and there at once."""
    styles = map(_address, ("app.css", "site/header.css"))
    return "".join(f'<link rel="stylesheet" href="{style}">\n' for style in styles)


def _address(name: str) -> str:
    """Where a file of ours is found; the module is there since start-up."""
    told: str = importlib.import_module("ui.charts.served").address(name)
    return told


def missing(path: str) -> str:
    """HTML for an address that there is not."""
    return document(index.not_found(path, build.inner()), public="")


@cache
def pages() -> list[Page]:
    """Every page of the site: screens, and plain pages."""
    return [*map(about.page, about.PATHS), *build.pages()]
