"""The course's plain pages and their files, and where addresses of earlier times lead."""

from functools import cache
from hashlib import sha256
from html import escape
from threading import Lock
from urllib.parse import parse_qsl, urlencode

from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.responses import FileResponse, RedirectResponse, Response
from starlette.routing import Route
from starlette.types import ASGIApp, Receive, Scope, Send

from course import build
from course.chapters import COURSE, MOVED
from course.page.document import document, relative
from course.page.files import PLACE, drawn, served
from course.page.header import header
from course.page.voice import Voice
from course.page.words import PLAIN, step_at
from posenc.words import say
from serving.index import BY_LANGUAGE
from ui.screen.lesson import teller
from ui.site import public
from ui.words import pseudo
from ui.words.languages import ENGLISH, PARAMETER, has_chapter, has_contents, language_of
from ui.words.numbers import separators
from ui.words.telling import told_in

_ONE_AT_A_TIME = Lock()
ROOTS = ("course", "questions")
"""Folders of plain pages."""
UNTOLD = say("This page is not in your language yet. It is in English.")
PARTS = {"contents": "", "glossary": "glossary/", "questions": "questions/"}
"""Parts of the course's page of earlier times, and where they are now."""
WITHOUT_SCREEN = (
    "why_rope",
    "which",
    "running",
    "picture_in_text",
    "turn_value",
    "learned_or_none",
)
"""Chapters that have no screen of their own."""


def routes(under: str) -> list[Route]:
    """The routes of the plain pages and of their files.

    Args:
        under: Where the app is, "/base"; "" for the top of the server.
    """

    async def page(request: Request) -> Response:
        return await answer(request.url.path.removeprefix(under), request)

    pages = [f"{under}/{name}{rest}" for name in ROOTS for rest in ("", "/{path:path}")]
    return [Route(under + PLACE + "/{name:path}", file), *(Route(path, page) for path in pages)]


async def file(request: Request) -> Response:
    """A file of the course, or a script of a screen; its release is out of its address already."""
    name = request.path_params["name"]
    place = served().get(name) or drawn().get(name)
    if place is None:
        return Response("There is no such file.", 404, media_type="text/plain")
    return FileResponse(place, headers={"Cache-Control": "no-cache"})


async def answer(path: str, request: Request) -> Response:
    """A plain page; an address without a slash at its end leads to the one with it."""
    if not path.endswith("/"):
        end = path.rsplit("/", 1)[-1]
        part = PARTS.get(request.query_params.get("part", ""), "")
        rest = [pair for pair in request.query_params.multi_items() if pair[0] != "part"]
        return _redirect(f"{end}/{part}", rest)
    name, step = [*path.split("/"), "", ""][2:4]
    if place := MOVED.get((name, step)):
        return _redirect("../" * 2 + "/".join(place) + "/", request.query_params.multi_items())
    part = build.part_of(path)
    accepted = request.headers.get("accept-language", "")
    spoken = language_of(request.query_params.get(PARAMETER), accepted)
    found = (await run_in_threadpool(_made, part, _language(part, spoken))).get(path)
    if found is None:
        return Response("There is no such page.", 404, media_type="text/plain")
    html, tag, own = found
    if spoken != ENGLISH:
        html, tag = _spoken(html, path, spoken, own), f'{tag[:-1]}-{spoken}"'
    headers = {"ETag": tag, "Cache-Control": "no-cache", **BY_LANGUAGE}
    if request.headers.get("if-none-match") == tag:
        return Response(status_code=304, headers=headers)
    return Response(html, headers=headers, media_type="text/html")


def _language(part: str, spoken: str) -> str:
    """The reader's language where a part of the site is there in it, else English."""
    is_told = has_chapter(spoken, part) if part in COURSE else has_contents(spoken)
    return spoken if is_told and not part.startswith(build.QUESTIONS) else ENGLISH


def _spoken(html: bytes, path: str, language: str, own: str) -> bytes:
    """A page with its header in another language, and a sentence where the rest is in English."""
    here = path.lstrip("/")
    told = told_in(language)
    if own == language:
        above = header(path, told)
    else:
        above = header(path, told, language)
        above += f'<p class="untold" lang="{language}">{escape(told(UNTOLD))}</p>'
    return html.replace(relative(header(path), here).encode(), relative(above, here).encode(), 1)


@cache
def voice(spoken: str) -> Voice:
    """A language as plain pages are made in it."""
    if spoken == ENGLISH:
        return PLAIN
    is_made_up = spoken == pseudo.NAME
    return Voice(
        language=spoken,
        files=ENGLISH if is_made_up else spoken,
        counted=pseudo.COUNTED if is_made_up else spoken,
        told=told_in(spoken),
        filled=teller(spoken),
        separators=separators(spoken),
    )


class Moved:
    """Leads addresses that named a step of a screen to the step's own page."""

    def __init__(self, app: ASGIApp) -> None:
        self.app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Serve one request."""
        place = moved(scope["path"], scope["query_string"]) if scope["type"] == "http" else None
        await (self.app if place is None else place)(scope, receive, send)


def moved(path: str, query: bytes) -> RedirectResponse | None:
    """The way to where an earlier address leads now; None where it still holds.

    Args:
        path: "/rope".
        query: "step=lock&present=1". Step 0 was the screen with its controls.
    """
    name = path.rstrip("/").rsplit("/", 1)[-1]
    if (
        name not in COURSE
        or "/course/" in path
        or (b"step=" not in query and name not in WITHOUT_SCREEN)
    ):
        return None
    fields = parse_qsl(query.decode("latin-1"), True)
    step = dict(fields).get("step", "")
    lesson, at = step_at(name, step)
    if at or name in WITHOUT_SCREEN:
        place = lesson.path(lesson.steps[at - 1].id if at else "").lstrip("/")
        rest = [pair for pair in fields if pair[0] in KEPT or pair[0].startswith("embed")]
    elif step == "0":
        place = name
        rest = [pair for pair in fields if pair[0] != "step"]
    else:
        return None
    return _redirect(("../" if path.endswith("/") else "") + place, rest)


KEPT = ("present", "list", "item")
"""Parameters of an address that go along to a page of the course."""


def _redirect(place: str, fields: list[tuple[str, str]]) -> RedirectResponse:
    return RedirectResponse(place + (f"?{urlencode(fields)}" if fields else ""), 301)


def prepare() -> None:
    """Make every page that is not made yet."""
    for part in build.parts():
        _made(part)


def _made(part: str, spoken: str = ENGLISH) -> dict[str, tuple[bytes, str, str]]:
    """The pages of a part; a class that comes at once waits for one making of them."""
    with _ONE_AT_A_TIME:
        return _answers(part, spoken)


@cache
def _answers(part: str, spoken: str) -> dict[str, tuple[bytes, str, str]]:
    """The pages of a part by their paths: HTML, a mark that changes with it, its language."""
    found = {}
    for page in build.part(part, voice(spoken)):
        html = document(page, public=public.address()).encode()
        found[page.path] = html, f'"{sha256(html).hexdigest()[:16]}"', page.language
    return found
