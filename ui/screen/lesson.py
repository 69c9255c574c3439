"""The words of a screen, from pages/<screen>/lesson.<language>.md.

Words stand in `question`, `predict`, in the `text` of each `notice` and in the sections; the title
is the name that the menu has, and only Home, which it does not have, brings its own.
In `predict` and `notice` a name in braces is a number of `exhibits.answers`. Keys, `settings` and
the `## ` lines, which name the sections, are the same in every language.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from string import Formatter
from typing import Any

import frontmatter

from course.chapters import FOLDER
from course.page.menu import SCREENS
from course.page.words import told_all
from exhibits.answers import answer as answer_of
from ui.words.languages import ENGLISH
from ui.words.pseudo import NAME as MADE_UP
from ui.words.pseudo import pseudo, pseudo_lesson
from ui.words.telling import fill, told_in

PAGES = Path(__file__).parent.parent.parent / "pages"


@dataclass(frozen=True)
class Notice:
    """Something to notice, and the settings that show it (control key to value)."""

    text: str
    settings: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True)
class Predict:
    """A question to answer before looking, with its options and what is so."""

    question: str
    options: Sequence[str]
    answer: str
    reveal: str


@dataclass(frozen=True)
class Lesson:
    """One screen's words."""

    screen: str
    title: str
    question: str
    predict: Predict | None
    notice: tuple[Notice, ...]
    sections: Mapping[str, str]
    """Heading to Markdown; every screen has at least Formula and Sources."""
    beside: Mapping[str, str]
    """Other screens that show the same otherwise (computed here, measured there): words of the
    link by the screen's id."""


def load(screen: str, spoken: str = ENGLISH) -> Lesson:
    """Read a lesson: front matter (question, predict, notice) and `## ` sections."""
    path = file_of(screen, "lesson", spoken)
    # The time makes an edit show while the app runs.
    return _read(path, spoken, path.stat().st_mtime_ns)


def file_of(screen: str, kind: str, spoken: str) -> Path:
    """Where words of a screen stand: `lesson` or `homework`, in a language or else in English."""
    names = (f"{screen}/{kind}.{one}.md" for one in (spoken, ENGLISH))
    # A chapter without a screen has its own.
    places = [folder / name for name in names for folder in (FOLDER, PAGES)]
    return next((place for place in places if place.is_file()), places[-1])


def teller(spoken: str) -> Callable[[str], str]:
    """Function that fills in a lesson's texts: `exhibits.answers` in braces become numbers."""
    is_made_up = spoken == MADE_UP
    told, name = (pseudo, ENGLISH) if is_made_up else (str, spoken)
    return lambda text: _computed(told(text), name)


@cache
def _read(path: Path, spoken: str, _changed: int) -> Lesson:
    post = frontmatter.load(str(path))
    words = told_all(post.metadata, teller(spoken))
    content = pseudo_lesson(post.content) if spoken == MADE_UP else post.content
    parts = ("\n" + content).split("\n## ")[1:]
    sections = {part.split("\n", 1)[0].strip(): part.split("\n", 1)[1].strip() for part in parts}
    name = path.parent.name
    return Lesson(
        screen=name,
        title=told_in(spoken)(SCREENS[name].label) if name in SCREENS else words["title"],
        question=words["question"],
        predict=Predict(**words["predict"]) if "predict" in words else None,
        notice=tuple(Notice(**item) for item in words.get("notice", ())),
        sections=sections,
        beside=words.get("beside", {}),
    )


def _computed(text: str, spoken: str) -> str:
    """Names of `exhibits.answers` in braces become their numbers: {alpha_base:,.0f}."""
    names = {name for _, name, _, _ in Formatter().parse(text) if name}
    return fill(text, {name: answer_of(name) for name in names}, spoken)
