"""One question: its words, with numbers that are computed, and where they come from."""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from string import Formatter
from typing import Any

import frontmatter

from course.questions.numbers import NUMBERS, number

FOLDER = Path(__file__).parent
RAISED = str.maketrans("-0123456789", "⁻⁰¹²³⁴⁵⁶⁷⁸⁹")


class Filled(Formatter):
    """Fills names in braces with numbers: {name:.2f}; with {name:.0e} as 2 × 10⁻¹³."""

    def get_value(self, key: int | str, args: Any, kwargs: Any) -> Any:
        """A number by its name."""
        return number(str(key))

    def format_field(self, value: Any, format_spec: str) -> str:
        """A number as it is read."""
        shown = format(value, format_spec)
        if format_spec.endswith("e"):
            digits, _, power = shown.partition("e")
            return f"{digits} × 10{str(int(power)).translate(RAISED)}".replace(
                " ", "\N{NO-BREAK SPACE}"
            )
        return shown.replace("-", "−")


@dataclass(frozen=True)
class Question:
    """A question with its answer.

    Args:
        slug: Its id, which is its address.
        question: As people ask it.
        description: The answer in a sentence of at most 160 letters.
        text: Markdown; the answer is its first paragraph.
        labels: Words of the picture by id; "alt" says what it shows, "caption" stands below it.
        asked: Threads in which it was asked: "owner/repository#7", or an address with a name.
        read: Papers and code, Markdown.
        ran: What was run for the numbers, Markdown.
        tried: Name by address of where it can be tried on this site.
        search: Further words to find it by.
    """

    slug: str
    question: str
    description: str
    text: str
    labels: Mapping[str, str]
    asked: tuple[str, ...]
    read: tuple[str, ...]
    ran: str
    tried: Mapping[str, str]
    search: str

    @property
    def path(self) -> str:
        """Address from the root of the site."""
        return f"/questions/{self.slug}/"


def written(slug: str) -> dict[str, Any]:
    """Front matter of a file, and its text as "text", with names of numbers as they are written."""
    post = frontmatter.loads((FOLDER / f"{slug}.en.md").read_text("utf-8"))
    return {**post.metadata, "text": post.content}


def names(words: str) -> set[str]:
    """Names of numbers in a text."""
    return {name for _, name, _, _ in Formatter().parse(words) if name}


def load(slug: str) -> Question:
    """A question by its id, with its numbers filled in."""
    raw = written(slug)

    def filled(words: str) -> str:
        return Filled().vformat(words, (), NUMBERS)

    return Question(
        slug=slug,
        question=raw["question"],
        description=filled(raw["description"]),
        text=filled(raw["text"]),
        labels={name: filled(words) for name, words in raw["labels"].items()},
        asked=tuple(raw["asked"]),
        read=tuple(raw["read"]),
        ran=filled(raw["ran"]),
        tried=raw["tried"],
        search=raw["search"],
    )


def thread(asked: str) -> tuple[str, str]:
    """Name and address of a thread; GitHub leads from an issue's address to a pull request's."""
    if found := re.fullmatch(r"([\w.-]+/[\w.-]+)#(\d+)", asked):
        return asked, f"https://github.com/{found[1]}/issues/{found[2]}"
    name, _, address = asked.rpartition(" ")
    return name, address
