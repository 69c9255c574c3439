"""Home: what is drawn of an encoding, and where its links lead."""

import json
from urllib.parse import parse_qsl

import numpy as np
import pytest

from exhibits.portraits import portrait
from lab.results.one_model import ModelResults
from lab.results.tables import load
from pages.home.reach import reach_words
from posenc import CATALOGUE, ModelShape
from posenc.random_model import randomise
from tests.pages.drive import drawn, figures, open_screen, sentences
from ui.screen.course import chapters


@pytest.mark.parametrize("encoding", CATALOGUE)
def test_an_encoding_is_drawn_and_its_places_are_named(encoding):
    app = open_screen("home", encoding=encoding)
    assert sentences(app) == []
    charts = {figure["key"]: figure for figure, _ in figures(app)}
    model = randomise(CATALOGUE[encoding].build(ModelShape(32, 1, 32, 32)), seed=0)
    weights = portrait(model, 32, 32)
    shown = drawn(charts["chosen"])
    np.testing.assert_array_equal(
        shown[np.tri(32, dtype=bool)],
        (weights / weights.amax(-1, keepdim=True)).float().numpy()[np.tri(32, dtype=bool)],
    )
    assert np.isnan(shown[~np.tri(32, dtype=bool)]).all()
    title = charts["places"]["layout"]["title"]["text"]
    numbers = {"embed": "1,", "rotate": "2,", "bias": "3,", "mix": "4,"}
    named = {place for place, number in numbers.items() if number in title}
    assert named == set(CATALOGUE[encoding].places)


def test_the_links_to_measured_curves_choose_a_curve_each():
    links = [one.proto for one in open_screen("home").get("page_link")]
    queries = [dict(parse_qsl(link.query_string)) for link in links if link.page == "measured"]
    assert len(queries) > len(CATALOGUE) / 2
    for query in {tuple(query.items()) for query in queries}:
        app = open_screen("measured", **dict(query))
        assert sentences(app) == []
        assert app.multiselect(key="curves").value == [dict(query)["curves"]]


def test_three_doors_lead_to_the_course_a_file_and_a_sentence():
    app = open_screen("home")
    links = [one.proto for one in app.get("page_link")]
    assert [link.page for link in links[:3]] == ["course", "config", "live_attention"]
    components = [one.proto for one in app.get("bidi_component")]
    (start,) = [
        json.loads(one.json) for one in components if one.component_name == "posenc_progress"
    ]
    walked = chapters()
    assert start["mode"] == "start"
    assert [one["screen"] for one in start["chapters"]] == [one.screen for one in walked]
    steps = sum(len(lesson.walk) for lesson in walked)
    words = f"{len(walked)} chapters in {steps} short steps"
    assert any(words in caption.value for caption in app.caption)


def test_beyond_its_length_a_learned_table_finds_only_what_stands_among_trained_places() -> None:
    """Home and the lesson on absolute positions say the same."""
    learned = ModelResults(load(), "learned")
    between, first = (learned.between("none", 4, *part).values for part in ((1, 3), (3, 4)))
    assert between.max() < 10 < 60 < first.min()
    assert "random numbers" in str(reach_words(load(), "learned"))
