"""What pages elsewhere have of a screen: a badge that leads to it, and its notebook."""

import json
from html import escape

from starlette.requests import Request
from starlette.responses import PlainTextResponse, Response
from starlette.routing import Route

from course.page.header import NAME
from course.page.menu import SCREENS
from serving.lists import site_of
from ui import notebooks
from ui.site.offers import NOTEBOOKS

OPEN = {"Access-Control-Allow-Origin": "*", "Cache-Control": "no-cache"}
"""Headers of what any page may load."""
LETTER = 6.6
"""Width of a letter in a badge, on average."""
BADGE = """\
<svg xmlns="http://www.w3.org/2000/svg" width="{width:.0f}" height="20" role="img" \
aria-label="{name}: {label}">
<rect width="{width:.0f}" height="20" rx="3" fill="#555"/>
<path d="M{left:.0f} 0h{right:.0f}a3 3 0 0 1 3 3v14a3 3 0 0 1 -3 3h-{right:.0f}z" fill="#0072b2"/>
<g fill="#fff" font-family="Verdana, sans-serif" font-size="11">
<text x="6" y="14" textLength="{name_length:.0f}">{name}</text>
<text x="{label_at:.0f}" y="14" textLength="{label_length:.0f}">{label}</text>
</g>
</svg>
"""


def routes(under: str) -> list[Route]:
    """The routes of badges and notebooks.

    Args:
        under: Where the app is, "/base"; "" for the top of the server.
    """

    async def draw(request: Request) -> Response:
        entry = SCREENS.get(request.path_params["screen"])
        if entry is None:
            return PlainTextResponse("There is no such screen.", 404)
        return Response(badge(entry.label), media_type="image/svg+xml", headers=OPEN)

    async def write(request: Request) -> Response:
        screen = request.path_params["screen"]
        if screen not in NOTEBOOKS:
            return PlainTextResponse("There is no such notebook.", 404)
        address = json.dumps(f"{site_of(request, under)}{screen}")[1:-1]
        text = NOTEBOOKS[screen].read_text("utf-8").replace(notebooks.ADDRESS, address)
        return Response(text, media_type="application/x-ipynb+json", headers=OPEN)

    return [
        Route(under + "/badges/{screen}.svg", draw),
        Route(under + "/notebooks/{screen}.ipynb", write),
    ]


def badge(label: str) -> str:
    """The name of the site and that of a screen, as an SVG of one line."""
    name_length, label_length = LETTER * len(NAME), LETTER * len(label)
    left = name_length + 12
    return BADGE.format(
        name=escape(NAME),
        label=escape(label),
        name_length=name_length,
        label_length=label_length,
        width=left + label_length + 12,
        left=left,
        right=label_length + 9,
        label_at=left + 6,
    )
