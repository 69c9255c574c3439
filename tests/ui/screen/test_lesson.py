"""Every screen asks before it shows, and its answers are computed."""

import re

import frontmatter
import pytest

from tests.conftest import ROOT
from tests.pages.drive import SCREENS, open_screen
from ui.screen.lesson import load

NAMES = re.compile(r"\{[^}]*\}")
SMALL = 64  # what is countable at a glance (pairs, dimensions, bits) may be typed
GIVEN = {"100", "10,000"}  # further settings that a reveal goes on to


def typed_numbers(text):
    """Numbers in a text that nobody computes."""
    return set(re.findall(r"\d[\d,.]*\d|\d", NAMES.sub("", text)))


@pytest.mark.parametrize("screen", SCREENS)
def test_has_a_question_with_its_answer_among_two_to_four(screen):
    predict = load(screen).predict
    assert predict is not None
    assert predict.question.endswith("?")
    assert 2 <= len(set(predict.options)) == len(predict.options) <= 4
    assert predict.answer in predict.options
    assert "{" not in predict.reveal + "".join(predict.options)


@pytest.mark.parametrize("screen", SCREENS)
def test_an_answer_that_is_a_number_is_computed(screen):
    asked = frontmatter.load(str(ROOT / "pages" / screen / "lesson.en.md"))["predict"]
    assert not typed_numbers(asked["answer"])
    new = typed_numbers(asked["reveal"]) - typed_numbers(asked["question"])
    assert all(float(number.replace(",", "")) <= SMALL for number in new - GIVEN), new


def test_choosing_reveals_and_says_whether_it_was_right():
    app = open_screen("pitfalls")
    radio = next(radio for radio in app.radio if radio.key == "predict_pitfalls")
    assert radio.value is None
    assert not any("significant bits" in words.value for words in app.markdown)
    radio.set_value("4097").run()
    assert any(words.value.startswith("**No: 257.** ") for words in app.markdown)
    radio = next(radio for radio in app.radio if radio.key == "predict_pitfalls")
    radio.set_value("257").run()
    assert any(words.value.startswith("**Yes: 257.** ") for words in app.markdown)


def pictures(app):
    components = [element.proto for element in app.get("bidi_component")]
    return [one.bytes for one in components if one.component_name == "posenc_chart"]


def test_a_question_does_not_change_the_picture():
    app = open_screen("alibi")
    before = pictures(app)
    radio = next(radio for radio in app.radio if radio.key == "predict_alibi")
    radio.set_value(radio.options[0]).run()
    assert pictures(app) == before != []
