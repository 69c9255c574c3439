"""A chapter as plain pages: its words in HTML, what the browser gets, where one goes from it."""

import json
import re
from dataclasses import replace
from urllib.parse import parse_qs, urlsplit

import frontmatter
import pytest

from course.chapters import COURSE, FOLDER
from course.page.chapter import compiled, form_of, pages, step_words
from course.page.document import Page, document, relative
from course.page.files import FONT, PLACE, modules, served
from course.page.words import PLAIN, after, before, chapter, filled, glossary
from exhibits.answers import answer
from tests.conftest import ROOT
from tests.pages.drive import open_screen, sentences
from ui.streamlit.page import STATIC as STREAMLIT

PROBED = 2016  # tokens back, where the lab's longest texts are asked
NAMES = re.compile(
    r"\{[^}]*\}|\[\[\w+\]\]|\]\(\w+:\w+\)"
    r"|SmolLM2-135M|Qwen3-8B|Qwen[\d.]*\d(-VL)?|(Llama|Gemma|DeepSeek|GPT)[ -]V?[\d.]*\d(-\d+[BM])?"
)
MOST_MODULES = 30  # beside the page, its styles, letters and header: 36 files in all


@pytest.mark.parametrize("name", COURSE)
def test_a_chapter_has_a_page_for_itself_and_one_for_each_step(name: str) -> None:
    lesson = chapter(name)
    ids = [step.id for step in lesson.steps]
    assert len({*ids}) == len(ids) >= 4
    assert all(re.fullmatch(r"[a-z]\w+", one) for one in ids)
    made = pages(name)
    assert [page.path for page in made] == [
        f"/course/{name}/",
        *(f"/course/{name}/{one}/" for one in ids),
    ]
    titles = [page.title for page in made]
    steps = [f"{step.title} · {lesson.title}" for step in lesson.steps]
    assert titles == [f"{lesson.title}, step by step", *steps]
    descriptions = {page.description for page in made}
    assert len(descriptions) == len(made)
    assert all(20 < len(one) <= 200 and "<" not in one for one in descriptions)
    assert {page.picture.removeprefix(f"{PLACE}/") for page in made} <= {*served()}


@pytest.mark.parametrize("name", COURSE)
def test_a_page_has_its_steps_words_and_a_chapters_all(name: str) -> None:
    whole, *steps = pages(name)
    for step, page in zip(chapter(name).steps, steps, strict=True):
        first = filled(step.text).split("[[")[0].split("](")[0].split("[")[0].strip("*\n ")[:40]
        plain = re.sub(r"<[^>]+>|[*`]", "", page.body.split("<script")[0])
        assert first.replace("*", "").split("\n")[0] in plain, step.id
        html = step_words(chapter(name), step, "h2")
        assert html in whole.body
        assert "[[" not in html
        if step.guess:
            assert all("<li>" in html for _ in step.guess.options)
    assert chapter(name).question[:20] in whole.body


@pytest.mark.parametrize("name", COURSE)
def test_a_browser_asks_for_few_files(name: str) -> None:
    found = modules("course/page/chapter.js", f"course/chapters/{name}/picture.js")
    assert len({*found}) == len(found) <= MOST_MODULES
    assert {*found} <= {*served()}
    head = pages(name)[0].head
    assert all(f"/{one}" in head for one in found)


@pytest.mark.slow
@pytest.mark.parametrize("name", [name for name in COURSE if chapter(name).screen])
def test_a_step_leads_to_a_screen_that_shows_the_same(name: str) -> None:
    lesson = chapter(name)
    for step, told in zip(lesson.steps, compiled(lesson)["steps"], strict=True):
        screen, _, query = told["explore"].partition("?")
        assert screen == (step.screen or lesson.screen)
        asked = parse_qs(query)
        app = open_screen(
            screen, **{key: raw if len(raw) > 1 else raw[0] for key, raw in asked.items()}
        )
        assert not app.exception
        assert sentences(app) == []
        for key, value in step.settings.items():
            assert app.session_state[key] == value


@pytest.mark.parametrize("name", COURSE)
def test_a_wrong_option_has_a_reason_of_its_own(name: str) -> None:
    for step in chapter(name).steps:
        if not step.guess:
            continue
        options, wrong = step.guess.options, step.guess.wrong
        assert len({*wrong}) == len(wrong) == max(0, len(options) - 1), step.id
        assert all(12 <= len(why) <= 100 and why.endswith(".") for why in wrong), step.id
        assert step.guess.reveal not in wrong


def is_an_example(number: str) -> bool:
    """Whether a number is a small count, a round one, a length in powers of two, or the probe's."""
    if "." in number:
        return False
    whole = int(number.replace(",", ""))
    is_round = len(str(whole).rstrip("0")) <= 2
    return is_round or whole & (whole - 1) == 0 or whole == PROBED


@pytest.mark.parametrize("name", COURSE)
def test_what_is_computed_or_measured_is_not_typed(name: str) -> None:
    """Such numbers are computed in Python or told by the picture; wrong options may be typed."""
    steps = frontmatter.load(str(FOLDER / name / "words.en.md"))["steps"]
    for step in steps:
        guess = step.get("guess", {})
        words = [step["title"], step["text"], step.get("task", ""), step.get("reached", "")]
        words += [guess.get("question", ""), guess.get("reveal", ""), *guess.get("wrong", ())]
        typed = re.findall(r"\d[\d,.]*\d|\d", NAMES.sub("", " ".join(map(str, words))))
        given = {str(value) for value in step.get("settings", {}).values()}
        assert {one for one in typed if not is_an_example(one)} <= given, step["id"]


