"""Playlists: what may stand in one, and playing it from screen to screen."""

import json
import re
from urllib.parse import parse_qs

import pytest
from streamlit.util import calc_hash

from tests.conftest import ROOT
from tests.pages.drive import (
    SCREENS,
    address,
    figures,
    go_to,
    links_of,
    open_screen,
    sentences,
)
from ui.screen.lesson import load
from ui.screen.playlist import MOST, MOST_CHARS, Entry, entries, entry, name_of, packed

HERE = "https://here.example/base/playlist"


def keys(app) -> list[str]:
    return [figure["key"] for figure, _ in figures(app)]


def test_addresses_of_this_app_are_read_however_they_are_written() -> None:
    step = Entry("course/rope/lock")
    for line in (
        "rope?step=3",
        "/rope?step=lock",
        "https://here.example/base/rope?step=3&present=1",
    ):
        assert entry(line, SCREENS, HERE) == step, "an address of earlier times"
    for line in ("course/rope/lock", "/course/rope/lock/?present=1&list=x&item=2"):
        assert entry(line, SCREENS, HERE) == step
    assert entry(step.packed, SCREENS, HERE) == step
    assert entry("/base/course/rope/", SCREENS, HERE) == Entry("course/rope")
    for line in ("course/rope/won", "/rope?step=won"):
        assert entry(line, SCREENS, HERE) == Entry("course/why_rope/before"), (
            "a step that has moved"
        )
    assert entry("which", SCREENS, HERE) == Entry("course/which")
    plain = entry("/rope?list=x&item=2&embed_options=dark_theme&step=0&m=3", SCREENS, HERE)
    assert plain == Entry("rope", (("m", "3"),))
    assert entry("https://here.example/", SCREENS, HERE) == Entry("home", ())
    text = Entry("cope", (("text", "a b, ünï & 50 %"), ("layers", "1"), ("layers", "2")))
    assert entry(text.packed, SCREENS, HERE) == text
    assert " " not in text.packed


@pytest.mark.parametrize(
    ("line", "said"),
    [
        ("https://other.example/rope", "Another site"),
        ("//other.example/rope", "Another site"),
        ("javascript:alert(1)", "Another site"),
        ("http://here.example/base/rope", "Another site"),
        ("nowhere?step=1", "no screen of this name"),
        ("course/rope/nowhere", "no step of this name"),
        ("course/nowhere/", "no chapter of this name"),
        ("../../etc/passwd", "no screen of this name"),
        ("http://[::1", "not an address"),
        ("rope?" + "&a=1" * 41, "not an address"),
        ("<b>`x`</b>?y", "no screen of this name"),
    ],
)
def test_what_is_no_address_of_this_app_gets_a_sentence(line: str, said: str) -> None:
    found, (sentence,) = entries([line, "alibi"], SCREENS, HERE)
    assert found == [Entry("alibi", ())]
    assert said in sentence
    assert "<" not in sentence


def test_a_long_list_is_cut_and_says_so() -> None:
    found, (sentence,) = entries(["rope"] * 500, SCREENS, HERE)
    assert len(found) == MOST
    assert f"at most {MOST}" in sentence
    found, (sentence,) = entries(["rope?x=" + "y" * 900] * 6, SCREENS, HERE)
    assert len(found) == 4
    assert len(packed(found)) <= MOST_CHARS


def test_a_list_is_played_from_screen_to_screen() -> None:
    listed = (
        "kv_cache?view=window&picture=attention absolute?view=similarity&picture=curve "
        "measured?view=keys"
    )
    app = open_screen("home", present="1", picture="places", list=listed, item="1")
    assert keys(app) == ["places"]
    app = open_screen(
        "kv_cache", view="window", picture="attention", present="1", list=listed, item="1"
    )
    assert keys(app) == ["attention"]
    alike = {"view": ["similarity"], "picture": ["curve"]}
    for on, button, expected, view in (
        (
            "kv_cache",
            "list_next",
            ["curve"],
            alike | {"item": ["2"]},
        ),
        ("absolute", "list_next", ["found"], {"view": ["keys"], "item": ["3"]}),
        (
            "measured",
            "list_back",
            ["curve"],
            alike | {"item": ["2"]},
        ),
        ("absolute", "list_back", ["attention"], {"view": ["window"], "item": ["1"]}),
    ):
        app._page_hash = calc_hash(on)  # a browser says where it is, also after a switch
        app.button(key=button).click().run()
        assert not app.exception
        assert keys(app) == expected
        there = address(app)
        assert any(one.value == f"{there['item'][0]} of 3" for one in app.caption)
        assert there["list"] == [listed]
        assert view.items() <= there.items()
    app._page_hash = calc_hash("kv_cache")
    app.button(key="present_leave").click().run()
    assert address(app)["list"] == [listed], "back on the page of the list"
    assert not {"item", "present"} & address(app).keys()


