"""Home: what is drawn of an encoding, and where its links lead."""

import json
import re
from urllib.parse import parse_qsl

import pytest

from course.page.words import chapters
from posenc.catalogue import CATALOGUE
from tests.pages.drive import figures, links_of, open_screen, sentences


@pytest.mark.parametrize("encoding", ["nope", "sinusoidal", "xpos", "transformer_xl"])
def test_the_places_of_an_encoding_are_named(encoding):
    app = open_screen("home", encoding=encoding)
    assert sentences(app) == []
    charts = {figure["key"]: figure for figure, _ in figures(app)}
    title = charts["places"]["layout"]["title"]["text"]
    numbers = {"embed": "1 (", "rotate": "2 (", "bias": "3 (", "mix": "4 ("}
    named = {place for place, number in numbers.items() if number in title}
    assert named == set(CATALOGUE[encoding].places)


def test_the_reference_is_folded_until_an_address_asks_for_it():
    app = open_screen("home")
    assert app.expander[0].label.startswith("One encoding closely: ")
    assert not app.expander[0].proto.expanded
    assert not figures(app)  # nothing is drawn where nobody sees it
    app = open_screen("home", encoding="alibi")
    assert app.expander[0].proto.expanded
    assert [figure["key"] for figure, _ in figures(app)] == ["chosen", "places"]


def test_the_links_to_measured_curves_choose_a_curve_each():
    for name in ("rope", "alibi"):
        links = [one.proto for one in links_of(open_screen("home", encoding=name))]
        (link,) = [one for one in links if one.page == "measured"]
        app = open_screen("measured", **dict(parse_qsl(link.query_string)))
        assert sentences(app) == []
        assert app.multiselect(key="curves").value == [name]


def test_three_doors_lead_to_the_course_a_file_and_a_sentence():
    app = open_screen("home")
    links = [one.proto for one in links_of(app)]
    assert [link.page for link in links[:2]] == ["config", "live_attention"]
    assert any('href="course/"' in one.proto.body for one in app.get("html"))
    components = [one.proto for one in app.get("bidi_component")]
    (start,) = [
        json.loads(one.json) for one in components if one.component_name == "posenc_progress"
    ]
    walked = chapters()
    assert [one["id"] for one in start["chapters"]] == [one.id for one in walked]
    steps = sum(len(lesson.steps) for lesson in walked)
    words = f"{len(walked)} chapters in {steps} short steps"
    assert any(words in caption.value for caption in app.caption)


def gallery(app) -> list[tuple[str, str, bool]]:
    """Address, name and whether it is lit, of each portrait."""
    (html,) = [one.proto.body for one in app.get("html") if "posenc-gallery" in one.proto.body]
    cards = re.findall(
        r'<li( class="off")?><a class="open" href="([^"]*)">.*?<b>(.*?)</b>', html, re.S
    )
    assert html.count('src="data:image/png;base64,') == len(cards)
    return [(href, name, not off) for off, href, name in cards]


def test_the_gallery_stands_open_and_leads_to_every_screen():
    found = gallery(open_screen("home"))
    assert [name for _, name, _ in found] == [entry.title for entry in CATALOGUE.values()]
    assert all(lit for *_, lit in found)
    for href, *_ in found:
        screen, _, query = href.removeprefix("./").partition("?")
        app = open_screen(screen, **dict(parse_qsl(query)))
        assert sentences(app) == []


@pytest.mark.parametrize("place", ["embed", "rotate", "bias", "mix", "none"])
def test_a_place_lights_its_encodings(place):
    found = gallery(open_screen("home", place=place))
    lit = [entry for entry, (*_, is_lit) in zip(CATALOGUE.values(), found, strict=True) if is_lit]
    assert lit == [e for e in CATALOGUE.values() if place in (e.places or ("none",))]
