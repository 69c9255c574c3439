"""Every plain page of the site: the app serves them, and `make static` writes them as files."""

from dataclasses import replace
from functools import cache

from course.chapters import COURSE
from course.page import chapter, contents
from course.page.document import Page, document
from course.questions import build as questions


def pages(*, alone: bool = False) -> list[Page]:
    """Every page.

    Args:
        alone: Whether they stand without the app; ways to its screens are then left out.
    """
    chapters = [page for name in COURSE for page in chapter.pages(name, alone=alone)]
    return [*contents.pages(alone=alone), *chapters, *questions.pages(alone=alone)]


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