def test_screens_are_added_to_the_page_and_wrong_lines_are_named() -> None:
    app = open_screen("absolute", view="similarity", length="64")
    app.button(key="playlist_add").click().run()
    go_to(app, "scaling", view="stretch")
    app.button(key="playlist_add").click().run()
    go_to(app, "playlist")
    assert sentences(app) == []
    field = app.text_area(key="list")
    lines = ["absolute?view=similarity&length=64", "scaling?view=stretch"]
    assert sorted(field.value.splitlines()[0].split("&")) == sorted(lines[0].split("&"))
    assert field.value.splitlines()[1] == lines[1]
    assert app.code[0].value.count("scaling?view=stretch") == 1
    field.set_value("scaling?view=stretch\nhttps://elsewhere.example/rope").run()
    (sentence,) = sentences(app)
    assert "Another site" in sentence
    assert "://" not in sentence  # or it would be a link
    assert address(app) == {"list": ["scaling?view=stretch"]}
    app.button(key="playlist_play").click().run()
    assert address(app)["present"] == ["1"]
    assert app.title[0].value == load("scaling").question


def test_an_empty_list_shows_a_lesson_whose_pictures_are_there() -> None:
    app = open_screen("playlist")
    html = " ".join(one.proto.body for one in app.get("html"))
    pictures = re.findall(r'posenc-shown" src="[^"]*/release-\w+/([^"]+)"', html)
    assert pictures
    places = [ROOT / (one if one.startswith("course/") else f"static/{one}") for one in pictures]
    assert all(place.is_file() for place in places)
    app.button(key="playlist_example").click().run()
    assert len(app.text_area(key="list").value.splitlines()) == len(pictures)


def test_entries_change_places_and_play_from_any() -> None:
    app = open_screen("playlist", list="rope?m=3 alibi?view=bias absolute?view=similarity")
    assert app.button(key="entry_0_up").disabled
    assert app.button(key="entry_2_down").disabled
    app.button(key="entry_2_up").click().run()
    moved = ["rope?m=3", "absolute?view=similarity", "alibi?view=bias"]
    assert app.text_area(key="list").value.splitlines() == moved
    assert address(app) == {"list": [" ".join(moved)]}
    app.text_area(key="list").set_value("rope?m=3\nhello\nalibi?view=bias").run()
    assert app.button(key="entry_1_up").disabled, "the line that is wrong would be lost"
    app.text_area(key="list").set_value("\n".join(moved)).run()
    app.button(key="entry_1_play").click().run()
    assert not app.exception
    there = address(app)
    assert there["item"] == ["2"]
    assert there["list"] == [" ".join(moved)]
    assert app.title[0].value == load("absolute").question


@pytest.mark.parametrize(
    ("line", "name"),
    [
        ("side_by_side?b=t5&panels_at=A,+9,+2", "Side by side (T5 bias)"),
        ("side_by_side?a=xpos&b=t5&length=64", "Side by side (xPos, T5 bias)"),
        ("scaling?view=score&methods=none&methods=yarn", "Linear, NTK, YaRN (YaRN)"),
        ("relative?view=t5", "T5's buckets"),
        ("rope?head_dim=64", "RoPE"),
    ],
)
def test_the_name_of_an_entry_has_the_names_it_is_set_to(line: str, name: str) -> None:
    (one,), _wrong = entries([line], SCREENS, "")
    assert name_of(one) == name


def test_the_buttons_of_an_entry_say_what_they_do() -> None:
    app = open_screen("playlist", list="rope?head_dim=64")
    (link,) = links_of(app)
    assert link.proto.label == "1. RoPE"
    assert [app.button(key=f"entry_0_{key}").help for key in ("up", "down", "play", "remove")] == [
        "Earlier: RoPE",
        "Later: RoPE",
        "Play from here: RoPE",
        "Remove: RoPE",
    ]
    heard = next(one.proto.body for one in app.get("html") if "st-key-entry_0_up" in one.proto.body)
    assert all(way in heard for way in ("Earlier", "Later", "Play from here", "Remove"))


def test_a_picture_that_has_a_name_is_called_by_it() -> None:
    app = open_screen("playlist", list="absolute?view=table alibi?view=bias&head=2")
    names = [link.proto.label for link in links_of(app)]
    assert names == ["1. Sinusoidal table as a heat map", "2. ALiBi's bias matrices"]


def test_a_step_of_the_course_is_opened_by_the_browser() -> None:
    listed = "rope?m=3 course/rope/lock"
    app = open_screen("playlist", list=listed)
    (link,) = [one.proto.body for one in app.get("html") if "posenc-link" in one.proto.body]
    assert 'href="course/rope/lock/"' in link
    assert "2. RoPE, step 3: Lock the distance" in link
    app.button(key="entry_1_play").click().run()
    assert not app.exception
    components = [one.proto for one in app.get("bidi_component")]
    (gone,) = [json.loads(one.json) for one in components if one.component_name == "posenc_go"]
    path, _sign, query = gone["href"].partition("?")
    assert path == "course/rope/lock/"
    assert parse_qs(query) == {"present": ["1"], "list": [listed], "item": ["2"]}
