"""A plain page, and the HTML document around it."""

import re
from dataclasses import dataclass
from html import escape
from posixpath import relpath

NAME = "Positional encodings"
DOCUMENT = """\
<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>{title} · {name}</title>
<meta name="description" content="{description}">
{head}
</head>
<body>
<main>
{body}
</main>
</body>
</html>
"""


@dataclass(frozen=True)
class Page:
    """One plain page.

    Args:
        path: Its address from the root of the site, with slashes at both ends.
        title: Plain text, without the name of the product.
        description: One sentence, plain text.
        body: HTML inside <main>; links and images begin with a slash.
        picture: Preview of 1200 × 630, "/static/….png"; "" for the product's own.
        head: Further lines of the head.
    """

    path: str
    title: str
    description: str
    body: str
    picture: str = ""
    head: str = ""


def document(page: Page, *, public: str = "") -> str:
    """The whole HTML document; its links are relative, so that it works below any prefix.

    Args:
        page: What it shows.
        public: The site's public address; "" if it is not known.
    """
    canonical = f'<link rel="canonical" href="{escape(public + page.path)}">' if public else ""

    def relative(match: re.Match[str]) -> str:
        target = relpath(match[2], page.path)
        return f'{match[1]}="{target}{"/" if match[2].endswith("/") else ""}"'

    return DOCUMENT.format(
        title=escape(page.title),
        name=NAME,
        description=escape(page.description),
        head="\n".join(filter(None, (canonical, page.head))),
        body=re.sub(r'\b(href|src)="(/[^"]*)"', relative, page.body),
    )
