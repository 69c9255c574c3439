"""A whole HTML document of a plain page, from the root of the site."""

import re

from course.page.files import FONT, script
from course.page.head import Page as Page
from course.page.head import head
from course.page.header import header

ALONE = """\
<nav id="site"><a class="name" href="/course/">Positional encodings</a>
<a href="/course/glossary/">Glossary</a> <a href="/course/questions/">Ten questions</a></nav>"""
"""The header of a site that has no screens."""
ALONE_HEAD = """
<meta http-equiv="Content-Security-Policy" content="default-src 'self'; style-src 'self' \
'unsafe-inline'; img-src 'self' data: blob:; object-src 'none'; base-uri 'self'">
<script type="module" src="{offline}"></script>"""
"""Further lines of its pages, where no server of ours says what they may load."""
OEMBED = re.compile(r'<link rel="alternate"[^>]*>\n')
ADDRESS = re.compile(r'(?<=\s)((?:href|src|action)=")([/#])(?!/)(static/(?!media))?')


def document(page: Page, *, public: str = "", alone: bool = False) -> str:
    """The HTML of a page. All of its addresses are relative, so it works below any prefix.

    Args:
        page: What it holds.
        public: The site's public address, "https://…/", for its canonical address and the
            preview of a shared link; "" if it is not known.
        alone: Whether the site stands without the app.
    """
    here = page.path.lstrip("/")
    lines = head(page, public=public)
    if alone:  # nobody answers for oEmbed there
        lines = OEMBED.sub("", lines) + ALONE_HEAD.format(offline=script("course/page/offline.js"))
    # Addresses count from this base, also once a script has moved on to another step's.
    return f"""\
<!doctype html>
<html lang="{page.language}">
<head>
<meta charset="utf-8">
<base href="{"../" * here.count("/") or "./"}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<link rel="icon" href="data:,">
<link rel="preload" as="font" type="font/woff2" crossorigin href="{FONT.lstrip("/")}">
<style>@font-face {{ font-family: "Source Sans"; font-weight: 200 900; font-display: swap; src: url("{FONT.lstrip("/")}") format("woff2"); }}</style>
<link rel="stylesheet" href="{script("course/page/page.css").lstrip("/")}">
<link rel="stylesheet" href="{script("site/header.css").lstrip("/")}">
<script src="{script("course/page/look.js").lstrip("/")}"></script>
{relative(lines + page.head, here)}
</head>
<body>
{relative(_header(page.path, alone=alone), here)}
<main id="main">
{relative(page.body, here)}
</main>
</body>
</html>
"""  # noqa: E501, one line of HTML


def _header(path: str, *, alone: bool) -> str:
    """The header of the site, whose addresses count from the base."""
    if alone:
        return ALONE
    loaded = f'<script type="module" src="{script("site/header.js")}"></script>'
    return header(path) + loaded


def relative(html: str, here: str) -> str:
    """HTML whose addresses count from the root of the site, and those of places from the page.

    Args:
        html: With addresses as "/course/rope/" and "#place".
        here: Path of the page from the root, without a slash before it.
    """

    def counted(found: re.Match[str]) -> str:
        start, sign, static = found.groups(default="")
        return start + (f"{here}#" if sign == "#" else "") + ("app/" + static if static else "")

    return ADDRESS.sub(counted, html)
