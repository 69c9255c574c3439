"""A whole HTML document of a plain page, from the root of the site."""

import re
from dataclasses import dataclass
from html import escape

from course.page.files import FONT, script
from course.page.header import header, root_of

NAME = "Positional encodings"
PICTURE = "/static/course/shown/rope.png"
"""What a link to a page without a picture of its own shows."""
WIDTH, HEIGHT = 1200, 630  # pixels of such a picture, as those who unfold a link expect
ALONE = """\
<header id="site"><a class="name" href="/course/">Positional encodings</a>
<a href="/course/glossary/">Glossary</a> <a href="/course/questions/">Ten questions</a></header>"""
"""The header of a site that has no screens."""
HEAD_ALONE = """
<meta http-equiv="Content-Security-Policy" content="default-src 'self'; style-src 'self' \
'unsafe-inline'; img-src 'self' data: blob:; object-src 'none'; base-uri 'self'">
<script type="module" src="{offline}"></script>"""
"""What stands in its pages besides, where no server of ours says what they may load."""
ADDRESS = re.compile(r'(?<=\s)((?:href|src|action)=")([/#])(?!/)(static/(?!media))?')


@dataclass(frozen=True)
class Page:
    """A page of the site."""

    path: str
    """"/questions/sqrt-d/", from the root of the site, with slashes at both ends."""
    title: str
    """Plain text, without the name of the product."""
    description: str
    """One sentence, plain text."""
    body: str
    """HTML inside <main>; addresses as "/course/rope/", "/static/…" and "#place"."""
    picture: str = ""
    """"/static/…png", 1200 × 630, for previews; "" for the product's own."""
    head: str = ""
    """Further lines of the head, with addresses of the same kind."""


def document(page: Page, *, public: str = "", alone: bool = False) -> str:
    """The HTML of a page. All of its addresses are relative, so it works below any prefix.

    Args:
        page: What it holds.
        public: The site's public address, "https://…/", for its canonical address and the
            preview of a shared link; "" if it is not known.
        alone: Whether the site stands without the app.
    """
    here = page.path.lstrip("/")
    head = page.head + (HEAD_ALONE.format(offline=script("course/offline.js")) if alone else "")
    title = f"{page.title} · {NAME}" if page.title != NAME else NAME
    picture = f"{public}app{page.picture or PICTURE}"
    canonical = f'<link rel="canonical" href="{escape(public + here)}">\n' if public else ""
    # Addresses count from this base, also once a script has moved on to another step's.
    return f"""\
<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<base href="{"../" * here.count("/") or "./"}">
<title>{escape(title)}</title>
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="description" content="{escape(page.description)}">
{canonical}<meta property="og:type" content="article">
<meta property="og:site_name" content="{NAME}">
<meta property="og:title" content="{escape(page.title)}">
<meta property="og:description" content="{escape(page.description)}">
<meta property="og:image" content="{escape(picture)}">
<meta property="og:image:width" content="{WIDTH}">
<meta property="og:image:height" content="{HEIGHT}">
<meta name="twitter:card" content="summary_large_image">
<link rel="icon" href="data:,">
<link rel="preload" as="font" type="font/woff2" crossorigin href="{FONT.lstrip("/")}">
<style>@font-face {{ font-family: "Source Sans"; font-weight: 200 900; font-display: swap; src: url("{FONT.lstrip("/")}") format("woff2"); }}</style>
<link rel="stylesheet" href="{script("course/page.css").lstrip("/")}">
<link rel="stylesheet" href="{script("site/header.css").lstrip("/")}">
<script src="{script("course/look.js").lstrip("/")}"></script>
{relative(head, here)}
</head>
<body>
{relative(_header(page.path, alone=alone), here)}
<main>
{relative(page.body, here)}
</main>
</body>
</html>
"""  # noqa: E501, one line of HTML


def _header(path: str, *, alone: bool) -> str:
    """The site's header, whose addresses count from the base here and not from the page."""
    if alone:
        return ALONE
    loaded = f'<script type="module" src="{script("site/header.js")}"></script>'
    return header(path).replace(f'="{root_of(path)}', '="./') + loaded


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
