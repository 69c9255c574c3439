"""Home: what is drawn of an encoding, and where its links lead."""

import json
from urllib.parse import parse_qsl

import pytest

from posenc.catalogue import CATALOGUE
from tests.pages.drive import figures, links_of, open_screen, sentences
from ui.screen.course import chapters


@pytest.mark.parametrize("encoding", ["nope", "sinusoidal", "xpos", "transformer_xl"])
def test_the_places_of_an_encoding_are_named(encoding):
    app = open_screen("home", encoding=encoding)
    assert sentences(app) == []
    charts = {figure["key"]: figure for figure, _ in figures(app)}
    title = charts["places"]["layout"]["title"]["text"]
    numbers = {"embed": "1,", "rotate": "2,", "bias": "3,", "mix": "4,"}
    named = {place for place, number in numbers.items() if number in title}
    assert named == set(CATALOGUE[encoding].places)


def test_the_reference_is_folded_until_an_address_asks_for_it():
    app = open_screen("home")
    assert app.expander[0].label == "Every encoding, to look things up"
    assert not app.expander[0].proto.expanded
    assert not figures(app)  # nothing is drawn where nobody sees it
    app = open_screen("home", encoding="alibi")
    assert app.expander[0].proto.expanded
    assert len(figures(app)) > len(CATALOGUE)


def test_the_links_to_measured_curves_choose_a_curve_each():
    links = [one.proto for one in links_of(open_screen("home", encoding="rope"))]
    queries = [dict(parse_qsl(link.query_string)) for link in links if link.page == "measured"]
    assert len(queries) > len(CATALOGUE) / 2
    for query in {tuple(query.items()) for query in queries}:
        app = open_screen("measured", **dict(query))
        assert sentences(app) == []
        assert app.multiselect(key="curves").value == [dict(query)["curves"]]


def test_three_doors_lead_to_the_course_a_file_and_a_sentence():
    app = open_screen("home")
    links = [one.proto for one in links_of(app)]
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
