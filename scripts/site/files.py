"""The files of the export, in a folder."""

import hashlib
import json
import re
import shutil
import sys
from collections.abc import Sequence
from html import escape
from pathlib import Path
from typing import Any

from scripts.site.around import all_terms, contents, questions
from scripts.site.drawn import Picture, draw
from scripts.site.html import SORRY, chapter, page, page_of
from scripts.site.steps import body, ways
from ui.course.chapter import compiled
from ui.screen.lesson import Lesson, load

STATIC = Path(__file__).resolve().parent.parent.parent / "static"
ASSETS = Path(__file__).parent / "assets"
TO_THE_APP = re.compile(r'<a href="\w+">(.*?)</a>')
KEPT = (".html", ".css", ".js", ".json", ".png")
"""What a browser keeps of the export for the times without a network."""


class Site:
    """The files of one export.

    Args:
        folder: Where they go.
        screens: Ids of the walks, in the order of the course.
        address: Where it will be found, with a slash at its end; "" if it is not known.
    """

    def __init__(self, folder: Path, screens: Sequence[str], address: str = "") -> None:
        self.folder, self.screens, self.address = folder, screens, address
        sources = [*sorted(STATIC.rglob("*.js")), *sorted(ASSETS.iterdir())]
        content = b"".join(path.read_bytes() for path in sources)
        self.version = hashlib.sha256(content).hexdigest()[:12]
        self.moving: dict[str, str] = {}
        """Address of the first step with each picture that moves, by what it shows."""

    def build(self) -> None:
        """Write all of it."""
        plain = any(not load(screen).picture for screen in self.screens)
        for name in ("course", "chart", "pictures") if plain else ("course",):
            shutil.copytree(STATIC / name, self.folder / "static" / name)
        for name in ("embed.js", "saving.js"):
            shutil.copy(STATIC / name, self.folder / "static")
        for path in ASSETS.iterdir():
            shutil.copy(path, self.folder)
        (self.folder / "data").mkdir()
        for screen in self.screens:
            self._walk(load(screen))
        self._write("glossary.html", "Glossary", all_terms())
        self._write("questions.html", "Ten questions", questions())
        self._write("index.html", "Positional encodings", contents(self.screens, self.moving))
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
        for step in told["steps"]:
            step["text"] = TO_THE_APP.sub(r"\1", step["text"])
        text = chapter(lesson, told, self.version, self.address)
        (self.folder / f"{lesson.screen}.html").write_text(text, "utf-8")

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
        for at, step in enumerate(lesson.walk, 1):
            print(f"{lesson.screen}, step {at} of {count}", file=sys.stderr, flush=True)
            drawn = draw(lesson.screen, at)
            links = ways(self.screens, lesson.screen, at)
            text = body(lesson, at, drawn, links, self._figure)
            self._write(page_of(lesson.screen, at), f"{step.title} · {lesson.title}", text)
            for picture in drawn.pictures:
                if picture.kind == "json":
                    self.moving.setdefault(picture.alt, page_of(lesson.screen, at))

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

    def _write(self, name: str, title: str, text: str) -> None:
        path = self.folder / name
        path.parent.mkdir(exist_ok=True)
        up = "../" if "/" in name else ""
        path.write_text(page(title, text, up, self.version), "utf-8")
