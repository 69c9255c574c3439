"""Lists of the site's pages, for the search field, search engines and programs; and oEmbed."""

from collections.abc import Callable
from functools import cache
from html import escape

from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.responses import JSONResponse, PlainTextResponse, Response
from starlette.routing import Route

from course import build
from course.page import index
from course.page.header import NAME
from serving.index import pages
from ui.site import public
from ui.words.languages import PARAMETER, language_of
from ui.words.telling import told_in

WIDTH, HEIGHT = 800, 520  # pixels of a picture in somebody's page, if nothing smaller is asked for
LEAST = 200


def routes(under: str) -> list[Route]:
    """The routes of the lists.

    Args:
        under: Where the app is, "/base"; "" for the top of the server.
    """
    files: dict[str, tuple[Callable[[str], str], str]] = {
        "sitemap.xml": (lambda site: index.sitemap(pages(), site), "application/xml"),
        "robots.txt": (index.robots, "text/plain"),
        "llms.txt": (lambda site: index.llms(pages(), site), "text/plain"),
    }

    def route(name: str, write: Callable[[str], str], kind: str) -> Route:
        async def answer(request: Request) -> Response:
            text = await run_in_threadpool(write, site_of(request, under))
            return Response(text, media_type=kind, headers={"Cache-Control": "no-cache"})

        return Route(f"{under}/{name}", answer)

    listed = [route(name, *how) for name, how in files.items()]

    async def find(request: Request) -> Response:
        spoken = language_of(request.query_params.get(PARAMETER), "")
        text = await run_in_threadpool(_found, spoken)
        headers = {"Cache-Control": "no-cache"}
        return Response(text, media_type="application/json", headers=headers)

    async def embed(request: Request) -> Response:
        return await run_in_threadpool(_embed, request, site_of(request, under))

    return [*listed, Route(f"{under}/search.json", find), Route(f"{under}/oembed", embed)]


@cache
def _found(spoken: str) -> str:
    return index.search_index(build.found(), told_in(spoken))


def site_of(request: Request, under: str) -> str:
    """Public address of the site; where none is set, as who asks has it."""
    return public.address() or f"{request.url.scheme}://{request.url.netloc}{under}/"


def _embed(request: Request, site: str) -> Response:
    """What oEmbed says of a page: a frame with its picture alone."""
    if request.query_params.get("format", "json") != "json":
        return PlainTextResponse("Answers are JSON.", 501)
    address, _, query = request.query_params.get("url", "").partition("?")
    path = f"/{address.removeprefix(site)}" if address.startswith(site) else ""
    page = next((one for one in pages() if path and path in (one.path, f"{one.path}/")), None)
    if page is None:
        return PlainTextResponse("That is no page of this site.", 404)
    width = _size(request, "maxwidth", WIDTH)
    height = _size(request, "maxheight", HEIGHT)
    source = f"{site}{page.path.lstrip('/')}?" + (f"{query}&" if query else "") + "embed=true"
    frame = (
        f'<iframe src="{escape(source)}" width="{width}" height="{height}" '
        f'title="{escape(page.title)}" style="border: 0" loading="lazy" allowfullscreen></iframe>'
    )
    told = {
        "version": "1.0",
        "type": "rich",
        "title": page.title,
        "provider_name": NAME,
        "provider_url": site,
        "html": frame,
        "width": width,
        "height": height,
    }
    return JSONResponse(told, headers={"Access-Control-Allow-Origin": "*"})


def _size(request: Request, name: str, most: int) -> int:
    asked = request.query_params.get(name, "")
    if not (asked.isascii() and asked.isdecimal() and len(asked) <= 6):
        return most
    return min(most, max(LEAST, int(asked)))
