"""The walks as plain files: `make static`, or `python -m scripts.static_site OUT_DIR`.

Each step is a page with its words and its pictures, drawn by the same JavaScript as in the app from
the same data. Any web server gives them to as many readers as it can send files to: nothing is
computed, kept or asked for elsewhere. What needs the app is left out: controls, typed text, jobs.
"""

import argparse
import gzip
import hashlib
import json
import os
import re
import shutil
import sys
import tempfile
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from html import escape
from itertools import pairwise
from pathlib import Path
from typing import Any
from urllib.parse import quote

from markdown_it import MarkdownIt
from streamlit.testing.v1 import AppTest
from streamlit.util import calc_hash

from ui.charts.component import unpack
from ui.course.chapter import compiled
from ui.screen import course
from ui.screen.glossary import LINK, glossary
from ui.screen.lesson import Lesson, WalkStep, load
from ui.text.real import available

ROOT = Path(__file__).resolve().parent.parent
SITE = Path(__file__).parent / "site"
KEPT = (".html", ".css", ".js", ".json")
"""What a browser keeps of the export for the times without a network."""
PATIENCE = 300.0
"""Seconds for one step: the first that opens a language model takes a while."""
MARKDOWN = MarkdownIt().enable("table")
READ_A_MODEL = ("live_attention",)
"""Walks whose every step reads the language model."""
NO_MODEL = """\
<p>Here is the picture of what a language model does with a text. The model was not installed
where these pages were made: <code>make static</code> without <code>POSENC_NO_MODEL</code> draws
it.</p>"""
NO_CONTROLS = "<p><em>All controls</em> are in the app: <code>make run</code>.</p>"
SORRY = (
    "Pictures need JavaScript and a web server, which a browser that opens a file does not ask: "
    "run <code>python3 -m http.server</code> in this folder."
)
PAGE = """\
<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<meta http-equiv="Content-Security-Policy" content="default-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data: blob:; object-src 'none'; base-uri 'self'; form-action 'none'">
<title>{title}</title>
<link rel="icon" href="data:,">
<link rel="stylesheet" href="{up}page.css?v={version}">
<script type="module" src="{up}page.js?v={version}"></script>
</head>
<body>
<header><a href="{up}index.html">Contents</a><button class="look" type="button">Light or dark</button></header>
<main>
{body}
</main>
</body>
</html>
"""  # noqa: E501, one line of HTML

CHAPTER = """\
<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<meta http-equiv="Content-Security-Policy" content="default-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data: blob:; object-src 'none'; base-uri 'self'; form-action 'none'">
<title>{title} · Positional encodings</title>
<meta name="description" content="{question}">
<meta property="og:type" content="article">
<meta property="og:site_name" content="Positional encodings">
<meta property="og:title" content="{title}">
<meta property="og:description" content="{question}">
<link rel="icon" href="data:,">
<link rel="stylesheet" href="static/course/course.css?v={version}">
<link rel="modulepreload" href="static/course/course.js">
<link rel="modulepreload" href="static/course/d3.js">
<link rel="modulepreload" href="static/course/pictures/{picture}.js">
<script type="module" src="chapter.js?v={version}"></script>
</head>
<body>
<script type="application/json" id="chapter">{chapter}</script>
<noscript>{sorry}</noscript>
</body>
</html>
"""  # noqa: E501, one line of HTML


@dataclass(frozen=True)
class Picture:
    """A picture of a step, as the app would send it to a browser."""

    key: str
    alt: str
    module: str
    """Its JavaScript, below `static/`."""
    data: bytes
    kind: str
    """Suffix of its file."""
    height: int


@dataclass(frozen=True)
class Drawn:
    """What the app shows beside the words of a step."""

    pictures: Sequence[Picture]
    readouts: Sequence[tuple[str, str]]
    tables: Sequence[str] = ()
    """Markdown, each with its heading."""


def draw(screen: str, step: int) -> Drawn:
    """Run a step of a walk in the app itself.

    Raises:
        SystemExit: If the app shows an error instead.
    """
    app = AppTest.from_file(str(ROOT / "app.py"), default_timeout=PATIENCE)
    app.query_params["step"] = str(step)
    app._page_hash = calc_hash(screen)
    app.run()
    wrong = [element.value for element in (*app.exception, *app.error, *app.warning)]
    if wrong:
        raise SystemExit(f"{screen}, step {step}: {wrong[0]}")
    pictures = [
        picture
        for element in app.get("bidi_component")
        if (picture := _picture(element.proto)) is not None
    ]
    if not pictures:
        raise SystemExit(f"{screen}, step {step} draws no picture.")
    texts = [one.value for one in app.markdown]
    tables = [
        f"{before}\n\n{text}" for before, text in pairwise(["", *texts]) if text.startswith("| ")
    ]
    return Drawn(pictures, [(one.label, one.value) for one in app.metric], tables)