@pytest.mark.parametrize("name", COURSE)
def test_what_is_drawn_in_ink_is_not_called_black(name: str) -> None:
    """In the dark it is white."""
    words = (FOLDER / name / "words.en.md").read_text(encoding="utf-8")
    assert not re.search(r"\bblack\b", words)


def test_numbers_in_braces_are_computed() -> None:
    assert filled("about {alibi_fade:.2f}") == f"about {answer('alibi_fade'):.2f}"
    with pytest.raises(ValueError, match="no_such"):
        filled("{no_such}")


@pytest.mark.parametrize(
    ("language", "number", "form"),
    [
        ("ru", "1,001", "слово"),
        ("ru", "33", "слова"),
        ("ru", "−12", "слов"),
        ("ru", "1.5", "слова"),
        ("en", "1", "слово"),
        ("en", "1.0", "слова"),
        ("en", "…", "слова"),
        ("zh", "2", "слово"),
    ],
)
def test_without_scripts_a_number_asks_for_the_same_form(
    language: str, number: str, form: str
) -> None:
    assert form_of(number, "слово|слова|слов|слова", replace(PLAIN, counted=language)) == form


def test_marks_and_terms_become_buttons_and_html_stays_text() -> None:
    told = compiled(chapter("rope"))
    lock = next(step for step in told["steps"] if step["id"] == "lock")
    assert 'class="mark" data-mark="arc">wedge</span>' in lock["text"]
    assert told["terms"]
    assert all(told["terms"][name]["term"] == glossary()[name].term for name in told["terms"])
    page = pages("rope")[0].body
    (data,) = re.findall(r'<script type="application/json" id="chapter">(.*?)</script>', page)
    assert "<" not in data
    assert json.loads(data) == told


def test_ways_lead_to_pages_and_without_the_app_to_no_screen() -> None:
    told = compiled(chapter("rope"))["ways"]
    assert told["before"]["title"] == chapter("alibi").title
    assert told["before"]["href"] == f"course/alibi/{chapter('alibi').steps[-1].id}/"
    assert told["after"] == {"title": chapter("why_rope").title, "href": "course/why_rope/"}
    screens = {path.parent.name for path in (ROOT / "pages").glob("*/*.py")}
    paths = {urlsplit(way["href"]).path for way in told.values()}
    assert {path for path in paths if not path.startswith("course/")} <= screens
    alone = compiled(chapter("kv_cache"), alone=True)
    assert {name for name, way in alone["ways"].items() if not way} == {
        *("homework", "add", "explore")
    }
    assert "<a href" not in str(alone["steps"])


def test_chapters_lead_to_one_another_both_ways() -> None:
    assert [before(name) for name in COURSE] == [None, *COURSE[:-1]]
    assert [after(name) for name in COURSE] == [*COURSE[1:], None]
    assert {path.name for path in FOLDER.iterdir() if (path / "words.en.md").is_file()} == {*COURSE}
    with pytest.raises(ValueError, match="rope"):
        chapter("nothing")


@pytest.mark.parametrize(
    ("name", "at"), [("lock", 3), ("3", 3), ("0", 0), ("11", 0), ("", 0), ("²", 0), ("x", 0)]
)
def test_a_step_is_named_by_its_id_or_its_number(name: str, at: int) -> None:
    assert chapter("rope").number_of(name) == at


def test_addresses_count_from_the_root_places_from_the_page() -> None:
    html = '<a href="/course/rope/">x</a><img src="/static/a.png"><a href="#b"> <a href="//c">'
    assert relative(html, "course/x/") == (
        '<a href="course/rope/">x</a><img src="app/static/a.png"><a href="course/x/#b">'
        ' <a href="//c">'
    )
    page = Page("/course/rope/", 'A "b"', "A <c>.", "<p></p>", picture="/app/static/p.png")
    text = document(page, public="https://here.example/")
    assert '<base href="../../">' in text
    assert "<title>A &quot;b&quot; · Positional encodings</title>" in text
    assert 'rel="canonical" href="https://here.example/course/rope/"' in text
    assert 'og:image" content="https://here.example/app/static/p.png"' in text
    assert 'name="description" content="A &lt;c&gt;."' in text
    assert "canonical" not in document(page)


def test_the_letters_are_a_file_of_this_streamlit() -> None:
    assert (STREAMLIT / FONT.strip("/")).is_file()


def test_a_chapter_has_the_sign_of_its_way_above_every_title() -> None:
    ways = {name: chapter(name).way for name in COURSE}
    assert {way for way in ways.values() if way} == {"add", "subtract", "turn"}
    for name, way in ways.items():
        (whole, *_), told = pages(name), compiled(chapter(name))["words"]["count"]
        sign = {"": "", "add": ">+<", "subtract": ">−<", "turn": ">↻<"}[way]
        assert sign in told
        assert ('class="way"' in told) == bool(way)
        assert ('class="way"' in whole.body.split("<script")[0]) == bool(way)
