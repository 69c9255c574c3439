"""The course's page: its terms, its chapters, its questions."""

import re
from collections import Counter
from dataclasses import replace
from typing import Any

import pytest
from streamlit.testing.v1 import AppTest

from exhibits.homework.result import shuffled
from tests.conftest import PATIENCE, ROOT
from tests.pages.drive import go_to, links_of, sentences, whole_address
from ui.course.glossary import LINK, glossary
from ui.course.progress import wanted
from ui.screen.course import COURSE, after, before, chapters, minutes
from ui.screen.lesson import Guess, WalkStep, load

QUIZ: list[dict[str, Any]] = load("course").more["quiz"]


def open_course(**query: str) -> AppTest:
    app = AppTest.from_file(str(ROOT / "navigation.py"), default_timeout=PATIENCE)
    app.run()
    return go_to(app, "course", **query)


def test_every_term_is_linked_in_the_course_and_once_in_a_chapter() -> None:
    used = []
    for name in COURSE:
        words = " ".join(f"{step.text} {step.reached}" for step in load(name).walk)
        linked_here = [found[2] for found in LINK.finditer(words)]
        assert len(linked_here) == len(set(linked_here)), name
        used += linked_here
    assert {*used} <= {*glossary()}
    assert len({*used}) >= 40


def test_a_term_is_two_sentences() -> None:
    for term in glossary().values():
        assert len(re.findall(r"[^.]+\.(?:\s|$)", f"{term.text} ")) == 2, term.text


def test_the_glossary_opens_at_a_term() -> None:
    app = open_course(part="glossary", term="pair")
    assert sentences(app) == []
    assert [one.value for one in app.info] == [f"**pair**: {glossary()['pair'].text}"]
    assert len(app.markdown) > len(glossary())


def test_minutes_are_those_of_the_words_and_the_pictures() -> None:
    step = WalkStep(id="one", title="one two", text="three " * 298, settings={})
    assert minutes(replace(load("alibi"), walk=(step,) * 3)) == 3 * 2 + 2  # 1.5 for the pictures
    asking = replace(step, guess=Guess("four " * 100, ("five " * 25,) * 2, 0, "six " * 150))
    assert minutes(replace(load("alibi"), walk=(asking,) * 3)) == 3 * 4 + 2


def test_chapters_lead_to_one_another_both_ways() -> None:
    names = [lesson.screen for lesson in chapters()]
    lessons = {path.parent.name for path in (ROOT / "pages").glob("*/lesson.en.md")}
    assert {*names} == {screen for screen in lessons if load(screen).walk}
    assert [before(name) for name in names] == [None, *names[:-1]]
    assert [after(name) for name in names] == [*names[1:], None]


def test_the_contents_lead_to_every_chapter() -> None:
    app = open_course()
    assert sentences(app) == []
    links = [one.proto for one in links_of(app)]
    begun = [link.page for link in links if link.query_string == "step=1"]
    assert begun == [lesson.screen for lesson in chapters()]
    drawn = {one.proto.body for one in app.get("html") if "<img" in one.proto.body}
    assert len(drawn) == len(begun)
    total = sum(map(minutes, chapters()))
    assert any(f"about {total} minutes" in one.value for one in app.markdown)


@pytest.mark.parametrize(
    "asked",
    [None, {}, {"on": "rope"}, {"on": {}}, {"on": {"screen": "lab", "at": 1}}]
    + [{"on": {"screen": "rope", "at": at}} for at in (0, 8, "1", 1.0, None)],
)
def test_a_browser_goes_on_at_a_step_that_there_is(asked: object) -> None:
    assert wanted({"on": {"screen": "rope", "at": 7}}, {"rope": 7}) == ("rope", 7)
    assert wanted(asked, {"rope": 7}) is None


def test_ten_questions_with_a_reason_for_every_option() -> None:
    assert len(QUIZ) == len({one["id"] for one in QUIZ}) == 10
    for one in QUIZ:
        options = [one["right"], *one["wrong"]]
        assert len({option["text"] for option in options}) == 4
        assert all(option["why"] for option in options)
        assert load(one["screen"]).walk
    assert {*map(str, shuffled(4, 1, "cache")), *"0123"} == {*"0123"}
    assert len({tuple(shuffled(4, seed, "cache")) for seed in range(1, 50)}) > 12
    # The right option stands nowhere more often than elsewhere.
    places = Counter(shuffled(4, seed, one["id"]).index(0) for seed in range(99) for one in QUIZ)
    assert max(places.values()) < 1.3 * min(places.values())


def test_answers_are_judged_with_their_reasons_and_summed_up() -> None:
    app = open_course(part="questions", shuffle="7")
    for at, one in enumerate(QUIZ):
        radio = app.radio(key=f"quiz_{one['id']}_7")
        assert [*radio.options] == [
            [one["right"], *one["wrong"]][option]["text"] for option in shuffled(4, 7, one["id"])
        ]
        radio.set_value(2 if at == 3 else 0).run()
    assert [one.value for one in app.error] == [f"No. {QUIZ[3]['wrong'][1]['why']}"]
    assert len(app.success) == 9
    assert any(one.value == "**9 of 10 right.**" for one in app.markdown)
    last = [one.proto for one in links_of(app)][-1]
    assert (last.page, last.label) == (QUIZ[3]["screen"], load(QUIZ[3]["screen"]).title)


def test_answers_are_in_the_address_and_nothing_else_passes_for_them() -> None:
    letters = "".join("ABCD"[shuffled(4, 7, one["id"]).index(0)] for one in QUIZ[:9]) + "-"
    app = open_course(part="questions", shuffle="7", given=f"7.{letters}")
    assert len(app.success) == 9
    app.radio(key=f"quiz_{QUIZ[9]['id']}_7").set_value(0).run()
    assert any(one.value == "**10 of 10 right.**" for one in app.markdown)
    last = "ABCD"[shuffled(4, 7, QUIZ[9]["id"]).index(0)]
    assert whole_address(app)["given"] == [f"7.{letters[:9]}{last}"]
    for wrong in ("7.ABC", "x", "7." + "E" * 10, "<b>"):
        app = open_course(part="questions", shuffle="7", given=wrong)
        assert not app.exception
        assert "a letter for each question" in sentences(app)[0]
