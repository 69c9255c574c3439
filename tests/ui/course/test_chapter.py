"""A chapter as the browser gets it: its words compiled, and where one goes from it."""

import json
import re
from urllib.parse import parse_qs, urlsplit

import frontmatter
import pytest
from streamlit.testing.v1 import AppTest

from tests.conftest import ROOT
from tests.pages.drive import CHAPTERS, go_to, open_screen, sentences, whole_address
from ui.course import chapter
from ui.course.glossary import glossary
from ui.screen.lesson import load
from ui.words import languages
from ui.words.pseudo import NAME as MADE_UP

PROBED = 2016  # tokens back, where the lab's longest texts are asked
NAMES = re.compile(
    r"\{[^}]*\}|\[\[\w+\]\]|\]\(\w+:\w+\)"
    r"|SmolLM2-135M|Qwen3-8B|(Llama|Gemma|DeepSeek|GPT)[ -]V?[\d.]*\d(-\d+[BM])?"
)


def sent(app: AppTest) -> dict:
    """Data of the chapter that the browser was sent."""
    components = [element.proto for element in app.get("bidi_component")]
    (one,) = [proto for proto in components if proto.component_name == "posenc_course"]
    return json.loads(one.json)["chapter"]


@pytest.mark.parametrize("screen", CHAPTERS)
def test_a_chapter_opens_with_all_its_steps_and_no_controls(screen: str) -> None:
    lesson = load(screen)
    ids = [step.id for step in lesson.walk]
    assert len({*ids}) == len(ids) >= 4
    assert all(re.fullmatch(r"[a-z]\w+", name) for name in ids)
    app = open_screen(screen, step=ids[-1])
    assert not app.exception
    assert sentences(app) == []
    assert app.session_state["step"] == len(ids)
    told = sent(app)
    assert [step["title"] for step in told["steps"]] == [step.title for step in lesson.walk]
    assert told["picture"] == lesson.picture
    assert (ROOT / "static" / "course" / "pictures" / f"{lesson.picture}.js").is_file()
    assert not [*app.number_input, *app.slider, *app.selectbox, *app.metric]


@pytest.mark.parametrize("screen", CHAPTERS)
def test_all_controls_open_the_free_screen_that_shows_the_same(screen: str) -> None:
    steps = sent(open_screen(screen, step="1"))["steps"]
    for step, told in zip(load(screen).walk, steps, strict=True):
        query = {
            key: raw if len(raw) > 1 else raw[0] for key, raw in parse_qs(told["query"]).items()
        }
        assert query["step"] == "0"
        app = open_screen(load(screen).free, **query)
        assert not app.exception
        assert sentences(app) == []
        for key, value in step.settings.items():
            assert app.session_state[key] == value


def is_an_example(number: str) -> bool:
    """Whether a number is a small count, a round one, a length in powers of two, or the probe's."""
    if "." in number:
        return False
    whole = int(number.replace(",", ""))
    is_round = len(str(whole).rstrip("0")) <= 2
    return is_round or whole & (whole - 1) == 0 or whole == PROBED


@pytest.mark.parametrize("screen", CHAPTERS)
def test_what_is_computed_or_measured_is_not_typed(screen: str) -> None:
    """Such numbers are computed in Python or told by the picture; wrong options may be typed."""
    walk = frontmatter.load(str(ROOT / "pages" / screen / "lesson.en.md"))["walk"]
    for step in walk:
        guess = step.get("guess", {})
        words = [step["title"], step["text"], step.get("task", ""), step.get("reached", "")]
        words += [guess.get("question", ""), guess.get("reveal", "")]
        typed = re.findall(r"\d[\d,.]*\d|\d", NAMES.sub("", " ".join(map(str, words))))
        given = {str(value) for value in step.get("settings", {}).values()}
        assert {one for one in typed if not is_an_example(one)} <= given, step["id"]


def test_marks_and_terms_become_buttons_and_html_stays_text() -> None:
    html = chapter._html('the [wedge](mark:arc), a [pair](term:pair) <b>"x"</b>')
    assert 'class="mark" data-mark="arc">wedge</span>' in html
    assert 'class="termed" data-term="pair">pair</span>' in html
    assert "&lt;b&gt;" in html
    told = sent(open_screen("rope", step="1"))
    assert told["terms"]
    assert all(told["terms"][name]["term"] == glossary()[name].term for name in told["terms"])


def test_the_ways_lead_to_pages_of_the_app() -> None:
    told = sent(open_screen("rope", step="1"))["ways"]
    assert told["before"]["title"] == load("alibi").title
    assert told["after"] == {"title": load("scaling").title, "href": "scaling?step=1"}
    pages = {path.parent.name for path in (ROOT / "pages").glob("*/*.py")}
    assert {urlsplit(way["href"]).path for way in told.values()} <= pages


def test_answers_go_along_to_the_homework_of_a_chapter() -> None:
    app = go_to(open_screen("home"), "homework", on="rope", answers="rope.1.A----")
    query = sent(go_to(app, "measured", step="6"))["ways"]["homework"]["href"].partition("?")[2]
    assert parse_qs(query) == {"on": ["measured"], "answers": ["rope.1.A----"]}


def test_the_address_is_left_to_the_browser() -> None:
    app = open_screen("rope", step="2")
    components = [element.proto for element in app.get("bidi_component")]
    (one,) = [proto for proto in components if proto.component_name == "posenc_address"]
    assert json.loads(one.json)["query"] is None
    assert whole_address(open_screen("rope", step="0")) == {"step": ["0"]}


@pytest.mark.parametrize("wrong", ["99", "-1", "x", "1.5", ""])
def test_a_step_that_is_none_is_named(wrong: str) -> None:
    app = open_screen("rope", step=wrong)
    assert any("step" in sentence for sentence in sentences(app))
    assert sent(app)["screen"] == "rope"


@pytest.mark.parametrize("screen", CHAPTERS)
def test_every_word_of_a_chapter_is_told_in_the_readers_language(
    screen: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("POSENC_PSEUDO", "1")
    languages.languages.cache_clear()
    plain = sent(open_screen(screen, step="1"))
    made_up = sent(open_screen(screen, step="1", lang=MADE_UP))
    languages.languages.cache_clear()
    for name, text in plain["words"].items():
        assert made_up["words"][name] != text, name
    for name, text in plain["labels"].items():
        is_word = re.search(r"[A-Za-z]{3}", re.sub(r"\[\[\w+\]\]", "", text))
        assert not is_word or made_up["labels"][name] != text, name
        assert re.findall(r"\[\[\w+\]\]", text) == re.findall(
            r"\[\[\w+\]\]", made_up["labels"][name]
        )
    for step, other in zip(plain["steps"], made_up["steps"], strict=True):
        assert other["title"] != step["title"]
        assert re.findall(r'data-mark="(\w+)"', other["text"]) == re.findall(
            r'data-mark="(\w+)"', step["text"]
        )
