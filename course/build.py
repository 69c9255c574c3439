"""Every plain page of the site: the app serves them, and `make static` writes them as files.

    python -m course.build

keeps them in `MADE`, for a release whose files do not change any more: an image's. Its numbers
take a replica seconds and 180 MB.
"""

import json
from dataclasses import asdict, replace
from functools import cache
from pathlib import Path

from course.chapters import COURSE
from course.page import chapter, contents
from course.page.document import Page, document
from course.page.menu import Entry
from course.page.voice import Voice
from course.page.words import PLAIN, chapters
from course.questions import build as questions
from course.questions.question import written
from posenc.words import say

QUESTIONS = "questions"
MADE = Path(__file__).with_name("made.json")


def parts() -> list[str]:
    """Parts of the site that are made together: "course", each chapter, each of the questions."""
    return ["course", *COURSE, QUESTIONS, *(f"{QUESTIONS}/{slug}" for slug in questions.order())]


def part_of(path: str) -> str:
    """The part that a path belongs to, whether there is such a page or not."""
    root, name, *_ = [*path.strip("/").split("/"), ""]
    if root == QUESTIONS:
        return f"{QUESTIONS}/{name}" if name in questions.order() else QUESTIONS
    return name if name in COURSE else "course"


def pages(*, alone: bool = False) -> list[Page]:
    """Every page.

    Args:
        alone: Whether they stand without the app; ways to its screens are then left out.
    """
    return [page for name in parts() for page in part(name, alone=alone)]


def found() -> list[Page]:
    """Every page with what the search field finds it by; no question's numbers are computed."""
    told = ("course", *COURSE)
    return [*(page for name in told for page in part(name)), *questions.listed()]


@cache
def inner() -> tuple[Entry, ...]:
    """The steps and the questions, which stand in no menu; no page or number is made for it."""
    steps = (
        Entry(
            step.id,
            step.title,
            lesson.path(step.id),
            say("A step of {chapter}", chapter=lesson.title),
        )
        for lesson in chapters()
        for step in lesson.steps
    )
    asked = (
        Entry(slug, written(slug)["question"], f"/{QUESTIONS}/{slug}/", say("Question"))
        for slug in questions.order()
    )
    return (*steps, *asked)


@cache
def part(name: str, voice: Voice = PLAIN, *, alone: bool = False) -> tuple[Page, ...]:
    """The pages of a part: whoever reads one waits for no other.

    Args:
        name: One of `parts`.
        voice: The language of its words; questions are in English.
        alone: As for `pages`.
    """
    if not alone and voice == PLAIN and name in prebuilt():
        return tuple(Page(**page) for page in prebuilt()[name])
    if name in COURSE:
        return (*chapter.pages(name, voice, alone=alone),)
    if name == "course":
        return (*contents.pages(voice, alone=alone),)
    slug = name.removeprefix(QUESTIONS).strip("/")
    return (questions.page(slug, alone=alone) if slug else questions.contents(),)


@cache
def prebuilt() -> dict[str, list[dict[str, str]]]:
    """The parts that were made with the release; {} where none was."""
    told: dict[str, list[dict[str, str]]] = json.loads(MADE.read_text()) if MADE.exists() else {}
    return told


@cache
def site(*, public: str = "", alone: bool = False) -> dict[str, bytes]:
    """The HTML of every page by its path from the root of the site, "/course/rope/".

    Args:
        public: The site's public address, "https://…/"; "" if it is not known.
        alone: Whether the pages stand without the app.
    """
    found = pages(alone=alone)
    if alone:  # its first page is the contents
        found.append(replace(found[0], path="/"))
    return {page.path: document(page, public=public, alone=alone).encode() for page in found}


def keep() -> None:
    """Make every part, and keep them with the release."""
    MADE.unlink(missing_ok=True)
    made = {name: [asdict(page) for page in part(name)] for name in parts()}
    MADE.write_text(json.dumps(made))


if __name__ == "__main__":
    keep()
