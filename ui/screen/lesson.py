"""The words of a screen, from pages/<screen>/lesson.<language>.md.

Words stand in `title`, `question`, `predict`, in each step of `walk` (`title`, `text`, `guess`,
`task`, `reached`), in its `labels`, in the `text` of each `notice`, in the course's `glossary` and
`quiz`, and in the sections. In all of them but title, question and sections, a name in braces is a
number of `exhibits.answers`, and `[[name]]` one that the picture tells itself. Keys, `settings`,
the `id` and the `screen` of an entry and the `## ` lines, which name the sections, are the same in
every language.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from string import Formatter
from typing import Any

import frontmatter

from exhibits.answers import answer as answer_of
from ui.words.languages import ENGLISH
from ui.words.pseudo import NAME as MADE_UP
from ui.words.pseudo import pseudo, pseudo_lesson
from ui.words.telling import fill

MORE = ("glossary", "quiz")
IDS = ("id", "screen", "step", "settings", "picture", "free")
POINTED_AT: dict[str, Any] = {"options": (), "right": -1}
"""A guess that the picture judges."""
PAGES = Path(__file__).parent.parent.parent / "pages"


@dataclass(frozen=True)
class Notice:
    """Something to notice, and the settings that show it (control key to value)."""

    text: str
    settings: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True)
class Guess:
    """A question that is committed to before the picture answers it."""

    question: str
    options: Sequence[str]
    """Empty where the reader points at something in the picture, which judges it."""
    right: int
    """Index of the right option; -1 where the picture judges."""
    reveal: str


@dataclass(frozen=True)
class WalkStep:
    """One idea: a few sentences beside a picture, and what the reader does there."""

    id: str
    """The name of the step in addresses and in its picture."""
    title: str
    text: str
    settings: Mapping[str, Any] = field(default_factory=dict)
    """Settings of the free screen that shows the same: control key to value."""
    guess: Guess | None = None
    task: str = ""
    """Goal that the reader is asked to reach in the picture."""
    reached: str = ""
    """Sentence that is shown once it is reached."""


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
    walk: tuple[WalkStep, ...]
    notice: tuple[Notice, ...]
    sections: Mapping[str, str]
    """Heading to Markdown; every screen has at least Formula and Sources."""
    picture: str
    """The module of `static/course/pictures/` that tells the walk; "" without a walk."""
    free: str
    """The screen with all that its steps set: its own, or that of another chapter."""
    labels: Mapping[str, str]
    """The picture's own words, by name."""
    more: Mapping[str, Any]
    """The rest of the front matter, with its numbers: the course's glossary and questions."""


def load(screen: str, spoken: str = ENGLISH) -> Lesson:
    """Read a lesson: front matter (title, question, predict, walk, notice) and `## ` sections."""
    path = file_of(screen, "lesson", spoken)
    # The time makes an edit show while the app runs.
    return _read(path, spoken, path.stat().st_mtime_ns)


def file_of(screen: str, kind: str, spoken: str) -> Path:
    """Where words of a screen stand: its `lesson` or its `homework` in a language."""
    return PAGES / screen / f"{kind}.{ENGLISH if spoken == MADE_UP else spoken}.md"


def teller(spoken: str) -> Callable[[object], str]:
    """Function that fills in a lesson's texts: `exhibits.answers` in braces become numbers."""
    is_made_up = spoken == MADE_UP
    told, name = (pseudo, ENGLISH) if is_made_up else (str, spoken)
    return lambda text: _computed(told(str(text)), name)


@cache
def _read(path: Path, spoken: str, _changed: int) -> Lesson:
    post = frontmatter.load(str(path))
    words = told_all(post.metadata, teller(spoken))
    content = pseudo_lesson(post.content) if spoken == MADE_UP else post.content
    parts = ("\n" + content).split("\n## ")[1:]
    sections = {part.split("\n", 1)[0].strip(): part.split("\n", 1)[1].strip() for part in parts}
    return Lesson(
        screen=path.parent.name,
        title=words["title"],
        question=words["question"],
        predict=Predict(**words["predict"]) if "predict" in words else None,
        walk=tuple(_walk_step(**step) for step in words.get("walk", ())),
        notice=tuple(Notice(**item) for item in words.get("notice", ())),
        sections=sections,
        picture=words.get("picture", ""),
        free=words.get("free", path.parent.name),
        labels=words.get("labels", {}),
        more={name: words.get(name, []) for name in MORE},
    )


def _walk_step(guess: dict[str, Any] | None = None, **words: Any) -> WalkStep:
    return WalkStep(guess=Guess(**POINTED_AT | guess) if guess else None, **words)


def told_all(given: Any, computed: Callable[[object], str]) -> Any:
    """Lists and mappings with their texts told; ids are not told."""
    if isinstance(given, list):
        return [told_all(one, computed) for one in given]
    if isinstance(given, dict):
        return {key: one if key in IDS else told_all(one, computed) for key, one in given.items()}
    return computed(given) if isinstance(given, str) else given


def _computed(text: str, spoken: str) -> str:
    """Names of `exhibits.answers` in braces become their numbers: {alpha_base:,.0f}."""
    names = {name for _, name, _, _ in Formatter().parse(text) if name}
    return fill(text, {name: answer_of(name) for name in names}, spoken)