def _picture(proto: Any) -> Picture | None:
    if proto.component_name == "posenc_chart":
        header = unpack(proto.bytes)
        module = "chart/chart.js"
        alt, height = header["alt"], header["height"]
        return Picture(header["key"], alt, module, proto.bytes, "bin", height)
    if proto.component_name == "posenc_moving":
        told = json.loads(proto.json)
        module = f"pictures/{told['module']}.js"
        return Picture(told["key"], told["alt"], module, proto.json.encode(), "json", 420)
    return None


class Site:
    """The files of one export.

    Args:
        folder: Where they go.
        screens: Ids of the walks, in the order of the course.
    """

    def __init__(self, folder: Path, screens: Sequence[str]) -> None:
        self.folder, self.screens = folder, screens
        sources = [*sorted((ROOT / "static").rglob("*.js")), *sorted(SITE.iterdir())]
        content = b"".join(path.read_bytes() for path in sources)
        self.version = hashlib.sha256(content).hexdigest()[:12]
        self.moving: dict[str, str] = {}
        """Address of the first step with each picture that moves, by what it shows."""
        self.without_model: list[str] = []
        """Addresses of the steps whose picture needs a model that is not here."""

    def build(self) -> None:
        """Write all of it."""
        plain = any(not load(screen).picture for screen in self.screens)
        for name in ("course", "chart", "pictures") if plain else ("course",):
            shutil.copytree(ROOT / "static" / name, self.folder / "static" / name)
        for name in ("embed.js", "saving.js"):
            shutil.copy(ROOT / "static" / name, self.folder / "static")
        for path in SITE.iterdir():
            shutil.copy(path, self.folder)
        (self.folder / "data").mkdir()
        for screen in self.screens:
            self._walk(load(screen))
        self._write("glossary.html", "Glossary", self._glossary())
        self._write("questions.html", "Ten questions", self._questions())
        self._write("index.html", "Positional encodings", self._contents())
        self._worker()

    def _worker(self) -> None:
        """Name the files that a second visit finds without a network."""
        files = sorted(
            str(path.relative_to(self.folder))
            for path in self.folder.rglob("*")
            if path.is_file() and path.suffix in KEPT
        )
        path = self.folder / "worker.js"
        told = path.read_text("utf-8")
        told = told.replace('"VERSION"', json.dumps(self.version))
        path.write_text(told.replace('["FILES"]', json.dumps(files)), "utf-8")

    def _chapter(self, lesson: Lesson) -> None:
        """Write a chapter that its picture tells: one page, all of its steps."""
        told = compiled(lesson, self._chapter_ways(lesson.screen))
        text = json.dumps(told, ensure_ascii=False).replace("<", "\\u003c")
        page = CHAPTER.format(
            title=escape(lesson.title),
            question=escape(lesson.question),
            version=self.version,
            picture=lesson.picture,
            chapter=text,
            sorry=SORRY,
        )
        (self.folder / f"{lesson.screen}.html").write_text(page, "utf-8")

    def _chapter_ways(self, screen: str) -> dict[str, Any]:
        place = self.screens.index(screen)
        before = load(self.screens[place - 1]) if place else None
        after = load(self.screens[place + 1]) if place + 1 < len(self.screens) else None
        last = {"title": "ten questions", "href": "questions.html"}
        return {
            "before": before
            and {"title": before.title, "href": page_of(before.screen, len(before.walk))},
            "after": {"title": after.title, "href": page_of(after.screen, 1)} if after else last,
            "contents": {"title": "Contents", "href": "index.html"},
        }

    def _walk(self, lesson: Lesson) -> None:
        if lesson.picture:
            self._chapter(lesson)
            return
        count = len(lesson.walk)
        has_all = lesson.screen not in READ_A_MODEL or available()
        for at, step in enumerate(lesson.walk, 1):
            print(f"{lesson.screen}, step {at} of {count}", file=sys.stderr, flush=True)
            drawn = draw(lesson.screen, at) if has_all else Drawn([], [])
            if not has_all:
                self.without_model.append(page_of(lesson.screen, at))
            body = self._step(lesson, at, step, drawn)
            self._write(page_of(lesson.screen, at), f"{step.title} · {lesson.title}", body)
            for picture in drawn.pictures:
                if picture.kind == "json":
                    self.moving.setdefault(picture.alt, page_of(lesson.screen, at))

    def _step(self, lesson: Lesson, at: int, step: WalkStep, drawn: Drawn) -> str:
        ask = ""
        if step.ask:
            ask = f"<details><summary>Before you go on: {escape(step.ask)}</summary>"
            ask += f"{self._html(step.answer, '../')}</details>"
        readouts = "".join(
            f"<div><dt>{escape(label)}</dt><dd>{escape(value)}</dd></div>"
            for label, value in drawn.readouts
        )
        spoken = step.outline.key if step.outline else ""
        # What the step speaks of comes first: nobody has to look for it.
        pictures = sorted(drawn.pictures, key=lambda picture: picture.key != spoken)
        marked = spoken if len(pictures) > 1 else ""
        figures = "\n".join(self._figure(picture, picture.key == marked) for picture in pictures)
        tables = "".join(self._html(table, "../") for table in drawn.tables)
        is_drawn = any(picture.key == spoken for picture in pictures)
        shown = figures + tables if is_drawn else tables + figures
        return f"""\
<div class="step">
<div class="words">
<p class="where">{escape(lesson.title)}, step {at} of {len(lesson.walk)}</p>
<h1>{escape(step.title)}</h1>
{self._html(step.text, "../")}
{NO_CONTROLS if "*All controls*" in step.text else ""}
{ask}
<nav class="ways">{self._ways(lesson.screen, at, len(lesson.walk))}</nav>
</div>
<div>
{shown or NO_MODEL}
{f'<dl class="readouts">{readouts}</dl>' if readouts else ""}
</div>
</div>"""

    def _figure(self, picture: Picture, is_spoken_of: bool) -> str:
        name = f"{hashlib.sha256(picture.data).hexdigest()[:16]}.{picture.kind}"
        (self.folder / "data" / name).write_bytes(picture.data)
        module = f"./static/{picture.module}?v={self.version}"
        alt = escape(picture.alt.rstrip("."))
        mark = ' class="spoken"' if is_spoken_of else ""
        return (
            f'<figure><div{mark} data-module="{module}" data-file="../data/{name}"'
            f' data-key="{escape(picture.key)}" style="min-height: {picture.height}px">'
            f'<p class="sorry">{SORRY}</p></div>'
            f"<figcaption>{alt}.</figcaption></figure>"
        )

    def _ways(self, screen: str, at: int, count: int) -> str:
        place = self.screens.index(screen)
        ways = []
        if at > 1:
            ways.append(_way("prev", page_of(screen, at - 1), "← Back"))
        elif place:
            before = load(self.screens[place - 1])
            ways.append(_way("prev", page_of(before.screen, len(before.walk)), f"← {before.title}"))
        if at < count:
            ways.append(_way("next", page_of(screen, at + 1), "Next →"))
        elif place + 1 < len(self.screens):
            later = load(self.screens[place + 1])
            ways.append(_way("next", page_of(later.screen, 1), f"Next: {later.title} →"))
        else:
            ways.append(_way("next", "questions.html", "Next: ten questions →"))
        return " ".join(ways)

    def _contents(self) -> str:
        sections = []
        for lesson in map(load, self.screens):
            steps = "".join(
                f'<li><a href="{page_of(lesson.screen, at)}">{escape(step.title)}</a></li>'
                for at, step in enumerate(lesson.walk, 1)
            )
            sections.append(
                f"<section><h2>{escape(lesson.title)}</h2><p>{escape(lesson.question)} "
                f"About {course.minutes(lesson)} minutes.</p><ol>{steps}</ol></section>"
            )
        moving = "".join(
            f'<li><a href="{page}">{escape(alt.rstrip("."))}</a></li>'
            for alt, page in self.moving.items()
        )
        by_hand = f"<h2>Pictures to move by hand</h2><ul>{moving}</ul>" if moving else ""
        first = page_of(self.screens[0], 1)
        return f"""\
<h1>Positional encodings</h1>
<p>Attention does not know the order of its tokens; a positional encoding tells it. Each chapter
walks through one idea, a picture at a time. Arrow keys go on and back.</p>
<p class="sorry">{SORRY}</p>
<nav class="ways"><a rel="next" href="{first}">Begin →</a>
<a href="glossary.html">Glossary</a> <a href="questions.html">Ten questions</a></nav>
<div class="contents">
{"".join(sections)}
</div>
{by_hand}"""

    def _glossary(self) -> str:
        terms = "".join(
            f'<dt id="{escape(term.id)}"><strong>{escape(term.term)}</strong></dt>'
            f"<dd>{self._html(term.text, '')}</dd>"
            for term in glossary().values()
        )
        return f"<h1>Glossary</h1><dl>{terms}</dl>"

    def _questions(self) -> str:
        asked = []
        for one in load(course.PAGE).more["quiz"]:
            options = sorted([one["right"], *one["wrong"]], key=lambda option: option["text"])
            told = "".join(
                f"<li><strong>{'Yes' if option == one['right'] else 'No'}: "
                f"{escape(option['text'])}.</strong> {escape(option['why'])}</li>"
                for option in options
            )
            choices = "".join(f"<li>{escape(option['text'])}</li>" for option in options)
            asked.append(
                f"<li><p>{escape(one['question'])}</p><ul>{choices}</ul>"
                f"<details><summary>What is so</summary><ul>{told}</ul></details></li>"
            )
        return f"<h1>Ten questions</h1><ol>{''.join(asked)}</ol>"

    def _html(self, text: str, up: str) -> str:
        """Markdown of a lesson; terms are links to the glossary, and say what they mean."""
        terms = glossary()

        def link(found: re.Match[str]) -> str:
            term = terms[found[2]]
            said = term.text.replace('"', "”")
            return f'[{found[1]}]({up}glossary.html#{quote(term.id)} "{said}")'

        return str(MARKDOWN.render(LINK.sub(link, text)))

    def _write(self, name: str, title: str, body: str) -> None:
        path = self.folder / name
        path.parent.mkdir(exist_ok=True)
        up = "../" if "/" in name else ""
        told = PAGE.format(title=escape(title), up=up, version=self.version, body=body)
        path.write_text(told, "utf-8")


