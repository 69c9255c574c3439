"""The terms of the course: two sentences each, and links to them from the words of a walk.

A lesson writes `[pairs](term:pair)` at the first use of a term. It becomes a link to the glossary,
which says the two sentences where one points at it.
"""

import re
from dataclasses import dataclass
from typing import Any

from ui.screen.course import PAGE, chapter

LINK = re.compile(r"\[([^\]]+)\]\(term:(\w+)\)")


@dataclass(frozen=True)
class Term:
    """A term and what it means."""

    id: str
    term: str
    text: str


def glossary() -> dict[str, Term]:
    """Every term in the reader's language, by its id, in the order of the course."""
    items: Any = chapter(PAGE).more["glossary"]
    return {item["id"]: Term(**item) for item in items}
