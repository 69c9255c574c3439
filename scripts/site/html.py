"""HTML of the export: the heads of its pages, and words of lessons."""

import json
from collections.abc import Mapping
from html import escape
from typing import Any

from ui.charts.served import STATIC
from ui.screen.lesson import Lesson, load

SORRY = (
    "Pictures need JavaScript and a web server, which a browser that opens a file does not ask: "
    "run <code>python3 -m http.server</code> in this folder."
)
DOCUMENT = """\
<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<meta http-equiv="Content-Security-Policy" content="default-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data: blob:; object-src 'none'; base-uri 'self'; form-action 'none'">
<title>{title}</title>
<link rel="icon" href="data:,">
{head}
</head>
<body>
{body}
</body>
</html>
"""  # noqa: E501, one line of HTML
FONT = "source-sans.woff2"
FONT_HEAD = f"""\
<link rel="preload" as="font" type="font/woff2" crossorigin href="{{release}}/{FONT}">
<link rel="stylesheet" href="{{release}}/font.css">
"""
PAGE_HEAD = (
    FONT_HEAD
    + """\
<link rel="stylesheet" href="{release}/page.css">
<script type="module" src="{release}/page.js"></script>"""
)
PAGE_BODY = """\
<header><a href="index.html">Contents</a><button class="look" type="button">Light or dark</button></header>
<main>
{body}
</main>"""  # noqa: E501, one line of HTML
CHAPTER_HEAD = (
    FONT_HEAD
    + """\
<meta name="description" content="{question}">
<meta property="og:type" content="article">
<meta property="og:site_name" content="Positional encodings">
<meta property="og:title" content="{title}">
<meta property="og:description" content="{question}">
{shown}<link rel="stylesheet" href="{release}/static/course/course.css">
<link rel="modulepreload" href="{release}/static/course/course.js">
<link rel="modulepreload" href="{release}/static/course/d3.js">
<link rel="modulepreload" href="{release}/static/course/pictures/{picture}.js">
<script type="module" src="{release}/chapter.js"></script>"""
)
SHOWN_HEAD = """\
<meta property="og:image" content="{address}{picture}">
<meta property="og:image:width" content="1200">
<meta property="og:image:height" content="630">
<meta name="twitter:card" content="summary_large_image">
"""
CHAPTER_BODY = """\
<script type="application/json" id="chapter">{chapter}</script>
<noscript>{sorry}</noscript>"""


def page(title: str, body: str, release: str) -> str:
    """A page of words and pictures.

    Args:
        title: As plain text.
        body: HTML.
        release: Folder of the scripts.
    """
    return DOCUMENT.format(
        title=escape(title),
        head=PAGE_HEAD.format(release=release),
        body=PAGE_BODY.format(body=body),
    )


def chapter(lesson: Lesson, told: Mapping[str, Any], release: str, address: str) -> str:
    """A chapter: all of its steps on one page.

    Args:
        lesson: Its words.
        told: What `ui.course.chapter.compiled` makes of them.
        release: Folder of the scripts.
        address: Where the export will be found, with a slash at its end; "" if it is not known.
    """
    title = escape(lesson.title)
    picture = shown(lesson.screen)
    return DOCUMENT.format(
        title=f"{title} · Positional encodings",
        head=CHAPTER_HEAD.format(
            title=title,
            question=escape(lesson.question),
            picture=lesson.picture,
            release=release,
            shown=picture and SHOWN_HEAD.format(address=escape(address), picture=picture),
        ),
        body=CHAPTER_BODY.format(
            chapter=json.dumps(told, ensure_ascii=False).replace("<", "\\u003c"), sorry=SORRY
        ),
    )


def shown(screen: str) -> str:
    """The small picture of a chapter, from the top of the export; "" without one."""
    name = f"static/course/shown/{screen}.png"
    return name if (STATIC.parent / name).is_file() else ""


def page_of(screen: str, at: int) -> str:
    """Address of a step from the top of the export."""
    return f"{screen}.html?step={load(screen).walk[at - 1].id}"
