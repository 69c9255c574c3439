"""Where addresses of earlier times lead, and how a plain page is answered."""

import json
import re
from dataclasses import replace

import pytest
from starlette.applications import Starlette
from starlette.testclient import TestClient

from course.chapters import COURSE
from course.page import contents
from course.page.words import WORD_LISTS, chapter
from serving.course import UNTOLD, moved, routes, voice
from ui.words import languages, pseudo
from ui.words.pseudo import forms


@pytest.mark.parametrize(
    ("path", "query", "place"),
    [
        ("/rope", "step=lock", "course/rope/lock/"),
        ("/rope", "step=3", "course/rope/lock/"),
        ("/base/rope", "present=1&step=lock&view=x", "course/rope/lock/?present=1"),
        ("/rope/", "step=1", "../course/rope/turn/"),
        ("/rope", "list=a+b&item=2&step=lock", "course/rope/lock/?list=a+b&item=2"),
        ("/rope", "embed=true&embed_options=dark_theme&step=2", None),
        ("/which", "", "course/which/"),
        ("/which", "step=curves", "course/which/curves/"),
        ("/which", "step=0", "course/which/"),
        ("/rope", "step=0&view=score", "rope?view=score"),
        ("/rope", "step=won", "course/why_rope/before/"),
        ("/cope", "step=longer", "course/cope/measured/"),
    ],
)
def test_a_step_of_a_screen_leads_to_its_page(path: str, query: str, place: str | None) -> None:
    answer = moved(path, query.encode())
    assert answer is not None
    assert answer.status_code == 301
    expected = place or "course/rope/second/?embed=true&embed_options=dark_theme"
    assert answer.headers["location"] == expected


@pytest.mark.parametrize(
    ("path", "query"),
    [
        ("/rope", ""),
        ("/rope", "view=score"),
        ("/rope", "step=nothing"),
        ("/rope", "step=99"),
        ("/kv_cache", "step=40&rotate_on_write=false"),
        ("/lab", "step=3"),
        ("/course/rope/", "step=3"),
    ],
)
def test_every_other_address_holds(path: str, query: str) -> None:
    assert moved(path, query.encode()) is None


@pytest.mark.parametrize("under", ["", "/base"])
def test_pages_are_given_with_a_mark_and_asked_for_again_by_it(under: str) -> None:
    client = TestClient(Starlette(routes=routes(under)), follow_redirects=False)
    for path, place in (
        ("/course", "course/"),
        ("/course?part=glossary", "course/glossary/"),
        ("/course?part=questions", "course/questions/"),
        ("/course/rope/lock?present=1", "lock/?present=1"),
        ("/course/rope/won/?present=1", "../../why_rope/before/?present=1"),
    ):
        assert client.get(under + path).headers["location"] == place
    page = client.get(f"{under}/course/rope/lock/")
    assert page.status_code == 200
    assert "<h1>Lock the distance</h1>" in page.text
    tag = {"If-None-Match": page.headers["etag"]}
    assert client.get(f"{under}/course/rope/lock/", headers=tag).status_code == 304
    assert client.get(f"{under}/course/rope/nothing/").status_code == 404
    assert client.get(f"{under}/questions/").status_code == 200


def test_the_header_of_a_plain_page_speaks_the_readers_language(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(languages, "languages", lambda: (languages.ENGLISH, pseudo.NAME))
    client = TestClient(Starlette(routes=routes("")))
    for path in ("/questions/", "/questions/sqrt-d/"):
        plain, told = client.get(path), client.get(f"{path}?lang={pseudo.NAME}")
        assert plain.headers["vary"] == "Accept-Language"
        assert plain.headers["etag"] != told.headers["etag"]
        menu = f">{pseudo.pseudo('Menu')}</button>"
        assert menu not in plain.text
        assert menu in told.text
        assert f'<nav id="site" lang="{pseudo.NAME}"' in told.text
        main = told.text.split("<main")
        assert plain.text.split("<main")[1] == main[1]
        assert '<html lang="en">' in main[0]
        assert f'<p class="untold" lang="{pseudo.NAME}">{pseudo.pseudo(UNTOLD)}</p>' in main[0]
        assert "untold" not in plain.text


def test_a_translated_chapter_comes_in_the_readers_language(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(languages, "languages", lambda: (languages.ENGLISH, pseudo.NAME))
    client = TestClient(Starlette(routes=routes("")))
    address = f"/course/absolute/beyond/?lang={pseudo.NAME}"
    told = client.get(address).text
    lesson = chapter("absolute", voice(pseudo.NAME))
    assert f'<html lang="{pseudo.NAME}">' in told
    assert f"<h1>{lesson.steps[lesson.number_of('beyond') - 1].title}</h1>" in told
    assert pseudo.pseudo("In numbers") in told
    assert "untold" not in told
    (data,) = re.findall(r'<script type="application/json" id="chapter">(.*?)</script>', told)
    left = json.loads(data)["labels"]["places_left"]
    assert left == f"[[left?{'|'.join(forms('place left', 'places left'))}]]"
    monkeypatch.setattr("serving.course.has_chapter", lambda spoken, name: spoken == "en")
    english = client.get(address).text
    assert '<html lang="en">' in english
    assert "untold" in english


def test_what_stands_around_the_chapters_is_told_too(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(languages, "languages", lambda: (languages.ENGLISH, pseudo.NAME))
    client = TestClient(Starlette(routes=routes("")))
    for path, title in (
        ("/course/", "The course"),
        ("/course/glossary/", "Glossary"),
        ("/course/questions/", "Ten questions"),
    ):
        told = client.get(f"{path}?lang={pseudo.NAME}").text
        assert f"<h1>{pseudo.pseudo(title)}</h1>" in told
        assert f'<html lang="{pseudo.NAME}">' in told
        assert "untold" not in told
    absent = replace(voice(pseudo.NAME), language="xx", files="xx")
    listed, terms, asked = contents.pages(absent)
    assert listed.language == "xx"
    assert listed.body.count(' lang="en"') == 2 * len(COURSE)  # its question, its steps
    assert terms.language == asked.language == "en"


def test_lists_of_words_stay_lists_in_a_language_without_spaces() -> None:
    for name in COURSE:
        english, made_up = chapter(name), chapter(name, voice(pseudo.NAME))
        for label in {*WORD_LISTS} & {*english.labels}:
            words = english.labels[label].split()
            assert made_up.labels[label].split() == [*map(pseudo.pseudo, words)]


@pytest.mark.parametrize("under", ["", "/base"])
def test_files_of_the_course_are_given_and_no_others(under: str) -> None:
    client = TestClient(Starlette(routes=routes(under)))
    module = client.get(f"{under}/course/-/course/page/course.js")
    assert module.headers["content-type"].split(";")[0] in (
        "text/javascript",
        "application/javascript",
    )
    assert "export function open" in module.text
    for name in ("presenter", "pictures/hands", "take"):
        assert client.get(f"{under}/course/-/static/{name}.js").status_code == 200
    assert client.get(f"{under}/course/-/course/chapters/rope/preview.png").status_code == 200
    for name in (
        "course/page/words.py",
        "course/chapters/rope/words.en.md",
        "course/chapters/absolute/measured.json",
        "course/page/../../app.py",
        "course/%2e%2e/static/chart/chart.js",
        "static/chart/chart.js",
        "app.py",
        "a" * 5000,
    ):
        assert client.get(f"{under}/course/-/{name}").status_code == 404, name
