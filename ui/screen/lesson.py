"""The words of a screen, from pages/<screen>/lesson.<language>.md."""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from string import Formatter
from typing import Any

import frontmatter

from exhibits.answers import answer

PAGES = Path(__file__).parent.parent.parent / "pages"


@dataclass(frozen=True)
class Notice:
    """Something to notice, and the settings that show it (control key to value)."""

    text: str
    settings: Mapping[str, Any]


@dataclass(frozen=True)
class Predict:
    """A question to answer before looking, with its options and what is so."""

    question: str
    options: tuple[str, ...]
    answer: str
    """One of the options."""
    reveal: str


@dataclass(frozen=True)
class Lesson:
    """One screen's words."""

    title: str
    question: str
    predict: Predict | None
    notice: tuple[Notice, ...]
    sections: Mapping[str, str]
    """Heading to Markdown; every screen has at least Formula and Sources."""


@cache
def load(screen: str, language: str = "en") -> Lesson:
    """Read a lesson: front matter (title, question, predict, notice) and `## ` sections."""
    post = frontmatter.load(str(PAGES / screen / f"lesson.{language}.md"))
    parts = ("\n" + post.content).split("\n## ")[1:]
    sections = {part.split("\n", 1)[0].strip(): part.split("\n", 1)[1].strip() for part in parts}
    items: Any = post.metadata.get("notice", [])
    notice = tuple(Notice(item["text"], item.get("settings", {})) for item in items)
    asked: Any = post.metadata.get("predict")
    predict = _predict(asked) if asked else None
    return Lesson(str(post["title"]), str(post["question"]), predict, notice, sections)


def _predict(asked: Mapping[str, Any]) -> Predict:
    return Predict(
        str(asked["question"]),
        tuple(_computed(str(option)) for option in asked["options"]),
        _computed(str(asked["answer"])),
        _computed(str(asked["reveal"])),
    )


def _computed(text: str) -> str:
    """Names of `exhibits.answers` in braces become their numbers: {alpha_base:,.0f}."""
    names = {name for _, name, _, _ in Formatter().parse(text) if name}
    return text.format_map({name: answer(name) for name in names})
