"""The words of a screen, from lessons/<language>/<screen>.md."""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

import frontmatter

LESSONS = Path(__file__).parent.parent / "lessons"


@dataclass(frozen=True)
class Notice:
    """Something to notice, and the settings that show it (control key to value)."""

    text: str
    settings: Mapping[str, Any]


@dataclass(frozen=True)
class Lesson:
    """One screen's words."""

    title: str
    question: str
    notice: tuple[Notice, ...]
    sections: Mapping[str, str]
    """Heading to Markdown; every screen has at least Formula and Sources."""


@cache
def load(screen: str, language: str = "en") -> Lesson:
    """Read a lesson: front matter (title, question, notice) and `## ` sections."""
    post = frontmatter.load(str(LESSONS / language / f"{screen}.md"))
    parts = ("\n" + post.content).split("\n## ")[1:]
    sections = {part.split("\n", 1)[0].strip(): part.split("\n", 1)[1].strip() for part in parts}
    items: Any = post.metadata.get("notice", [])
    notice = tuple(Notice(item["text"], item.get("settings", {})) for item in items)
    return Lesson(str(post["title"]), str(post["question"]), notice, sections)
