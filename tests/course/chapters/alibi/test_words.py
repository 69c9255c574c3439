"""Numbers of the lesson that no name in braces tells, and the page that its picture shows."""

import json
import re

from course.chapters import FOLDER
from course.chapters.alibi.data import data
from course.page.words import chapter
from lab.results.tables import load as shipped

SCENE = FOLDER / "alibi" / "scene.js"


def of_scene(name: str) -> int:
    found = re.search(rf"{name} = ([\d_]+);", SCENE.read_text("utf-8"))
    assert found, name
    return int(found[1])


def test_the_page_has_the_words_that_the_picture_counts_on() -> None:
    labels = chapter("alibi").labels
    words = labels["story"].split()
    assert len(words) == of_scene("WORDS") == 624
    assert words[of_scene("NEEDLE")] == f"{labels['needle']},"
    assert len(words) - 1 - of_scene("NEEDLE") == 400


def test_the_measured_models_are_those_that_the_lesson_speaks_of() -> None:
    made = json.loads(json.dumps(data()))
    assert made["trained"] == 128
    assert made["runs"] == 3
    assert made["recall"]["2048"][-1][0] == 2016
    assert [round(made["far"]["512"]), round(made["recall"]["2048"][-1][1])] == [95, 28]
    assert shipped().models("recall")["recall-alibi"].heads == 4  # the flattest slope is 1/256


def test_the_sentences_on_the_curve_hold() -> None:
    """Nine in ten up to 512 tokens."""
    made = json.loads(json.dumps(data()))
    assert [length for length, found in made["far"].items() if found >= 90] == ["256", "512"]
