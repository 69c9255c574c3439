"""A page, and the lines of its head for search engines and for those who unfold a link."""

from dataclasses import dataclass
from html import escape
from urllib.parse import quote

from course.page.files import preview
from course.page.header import NAME

PICTURE = preview("rope")
"""Preview of a page without a picture of its own."""
WIDTH, HEIGHT = 1200, 630
"""Pixels of such a picture, as those who unfold a link expect."""
HEAD = """\
<title>{full}</title>
<meta name="description" content="{description}">
<meta property="og:type" content="{kind}">
<meta property="og:site_name" content="{name}">
<meta property="og:title" content="{title}">
<meta property="og:description" content="{description}">
<meta property="og:image" content="{picture}">
<meta property="og:image:width" content="{width}">
<meta property="og:image:height" content="{height}">
<meta name="twitter:card" content="summary_large_image">
"""
KNOWN = """\
<link rel="canonical" href="{address}">
<meta property="og:url" content="{address}">
<link rel="alternate" type="application/json+oembed" title="{title}" \
href="{public}oembed?url={quoted}">
"""
"""Lines that need the public address of the site."""


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
    """Address of a picture, 1200 × 630, for previews; "" for the product's own."""
    head: str = ""
    """Further lines of the head, with addresses of the same kind."""
    language: str = "en"
    """Language of its words."""


def head(page: Page, *, public: str, kind: str = "article", query: str = "") -> str:
    """Lines of the head: title, description, preview, canonical address.

    Args:
        page: What it is about.
        public: The site's public address, "https://…/"; "" if it is not known.
        kind: Of Open Graph.
        query: Parameters that make it another page than its path alone.
    """
    address = f"{public}{page.path.lstrip('/')}" + (f"?{query}" if query else "")
    lines = HEAD.format(
        full=escape(page.title if page.title == NAME else f"{page.title} · {NAME}"),
        title=escape(page.title),
        name=escape(NAME),
        description=escape(page.description),
        kind=kind,
        picture=escape(f"{public}{(page.picture or PICTURE).lstrip('/')}"),
        width=WIDTH,
        height=HEIGHT,
    )
    if not public:
        return lines
    return lines + KNOWN.format(
        address=escape(address),
        title=escape(page.title),
        public=escape(public),
        quoted=quote(address, safe=""),
    )
