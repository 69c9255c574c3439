"""The words of a chapter, from course/chapters/<chapter>/words.<language>.md.

Words stand in `question`, in each of the `steps` (`title`, `text`, `guess`, `task`, `reached`) and
in the `labels` of the picture; a name in braces is a number of `exhibits.answers`, and `[[name]]`
one that the picture tells itself. The title is the name that the menu has. What stands below the
front matter are the sources. Keys, `settings` and ids are the same in every language.
"""

import math
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from string import Formatter
from typing import Any

import frontmatter

from course.chapters import COURSE, FOLDER, MOVED
from course.page.menu import CHAPTERS
from exhibits.answers import answer

ENGLISH = "en"
IDS = ("id", "screen", "step", "settings", "picture", "way")
POINTED_AT: dict[str, Any] = {"options": (), "right": -1}
"""A guess that the picture judges."""
STORY = "story"
"""Parameter of a screen's address: the step from which one came, as "rope/lock"."""
WORDS_A_MINUTE = 150
STEP_MINUTES = 0.5  # for the picture


@dataclass(frozen=True)
class Guess:
    """A question that is committed to before the picture answers it."""

    question: str
    options: Sequence[str]
    """Empty where the reader points at something in the picture, which judges it."""
    right: int
    """Index of the right option; -1 where the picture judges."""
    reveal: str
    wrong: Sequence[str] = ()
    """Why each wrong option is wrong, in their order."""


@dataclass(frozen=True)
class Step:
    """One idea: a few sentences beside a picture, and what the reader does there."""

    id: str
    """The name of the step in addresses and in its picture."""
    title: str
    text: str
    settings: Mapping[str, Any] = field(default_factory=dict)
    """Settings of the screen that shows the same: control key to value."""
    screen: str = ""
    """That screen; "" for the one of the chapter."""
    guess: Guess | None = None
    task: str = ""
    """Goal that the reader is asked to reach in the picture."""
    reached: str = ""
    """Sentence that is shown once it is reached."""


@dataclass(frozen=True)
class Chapter:
    """A chapter's words."""

    id: str
    title: str
    question: str
    screen: str
    """The screen on which one explores the same; "" where there is none."""
    labels: Mapping[str, str]
    """The picture's own words, by name."""
    steps: tuple[Step, ...]
    sources: str
    """Markdown; "" where those of the screen are all."""
    way: str = ""
    """How it tells attention the places: "add", "subtract" or "turn"; "" where it does not."""

    def path(self, step: str = "") -> str:
        """Address of the chapter, or of one of its steps by its id, from the root of the site."""
        return f"/course/{self.id}/{step}{'/' if step else ''}"

    @property
    def minutes(self) -> int:
        """How long it takes: its words read slowly, and a while for each picture."""
        words = len(re.findall(r"\w+", " ".join(" ".join(_parts(step)) for step in self.steps)))
        return math.ceil(words / WORDS_A_MINUTE + STEP_MINUTES * len(self.steps))

    def number_of(self, name: str) -> int:
        """Place of a step by its id or its number, from 1; 0 if there is none such."""
        ids = [step.id for step in self.steps]
        if name in ids:
            return ids.index(name) + 1
        is_number = name.isascii() and name.isdigit() and len(name) < 3
        return int(name) if is_number and int(name) <= len(ids) else 0


@dataclass(frozen=True)
class Term:
    """A term of the glossary and what it means, in two sentences."""

    id: str
    term: str
    text: str


def chapter(name: str) -> Chapter:
    """The words of a chapter.

    Raises:
        ValueError: If there is no such chapter.
    """
    if name not in COURSE:
        raise ValueError(f"name must be one of {', '.join(COURSE)}, got {name!r}.")
    path = FOLDER / name / f"words.{ENGLISH}.md"
    # The time makes an edit show while the app runs.
    return _chapter(path, path.stat().st_mtime_ns)


def chapters() -> list[Chapter]:
    """The words of all chapters, in order."""
    return list(map(chapter, COURSE))


def step_at(name: str, step: str) -> tuple[Chapter, int]:
    """A chapter and the place of its step, by an address of today or of earlier times.

    Args:
        name: Of the chapter.
        step: Its id or its number; a step that there is not has the place 0.

    Raises:
        ValueError: If there is no such chapter.
    """
    name, step = MOVED.get((name, step), (name, step))
    lesson = chapter(name)
    return lesson, lesson.number_of(step)


def before(name: str) -> str | None:
    """The chapter before this one; None before the first."""
    at = COURSE.index(name)
    return COURSE[at - 1] if at else None


def after(name: str) -> str | None:
    """The chapter after this one; None after the last."""
    at = COURSE.index(name) + 1
    return COURSE[at] if at < len(COURSE) else None


@cache
def glossary() -> dict[str, Term]:
    """Every term by its id, in the order in which the course uses them."""
    told = told_all(_read("glossary")["terms"], filled)
    return {one["id"]: Term(**one) for one in told}


@cache
def quiz() -> list[dict[str, Any]]:
    """The ten questions at the end, each with what is `right` and what is `wrong` and why."""
    questions: list[dict[str, Any]] = told_all(_read("quiz")["questions"], filled)
    return questions


def told_all(given: Any, told: Callable[[str], str]) -> Any:
    """Lists and mappings with their texts told; ids are not told."""
    if isinstance(given, list):
        return [told_all(one, told) for one in given]
    if isinstance(given, dict):
        return {key: one if key in IDS else told_all(one, told) for key, one in given.items()}
    return told(given) if isinstance(given, str) else given


def filled(text: str) -> str:
    """A text with names of `exhibits.answers` in braces as their numbers: {alpha_base:,.0f}."""
    names = {name for _, name, _, _ in Formatter().parse(text) if name}
    return text.format(**{name: answer(name) for name in names})


@cache
def _chapter(path: Path, _changed: int) -> Chapter:
    post = frontmatter.load(str(path))
    words = told_all(post.metadata, filled)
    return Chapter(
        id=path.parent.name,
        title=CHAPTERS[path.parent.name].label,
        question=words["question"],
        screen=words.get("screen", path.parent.name),
        labels=words["labels"],
        steps=tuple(_step(**step) for step in words["steps"]),
        sources=post.content.removeprefix("## Sources").strip(),
        way=words.get("way", ""),
    )


def _step(guess: dict[str, Any] | None = None, **words: Any) -> Step:
    return Step(guess=Guess(**POINTED_AT | guess) if guess else None, **words)


def _parts(step: Step) -> tuple[str, ...]:
    """All that a step says, one thing after the other."""
    guess = (step.guess.question, *step.guess.options, step.guess.reveal) if step.guess else ()
    return step.title, step.text, *guess, step.task, step.reached


def _read(name: str) -> Mapping[str, Any]:
    return frontmatter.load(str(Path(__file__).parent / f"{name}.{ENGLISH}.md")).metadata
