"""The files of the export, in a folder."""

import hashlib
import json
import re
import shutil
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any

from scripts.site.around import all_terms, contents, questions
from scripts.site.html import FONT, chapter, page, page_of
from ui.course.chapter import compiled
from ui.screen.lesson import Lesson, load
from ui.streamlit.page import STATIC as STREAMLIT

STATIC = Path(__file__).resolve().parent.parent.parent / "static"
ASSETS = Path(__file__).parent / "assets"
TO_THE_APP = re.compile(r'<a href="\w+">(.*?)</a>')
KEPT = (".html", ".css", ".js", ".json", ".png", ".woff2")
"""Endings of the files that a browser keeps for times without a network."""
WORKER = "worker.js"


class Site:
    """The files of one export.

    Args:
        folder: Where they go.
        screens: Ids of the walks, in the order of the course.
        address: Where it will be found, with a slash at its end; "" if it is not known.
    """

    def __init__(self, folder: Path, screens: Sequence[str], address: str = "") -> None:
        self.folder = folder
        self.screens = screens
        self.address = address
        sources = [*sorted(STATIC.rglob("*.*s")), *sorted(ASSETS.iterdir())]
        self.release = f"release-{_hash(sources)}"
        """The folder of all scripts: pages of two releases share none."""

    def build(self) -> None:
        scripts = self.folder / self.release
        course = Path("static") / "course"
        copied = shutil.copytree(STATIC.parent / course, scripts / course)
        # Small pictures are asked for by an address that was shared, maybe long ago.
        (self.folder / course).mkdir(parents=True)
        (copied / "shown").rename(self.folder / course / "shown")
        for path in ASSETS.iterdir():
            shutil.copy(path, scripts)
        # Its notice and its licence are in the file.
        shutil.copy(next(STREAMLIT.rglob("SourceSansVF-Upright.*.woff2")), scripts / FONT)
        # A worker answers for what is beside it and below.
        (scripts / WORKER).rename(self.folder / WORKER)
        for screen in self.screens:
            self._chapter(load(screen))
        self._write("glossary.html", "Glossary", all_terms())
        self._write("questions.html", "Ten questions", questions())
        self._write("index.html", "Positional encodings", contents(self.screens))
        self._worker()

    def _worker(self) -> None:
        """Name the files that a second visit finds without a network."""
        kept = sorted(path for path in self.folder.rglob("*") if path.suffix in KEPT)
        files = [str(path.relative_to(self.folder)) for path in kept]
        path = self.folder / WORKER
        told = path.read_text("utf-8")
        told = told.replace('"VERSION"', json.dumps(_hash(kept)))
        path.write_text(told.replace('["FILES"]', json.dumps(files)), "utf-8")

    def _chapter(self, lesson: Lesson) -> None:
        """Write a chapter: one page, all of its steps."""
        told = compiled(lesson, self._chapter_ways(lesson.screen))
        for step in told["steps"]:
            for words in ("text", "task", "reached"):
                step[words] = TO_THE_APP.sub(r"\1", step[words])
        text = chapter(lesson, told, self.release, self.address)
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

    def _write(self, name: str, title: str, text: str) -> None:
        (self.folder / name).write_text(page(title, text, self.release), "utf-8")


def _hash(files: Iterable[Path]) -> str:
    return hashlib.sha256(b"".join(path.read_bytes() for path in files)).hexdigest()[:12]
