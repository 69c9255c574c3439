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
from unicodedata import east_asian_width

import frontmatter

from course.chapters import COURSE, FOLDER, MOVED
from course.page.menu import CHAPTERS
from course.page.voice import Voice
from exhibits.answers import answer

ENGLISH = "en"
WORD_LISTS = ("sentence", "story", "names", "page", "longer")
"""Labels that are lists of words with a space between two, in every language."""
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
    way: str
    """How it tells attention the places: "add", "subtract" or "turn"; "" where it does not."""
    voice: Voice
    """The language of its words."""

    def path(self, step: str = "") -> str:
        """Address of the chapter, or of one of its steps by its id, from the root of the site."""
        return f"/course/{self.id}/{step}{'/' if step else ''}"

    @property
    def minutes(self) -> int:
        """How long it takes: its words read slowly, and a while for each picture."""
        text = " ".join(" ".join(_parts(step)) for step in self.steps)
        others = "".join(" " if east_asian_width(letter) == "W" else letter for letter in text)
        alone = sum(east_asian_width(letter) == "W" for letter in text)  # Chinese has no spaces
        words = len(re.findall(r"\w+", others)) + alone / 2
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


def filled(text: str) -> str:
    """A text with names of `exhibits.answers` in braces as their numbers: {alpha_base:,.0f}."""
    names = {name for _, name, _, _ in Formatter().parse(text) if name}
    return text.format(**{name: answer(name) for name in names})


PLAIN = Voice(ENGLISH, ENGLISH, ENGLISH, str, filled, (",", "."))
"""English."""


def chapter(name: str, voice: Voice = PLAIN) -> Chapter:
    """The words of a chapter; in English where they are not in the language that is asked for.

    Raises:
        ValueError: If there is no such chapter.
    """
    if name not in COURSE:
        raise ValueError(f"name must be one of {', '.join(COURSE)}, got {name!r}.")
    if not file_of(name, voice.files).is_file():
        voice = PLAIN
    path = file_of(name, voice.files)
    # The time makes an edit show while the app runs.
    return _chapter(path, voice, path.stat().st_mtime_ns)


def file_of(name: str, language: str) -> Path:
    """Where the words of a chapter stand in a language."""
    return FOLDER / name / f"words.{language}.md"


def chapters(voice: Voice = PLAIN) -> list[Chapter]:
    """The words of all chapters, in order."""
    return [chapter(name, voice) for name in COURSE]


def voice_of(name: str, voice: Voice) -> Voice:
    """The language in which there are the words of "glossary" or of "quiz"."""
    return voice if _place(name, voice.files).is_file() else PLAIN


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
def glossary(voice: Voice = PLAIN) -> dict[str, Term]:
    """Every term by its id, in the order in which the course uses them."""
    voice = voice_of("glossary", voice)
    told = told_all(_read("glossary", voice.files)["terms"], voice.filled)
    return {one["id"]: Term(**one) for one in told}


@cache
def quiz(voice: Voice = PLAIN) -> list[dict[str, Any]]:
    """The ten questions at the end, each with what is `right` and what is `wrong` and why."""
    questions: list[dict[str, Any]] = told_all(
        _read("quiz", voice.files)["questions"], voice.filled
    )
    return questions


def told_all(given: Any, told: Callable[[str], str]) -> Any:
    """Lists and mappings with their texts told; ids are not told."""
    if isinstance(given, list):
        return [told_all(one, told) for one in given]
    if isinstance(given, dict):
        return {key: one if key in IDS else told_all(one, told) for key, one in given.items()}
    return told(given) if isinstance(given, str) else given


@cache
def _chapter(path: Path, voice: Voice, _changed: int) -> Chapter:
    post: Any = frontmatter.load(str(path))
    words = told_all(post.metadata, voice.filled)
    lists = {name: one for name, one in post["labels"].items() if name in WORD_LISTS}
    return Chapter(
        id=path.parent.name,
        title=voice.told(CHAPTERS[path.parent.name].label),
        question=words["question"],
        screen=words.get("screen", path.parent.name),
        labels=words["labels"]
        | {name: " ".join(map(voice.filled, one.split())) for name, one in lists.items()},
        steps=tuple(_step(**step) for step in words["steps"]),
        sources=post.content.removeprefix("## Sources").strip(),
        way=words.get("way", ""),
        voice=voice,
    )


def _step(guess: dict[str, Any] | None = None, **words: Any) -> Step:
    return Step(guess=Guess(**POINTED_AT | guess) if guess else None, **words)


def _parts(step: Step) -> tuple[str, ...]:
    """All that a step says, one thing after the other."""
    guess = (step.guess.question, *step.guess.options, step.guess.reveal) if step.guess else ()
    return step.title, step.text, *guess, step.task, step.reached


def _read(name: str, language: str) -> Mapping[str, Any]:
    return frontmatter.load(str(_place(name, language))).metadata


def _place(name: str, language: str) -> Path:
    return Path(__file__).parent / f"{name}.{language}.md"
