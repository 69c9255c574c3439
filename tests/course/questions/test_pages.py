"""Every question has its answer, one picture, its sources and a way to try it."""

import re
from collections.abc import Iterator
from html import escape
from pathlib import Path
from xml.etree import ElementTree

import pytest

from course.page.document import document
from course.page.words import chapters
from course.questions.build import PICTURES, order, pages
from course.questions.numbers import NUMBERS
from course.questions.question import FOLDER, Question, load, names, thread, written
from tests.conftest import ROOT

SLUGS = order()
QUESTION = pytest.mark.parametrize("slug", SLUGS)


class Labels(dict[str, str]):
    """Labels that remember which of them were drawn."""

    def __init__(self, labels: dict[str, str]) -> None:
        super().__init__(labels)
        self.drawn: set[str] = set()

    def __getitem__(self, name: str) -> str:
        self.drawn.add(name)
        return super().__getitem__(name)


def addresses() -> Iterator[str]:
    """Every address of the site that a question may lead to."""
    for screen in (ROOT / "pages").glob("*/screen.py"):
        yield f"/{screen.parent.name}"
    for lesson in chapters():
        yield lesson.path()
        yield from (lesson.path(step.id) for step in lesson.steps)
    yield from (f"/questions/{slug}/" for slug in SLUGS)


def words_of(slug: str) -> dict[str, str]:
    """All that a reader reads of a question, as it is written, but its title and its sources."""
    raw = written(slug)
    labels = {f"labels.{name}": words for name, words in raw["labels"].items()}
    return {**labels, **{name: raw[name] for name in ("description", "text", "ran")}}


def drawing(one: Question) -> ElementTree.Element:
    return ElementTree.fromstring(PICTURES[one.slug](one.labels))


def test_each_file_is_in_the_list_once_and_has_a_picture() -> None:
    files = sorted(path.name.removesuffix(".en.md") for path in FOLDER.glob("*.en.md"))
    assert sorted([*SLUGS, "index"]) == files
    assert sorted(PICTURES) == sorted(SLUGS)


def test_each_number_is_told_somewhere() -> None:
    told = {name for slug in SLUGS for words in words_of(slug).values() for name in names(words)}
    assert told == set(NUMBERS)


@QUESTION
def test_the_answer_is_short_and_says_where_it_comes_from(slug: str) -> None:
    one = load(slug)
    assert one.question.endswith("?")
    assert len(one.description) <= 160
    assert one.description.endswith(".")
    assert 100 <= len(one.text.split()) <= 230
    assert one.asked
    assert all(thread(asked)[1].startswith("https://") for asked in one.asked)
    assert any("](https://" in source or "`" in source for source in one.read)
    assert one.ran
    assert one.search


@QUESTION
def test_no_number_is_typed(slug: str) -> None:
    for place, words in words_of(slug).items():
        plain = re.sub(r"`[^`]*`|\{[^}]*\}|\]\([^)]*\)", "", words)
        plain = re.sub(r"(?:August|November) \d{4}", "", plain)
        plain = re.sub(r"(?:Llama|transformers|Qwen|Gemma|GPT|Falcon) \d[\d.]*", "", plain)
        plain = re.sub(r"[A-Za-z][\w.-]*\d[\w.-]*", "", plain)  # names: GPT-2, T5, float32
        plain = re.sub(r"\bx/\d|1/d|d/2", "", plain)  # parts of a formula
        assert not re.search(r"\d", plain), (place, plain)


@QUESTION
def test_it_can_be_tried_at_addresses_that_are_there(slug: str) -> None:
    tried = load(slug).tried
    assert tried
    assert set(tried) <= set(addresses())


@QUESTION
def test_one_picture_with_words_for_who_does_not_see_it(slug: str) -> None:
    one = load(slug)
    svg = drawing(one)
    assert svg.get("role") == "img"
    assert len(svg.get("aria-label", "").split()) >= 8
    labels = Labels(dict(one.labels))
    PICTURES[slug](labels)
    assert labels.drawn | {"caption"} == set(labels)


@QUESTION
def test_words_of_the_picture_lie_inside(slug: str) -> None:
    svg = drawing(load(slug))
    width, height = map(float, svg.get("viewBox", "").split()[2:])
    for text in svg.iter("text"):
        x, y = float(text.get("x", "")), float(text.get("y", ""))
        long = 6.0 * len(text.text or "")
        start = {"start": x, "middle": x - long / 2, "end": x - long}[text.get("text-anchor", "")]
        assert start >= -2, text.text
        assert start + long <= width + 2, text.text
        assert 8 <= y <= height, text.text


def test_pages_are_whole_documents() -> None:
    made = pages()
    assert [page.path for page in made] == ["/questions/", *(f"/questions/{s}/" for s in SLUGS)]
    assert len({page.title for page in made}) == len({page.description for page in made})
    for page in made:
        html = document(page)
        assert f"<title>{escape(page.title)}" in html
        assert 'name="description"' in html
        assert "{" not in re.sub(r"<style>.*?</style>", "", html, flags=re.S)
        assert page.body.count("<svg") == (page.path != "/questions/")
        assert html.count("<h1") == 1


def test_the_list_leads_to_each_question() -> None:
    body = pages()[0].body
    assert all(f'href="/questions/{slug}/"' in body for slug in SLUGS)


def test_the_style_has_letters_of_twelve_and_more() -> None:
    css = Path(FOLDER / "questions.css").read_text("utf-8")
    assert min(int(size) for size in re.findall(r"(\d+)px[/ ]", css) if int(size) > 8) >= 12


def test_without_the_app_nothing_leads_to_a_screen() -> None:
    for page in pages(alone=True):
        inside = re.findall(r'href="(/[^"]*)"', page.body)
        assert all(to.startswith(("/course/", "/questions/")) for to in inside), page.path
