"""The pages of the questions."""

import re
from collections.abc import Callable, Mapping
from functools import cache
from html import escape

from markdown_it import MarkdownIt

from course.page.document import Page
from course.questions.numbers import FACTS
from course.questions.question import FOLDER, Question, load, names, thread, written

PICTURES: Mapping[str, Callable[[Mapping[str, str]], str]] = {
    slug: draw for facts in FACTS for slug, draw in facts.PICTURES.items()
}
"""Picture of each question, from its labels to SVG."""


def pages(*, alone: bool = False) -> list[Page]:
    """The list of the questions, and a page for each, in their order.

    Args:
        alone: Whether they stand without the app; ways to its screens are then left out.
    """
    return [contents(), *(page(slug, alone=alone) for slug in order())]


def listed() -> list[Page]:
    """Each question without its answer and its numbers, which take long to compute."""
    pages = []
    for slug in order():
        raw = written(slug)
        about = "" if names(raw["description"]) else raw["description"]
        head = _found_by(raw["search"])
        pages.append(Page(f"/questions/{slug}/", raw["question"], about, "", head=head))
    return pages


def _found_by(words: str) -> str:
    """A line of the head with further words by which a question is found."""
    return f'<meta name="keywords" content="{escape(words)}">'


@cache
def contents() -> Page:
    """The list of the questions."""
    index = written("index")
    return Page(
        path="/questions/",
        title=index["title"],
        description=index["description"],
        body=_contents(index, {slug: load(slug) for slug in order()}),
        head=_style(),
    )


@cache
def page(slug: str, *, alone: bool = False) -> Page:
    """One question, of which `alone` is as for `pages`; its numbers are computed here."""
    one = load(slug)
    return Page(
        path=one.path,
        title=one.question,
        description=one.description,
        body=_answer(one, written("index")["words"], alone),
        head=_style() + _found_by(one.search),
    )


def _style() -> str:
    return f"<style>{(FOLDER / 'questions.css').read_text('utf-8')}</style>"


def order() -> list[str]:
    """Ids of all questions, in the order of the list."""
    groups = written("index")["groups"]
    return [slug for group in groups for part in group["parts"] for slug in part["questions"]]


def _contents(index: Mapping[str, object], questions: Mapping[str, Question]) -> str:
    """HTML of the list."""
    groups = index["groups"]
    assert isinstance(groups, list)
    parts = [f'<article class="question"><h1>{escape(str(index["title"]))}</h1>']
    parts.append(_markdown().render(str(index["text"])))
    for group in groups:
        parts.append(f"<h2>{escape(group['title'])}</h2>")
        for part in group["parts"]:
            items = [questions[slug] for slug in part["questions"]]
            entries = "".join(
                f'<li><a href="{one.path}">{escape(one.question)}</a></li>' for one in items
            )
            parts.append(f"<h3>{escape(part['title'])}</h3><ul>{entries}</ul>")
    return "".join([*parts, "</article>"])


def _answer(one: Question, words: Mapping[str, str], alone: bool) -> str:
    """HTML of one question: the answer, the picture, the reasons, where to try it, its sources."""
    first, _, rest = one.text.partition("\n\n")
    ways = {
        to: name
        for to, name in one.tried.items()
        if not alone or to.startswith(("/course/", "/questions/"))
    }
    links = " · ".join(f'<a href="{to}">{escape(name)}</a>' for to, name in ways.items())
    tried = f'<p class="try">{escape(words["tried"])} {links}</p>' if ways else ""
    threads = ", ".join(
        f'<a href="{escape(address)}">{escape(name)}</a>'
        for name, address in map(thread, one.asked)
    )
    sources = "".join(_markdown().render(source) for source in one.read)
    return f"""\
<article class="question">
<p class="above"><a href="/questions/">{escape(words["questions"])}</a></p>
<h1>{_title(one.question)}</h1>
{_markdown().render(first)}
<figure>
{PICTURES[one.slug](one.labels)}
<figcaption>{_markdown().renderInline(one.labels["caption"])}</figcaption>
</figure>
{_markdown().render(rest)}
{tried}
<dl>
<dt>{escape(words["asked"])}</dt><dd>{threads}</dd>
<dt>{escape(words["read"])}</dt><dd>{sources}</dd>
<dt>{escape(words["ran"])}</dt><dd>{_markdown().render(one.ran)}</dd>
</dl>
</article>"""


def _title(words: str) -> str:
    """HTML of a title whose names with a hyphen stay on one line."""
    return re.sub(r"\S*-\S+", r'<span class="whole">\g<0></span>', escape(words))


@cache
def _markdown() -> MarkdownIt:
    return MarkdownIt("commonmark", {"html": False}).enable("table")
