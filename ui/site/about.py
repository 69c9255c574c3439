"""The screens as plain pages: what their addresses say to who asks without running scripts."""

import re
from functools import cache
from html import escape
from urllib.parse import parse_qs, quote

from markdown_it import MarkdownIt

from advisor.inputs.typed import tokens
from course.chapters import COURSE
from course.page.document import Page
from course.page.files import preview
from course.page.header import NAME
from course.page.menu import SCREENS, Entry
from posenc.words import say
from ui.charts.served import STATIC
from ui.screen.lesson import Lesson, file_of, load
from ui.words.languages import ENGLISH

HOME = "home"
MOST = 60  # letters of a name that is said again
NAMED = re.compile(r"(?!own$)[A-Za-z0-9][\w.-]*(/[\w.-]+)?")
"""A model's name; "own" is a file of the reader's."""
MARKDOWN = MarkdownIt().enable("table")
FORMULA = re.compile(r"\$\$[^$]+\$\$|\$[^$\n`]+\$")


PATHS = ("/", *(entry.address for entry in SCREENS.values()))
"""Paths of Home and the screens."""


@cache
def page(path: str) -> Page:
    """Home or a screen: title, the question as description, and the words of the lesson."""
    return _home() if path == "/" else _page(SCREENS[path.strip("/")])


def _home() -> Page:
    lesson = load(HOME)
    screens = "".join(
        f'<li><a href=".{entry.address}">{escape(entry.label)}</a>: {escape(entry.words)}</li>'
        for entry in SCREENS.values()
    )
    body = (
        f"<h1>{escape(lesson.title)}</h1>\n<p>{escape(lesson.question)}</p>\n"
        f'<p><a href="./course/">{escape(say("The course"))}</a></p>\n<ul>{screens}</ul>\n'
    )
    return Page("/", NAME, f"{lesson.title}. {lesson.question}", body + _sections(lesson))


def _page(entry: Entry) -> Page:
    place = f"/static/site/shown/{entry.id}.png"
    has_own = (STATIC.parent / place[1:]).is_file()
    picture = f"/app{place}" if has_own else preview(entry.id) if entry.id in COURSE else ""
    words = f"<h1>{escape(entry.label)}</h1>\n<p>{escape(entry.words)}</p>\n"
    if not file_of(entry.id, "lesson", ENGLISH).is_file():  # the class's pages have no lesson
        return Page(entry.address, entry.label, entry.words, words, picture)
    lesson = load(entry.id)
    words += f"<p>{escape(lesson.question)}</p>\n"
    if lesson.notice:
        notices = "".join(
            f"<li>{MARKDOWN.renderInline(_kept(one.text))}</li>" for one in lesson.notice
        )
        words += f"<h2>{escape(say('What to notice'))}</h2>\n<ul>{notices}</ul>\n"
    return Page(entry.address, entry.label, lesson.question, words + _sections(lesson), picture)


def _sections(lesson: Lesson) -> str:
    """Formula, sources and what else stands below the pictures; formulas as they are written."""
    return "\n".join(
        f"<h2>{escape(name)}</h2>\n{MARKDOWN.render(_kept(text))}"
        for name, text in lesson.sections.items()
    )


def _kept(text: str) -> str:
    """Markdown in which no sign of a formula is one of Markdown's."""
    return FORMULA.sub(lambda found: re.sub(r"([\\_*])", r"\\\1", found[0]), text)


def decided(page: Page, query: str) -> tuple[Page, str]:
    """The studio's page for a link that names a model and a length, and what counts of its query.

    Args:
        page: Of the studio, or of any other screen, which stays as it is.
        query: Of the address.
    """
    if page.path != "/config":
        return page, ""
    asked = parse_qs(query, max_num_fields=100)
    model = asked.get("model", [""])[-1]
    length = _length((asked.get("target_length") or asked.get("target") or [""])[-1])
    if len(model) > MOST or not NAMED.fullmatch(model):
        return page, ""
    title = say("{model}: how far it reads", model=model)
    counted = f"model={quote(model)}"
    if 0 < length < 10**9:
        title = say("{model} at {length:,} tokens", model=model, length=length)
        counted += f"&target_length={length}"
    words = say("{title}: scaling, engine settings, memory and findings.", title=title)
    body = f"<h1>{escape(title)}</h1>\n{page.body}"
    return Page(page.path, title, words, body, page.picture), counted


def _length(typed: str) -> int:
    """A length as it stands in a link, 131072 or 128k; 0 where it is none."""
    try:
        return tokens("target", typed)
    except ValueError:
        return 0