def page_of(screen: str, at: int) -> str:
    """Address of a step from the top of the export."""
    lesson = load(screen)
    if lesson.picture:
        return f"{screen}.html?step={lesson.walk[at - 1].id}"
    return f"{screen}/{at}.html"


def _way(rel: str, page: str, words: str) -> str:
    return f'<a rel="{rel}" href="../{page}">{escape(words)}</a>'


def sizes(folder: Path) -> Iterator[tuple[str, int, int, int]]:
    """Kind of file, how many, their bytes, and what a web server sends of them with gzip."""
    found: dict[str, list[bytes]] = {}
    for path in folder.rglob("*"):
        if path.is_file():
            found.setdefault(path.suffix.lstrip(".") or "other", []).append(path.read_bytes())
    for kind, files in sorted(found.items()):
        packed = sum(len(gzip.compress(content)) for content in files)
        yield kind, len(files), sum(map(len, files)), packed


def export(folder: Path, screens: Sequence[str] = course.COURSE) -> Sequence[str]:
    """Build the site beside its place and put it there whole; what stood there is replaced.

    Args:
        folder: Its place: an earlier export, or nothing.
        screens: Ids of the walks.

    Returns:
        Addresses of the steps whose picture needs a model that is not here.

    Raises:
        SystemExit: If something else is in the folder, or the app draws a step wrongly.
    """
    if folder.exists() and not (folder / "page.js").is_file() and any(folder.iterdir()):
        raise SystemExit(f"{folder} holds something else; name another folder.")
    folder.parent.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(dir=folder.parent) as work:
        new = Path(work) / "site"
        new.mkdir()
        site = Site(new, screens)
        site.build()
        if folder.exists():
            shutil.rmtree(folder)
        new.rename(folder)
    folder.chmod(0o755)
    return site.without_model


def main() -> None:
    """Export, and say how large it is."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", type=Path, nargs="?", default=ROOT / "build" / "static")
    parser.add_argument("--only", nargs="+", choices=course.COURSE, default=course.COURSE)
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as home:
        os.environ["POSENC_LAB_HOME"] = home  # nobody's jobs are shown
        without_model = export(options.folder, options.only)
    if without_model:
        print(f"Without pictures, because no model is installed: {', '.join(without_model)}")
    total = packed_total = 0
    for kind, count, plain, packed in sizes(options.folder):
        total, packed_total = total + plain, packed_total + packed
        print(f"{count:5} {kind:5} {plain / 1e6:7.2f} MB, with gzip {packed / 1e6:6.2f} MB")
    print(f"      all   {total / 1e6:7.2f} MB, with gzip {packed_total / 1e6:6.2f} MB")
    print(f"{options.folder}: python3 -m http.server --directory {options.folder}")


if __name__ == "__main__":
    main()
