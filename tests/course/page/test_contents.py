"""The course's contents, its terms and its ten questions."""

import re
from collections import Counter
from dataclasses import replace
from math import ceil
from pathlib import Path

import pytest

from course import build
from course.build import pages, part, part_of, parts, site
from course.chapters import COURSE
from course.page import contents
from course.page.words import Guess, Step, chapter, chapters, glossary, quiz
from exhibits.homework.result import shuffled

LINK = re.compile(r"\[([^\]]+)\]\(term:(\w+)\)")


def body(path: str) -> str:
    return next(page.body for page in contents.pages() if page.path == path)


def test_every_term_is_linked_and_once_in_a_chapter() -> None:
    used = []
    for lesson in chapters():
        words = " ".join(f"{step.text} {step.reached}" for step in lesson.steps)
        linked_here = [found[2] for found in LINK.finditer(words)]
        assert len(linked_here) == len(set(linked_here)), lesson.id
        used += linked_here
    assert {*used} <= {*glossary()}
    assert len({*used}) >= 40


def test_a_term_is_two_sentences_and_has_an_address() -> None:
    for term in glossary().values():
        assert len(re.findall(r"[^.]+\.(?:\s|$)", f"{term.text} ")) == 2, term.text
        assert f'<dt id="{term.id}">' in body("/course/glossary/")


def test_minutes_are_those_of_the_words_and_the_pictures() -> None:
    step = Step(id="one", title="one two", text="three " * 298, settings={})
    assert replace(chapter("alibi"), steps=(step,) * 3).minutes == 3 * 2 + 2  # 1.5 for the pictures
    asking = replace(step, guess=Guess("four " * 100, ("five " * 25,) * 2, 0, "six " * 150))
    assert replace(chapter("alibi"), steps=(asking,) * 3).minutes == 3 * 4 + 2


def test_two_letters_without_a_space_are_one_word() -> None:
    step = Step(id="one", title="一个词", text="位置RoPE编码" * 100, settings={})
    words = (3 + 400) / 2 + 100
    assert replace(chapter("alibi"), steps=(step,) * 3).minutes == ceil(3 * (words / 150 + 0.5))


def test_the_contents_lead_to_every_chapter_and_step_in_order() -> None:
    told = body("/course/")
    heads = re.findall(r'<h2><a href="/course/(\w+)/">(\d+)\. ', told)
    assert heads == [(name, str(at)) for at, name in enumerate(COURSE, 1)]
    assert all(f'href="{one.path(step.id)}"' in told for one in chapters() for step in one.steps)
    assert told.count("<img") == len(COURSE)
    assert f"about {sum(one.minutes for one in chapters())} minutes" in told
    assert "homework" not in contents.pages(alone=True)[0].body


def test_ten_questions_with_a_reason_for_every_option() -> None:
    assert len(quiz()) == len({one["id"] for one in quiz()}) == 10
    for one in quiz():
        options = [one["right"], *one["wrong"]]
        assert len({option["text"] for option in options}) == 4
        assert all(option["why"] for option in options)
        assert one["screen"] in COURSE
    asked = body("/course/questions/")
    assert asked.count(" data-right") == 10
    places = Counter(
        shuffled(4, contents.SHUFFLE, one["id"]).index(0) for one in quiz()
    )  # the right option stands at every place
    assert len(places) == 4
    assert max(places.values()) <= 4


def test_every_page_has_its_own_address_title_and_words() -> None:
    made = pages()
    for what in ("path", "title", "description"):
        assert len({getattr(page, what) for page in made}) == len(made), what
    assert all(page.path.startswith("/") and page.path.endswith("/") for page in made)
    links = {
        link
        for html in site(alone=True).values()
        for link in re.findall(r'<a [^>]*href="(course/[^"#]*)', html.decode())
    }
    assert {f"/{link}" for link in links} <= {page.path for page in made}


def test_each_page_belongs_to_the_part_that_has_it() -> None:
    for name in parts():
        assert all(part_of(page.path) == name for page in part(name))
    assert part_of("/course/nothing/") == "course"
    assert part_of("/questions/nothing/") == "questions"


def test_pages_made_with_a_release_are_read_not_computed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A replica's start took 8 s of a core for them."""
    few = ["course", "rope", "questions/sqrt-d"]
    made = {name: part(name) for name in few}
    monkeypatch.setattr(build, "MADE", tmp_path / "made.json")
    monkeypatch.setattr(build, "parts", lambda: few)
    try:
        build.keep()
        build.prebuilt.cache_clear()
        part.cache_clear()
        for computed in (build.chapter, build.contents, build.questions):
            monkeypatch.setattr(computed, "pages", pytest.fail)
            monkeypatch.setattr(computed, "page", pytest.fail, raising=False)
        assert {name: part(name) for name in few} == made
    finally:
        build.prebuilt.cache_clear()
        part.cache_clear()
