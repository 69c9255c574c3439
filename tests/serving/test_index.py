"""Each screen's address says what it is; the page loads its first picture; what is not is a 404."""

import re
from collections import Counter
from html import unescape
from pathlib import Path

import pytest
import streamlit as st
from starlette.applications import Starlette
from starlette.middleware import Middleware
from starlette.middleware.gzip import GZipMiddleware
from starlette.responses import FileResponse, HTMLResponse, PlainTextResponse
from starlette.routing import Route
from starlette.testclient import TestClient

from course.page.menu import MENU
from serving import course
from serving.index import Index, pages
from serving.lists import _found
from ui.charts.component import FOLDER
from ui.screen.lesson import load
from ui.site.about import PATHS
from ui.site.about import page as about_page
from ui.site.public import VARIABLE
from ui.streamlit.page import BEGIN, PARTS
from ui.words import languages, pseudo

STATIC = Path(st.__file__).parent / "static"
ROUTES = {
    "/api": lambda _: HTMLResponse("<head></head><p>a page of the reference</p>"),
    "/text": lambda _: PlainTextResponse('<head></head><div id="root">'),
    "/gone": lambda _: PlainTextResponse("gone", 404),
    "/{path:path}": lambda _: FileResponse(STATIC / "index.html"),
}
READER = {"Accept": "text/html,*/*", "Accept-Encoding": "gzip"}
SITE = "https://example.org/positions/"


@pytest.fixture(scope="module")
def client():
    routes = [Route(path, answer) for path, answer in ROUTES.items()]
    packed = Middleware(GZipMiddleware, minimum_size=1000)  # inside, as in Streamlit
    app = Starlette(routes=routes, middleware=[packed, Middleware(Index), packed])
    return TestClient(app, headers=READER)


@pytest.fixture(scope="module")
def whole():
    """The plain pages too, as in the app."""
    return TestClient(Starlette(routes=course.routes(""), middleware=[Middleware(Index)]))


def said(html: str, name: str) -> str:
    """What a line of the head says, by its name."""
    found = re.findall(rf'<meta (?:name|property)="{name}" content="([^"]*)">', html)
    assert len(found) == 1, (name, found)
    return unescape(found[0])


def test_the_page_loads_the_chart_and_its_files(client):
    answer = client.get("/rope", headers={"If-None-Match": "*"})
    plain = (STATIC / "index.html").read_text("utf-8")
    assert answer.headers["content-encoding"] == "gzip"
    assert "etag" not in answer.headers
    assert '<div id="root"></div>' in answer.text
    assert re.findall(r'src="\./static/js/[^"]*"', plain) == re.findall(
        r'src="\./static/js/[^"]*"', answer.text
    )
    head = answer.text.split("</head>")[0]
    assert f"<script>{BEGIN}</script>" in head
    ours = re.findall(r'"modulepreload" href="/app/static/release-\w+/(\S+?)"', head)
    imported = re.findall(r'(?:from|import) "\./(.+?)"', (FOLDER / "chart.js").read_text("utf-8"))
    assert "look.js" in imported
    assert {"chart/chart.js", *(f"chart/{name}" for name in imported)} < set(ours)
    for path in ours:
        assert (FOLDER.parent / path).is_file()
    theirs = re.findall(r'"modulepreload" href="\./static/js/(\S+?)"', head)
    assert all(name not in plain and (STATIC / "static" / "js" / name).is_file() for name in theirs)
    assert set(PARTS) < {name.split(".")[0] for name in theirs}
    assert len(theirs) == len(set(theirs)) > len(PARTS)


def test_the_start_page_has_the_script_and_waits_for_no_chart(client):
    page = client.get("/").text
    assert f"<script>{BEGIN}</script>" in page
    assert "chart.js" not in page
    plain = (STATIC / "index.html").read_text("utf-8")
    assert page.count("modulepreload") == plain.count("modulepreload")


def test_the_script_leaves_what_others_own_alone():
    assert not re.search(r"prototype|WebSocket|pushState|replaceState|Uint8Array", BEGIN)


def test_frames_and_projectors_have_no_header(client):
    assert '<nav id="site"' in client.get("/rope").text
    assert 'id="site"' not in client.get("/rope?embed=true").text
    assert '<nav hidden id="site"' in client.get("/rope?present=1").text


def test_header_and_search_speak_the_language_asked_for(client, monkeypatch):
    monkeypatch.setattr(languages, "languages", lambda: (languages.ENGLISH, pseudo.NAME))
    told = [pseudo.pseudo(words) for words in ("Explore", "Side by side", "Menu")]
    plain = client.get("/rope")
    assert plain.headers["vary"].startswith("Accept-Language")
    html = client.get(f"/rope?lang={pseudo.NAME}").text
    assert f'<nav id="site" lang="{pseudo.NAME}"' in html
    for words in told:
        assert words not in plain.text
        assert words in html
    found = _found(pseudo.NAME)
    assert told[1] in found
    assert told[1] not in _found(languages.ENGLISH)


@pytest.mark.parametrize("agent", [{"Accept": "*/*"}, READER])
def test_every_address_says_what_it_is(client, agent):
    titles = []
    for path in PATHS:
        page = about_page(path)
        html = client.get(path, headers=agent).text
        titles += re.findall(r"<title>(.*?)</title>", html)
        assert said(html, "description") == page.description
        assert said(html, "og:title") == page.title
        picture = said(html, "og:image").removeprefix("app/").removeprefix("course/-/")
        assert (FOLDER.parents[1] / picture).is_file(), path
        assert "canonical" not in html
        (words,) = re.findall(r"<noscript>(.*?)</noscript>", html, re.DOTALL)
        assert len(re.findall(r"\w+", words)) > 10, path
    assert len(titles) == len({*titles}) == len(PATHS)
    assert not any("Streamlit" in title for title in titles)


@pytest.mark.parametrize("screen", ["absolute", "rope", "config"])
def test_formulas_stand_in_the_words_as_they_were_written(screen):
    body = unescape(about_page(f"/{screen}").body)
    texts = load(screen).sections.values()
    formulas = [one for text in texts for one in re.findall(r"\$\$[^$]+\$\$", text)]
    assert any("_" in one for one in formulas)
    assert [one for one in formulas if one not in body] == []


def test_the_public_address_is_that_of_the_setting(client, monkeypatch):
    monkeypatch.setenv(VARIABLE, SITE.rstrip("/"))
    html = client.get("/rope?view=matrix").text
    assert f'<link rel="canonical" href="{SITE}rope">' in html
    assert said(html, "og:url") == f"{SITE}rope"
    assert said(html, "og:image").startswith(f"{SITE}course/-/course/chapters/")
    assert 'application/json+oembed" title="RoPE"' in html
    asked = "model=Qwen3-8B&target=131072&method=yarn"
    decided = client.get(f"/config?{asked}").text
    address = f"{SITE}config?model=Qwen3-8B&amp;target_length=131072"
    assert f'<link rel="canonical" href="{address}">' in decided


@pytest.mark.parametrize(
    ("query", "title"),
    [
        ("model=Qwen3-8B&target_length=131072", "Qwen3-8B at 131,072 tokens"),
        ("model=meta-llama/Llama-3.1-8B", "meta-llama/Llama-3.1-8B: how far it reads"),
        ("model=own&target=4096", "Scaling studio"),
        ("model=%3Cscript%3E&target=4096", "Scaling studio"),
        ("model=Qwen3-8B&target=-1", "Qwen3-8B: how far it reads"),
        ("model=Qwen3-8B&target=128k", "Qwen3-8B at 131,072 tokens"),
        ("model=Qwen3-8B&target=0", "Qwen3-8B: how far it reads"),
        ("", "Scaling studio"),
    ],
)
def test_a_link_of_the_studio_says_model_and_length(client, query, title):
    assert said(client.get(f"/config?{query}").text, "og:title") == title


@pytest.mark.parametrize("path", ["/.env", "/ropes", "/a/b/c/", "/wp-login.php", "/rope/matrix"])
def test_what_there_is_not_is_said_with_status_404(client, path):
    for asks in (READER, {"Accept": "*/*"}, READER | {"Range": "bytes=0-9"}):
        answer = client.get(path, headers=asks)
        assert answer.status_code == 404
        assert 'id="root"' not in answer.text
        assert "<title>There is no such page" in answer.text
        assert '<meta name="robots" content="noindex">' in answer.text


def test_a_404_is_a_page_for_readers_and_plain_for_programs(client):
    assert "There is no such page" in client.get("/gone").text
    assert "Find, at the top" in client.get("/gone").text
    assert client.get("/gone", headers={"Accept": "application/json"}).text == "gone"


def test_the_nearest_names_are_offered(client):
    for typed, meant in {"/ropes": "/rope", "/kv-cache": "/kv_cache", "/abs": "/absolute"}.items():
        assert meant.lstrip("/") in re.findall(
            r'<li><a href="[./]*([^"]*)"', client.get(typed).text
        )
    assert "<li><a" not in client.get("/zzzzzzzzzz").text.split('<main id="main">')[1]


@pytest.mark.parametrize(
    ("typed", "meant"),
    [
        ("/rotary_embeding", "rope"),
        ("/rotaryembeddings", "rope"),
        ("/alibi_slope", "alibi"),
        ("/sinusodal", "absolute"),
        ("/sinusoidal_embedding", "absolute"),
        ("/kvcache", "kv_cache"),
        ("/kv-cache-memory", "kv_cache"),
        ("/t5_bias", "relative"),
        ("/t5bias", "relative"),
        ("/yarnn", "scaling"),
        ("/fogret_gates", "forget_gates"),
        ("/sidebyside", "side_by_side"),
        ("/pitfals", "pitfalls"),
    ],
)
def test_a_misspelt_address_offers_what_was_meant(whole, typed, meant):
    words = whole.get(typed, headers=READER).text.split('<main id="main">')[1]
    assert meant in re.findall(r'<li><a href="[./]*([^"]*)"', words)[:2]


def test_a_word_of_the_menu_is_offered_and_capitals_lead_on(client):
    offered = re.findall(r'<li><a href="[./]*([^"]*)"', client.get("/sinusoidal").text)
    assert "absolute" in offered
    for typed, meant in {
        "/RoPE": "/rope",
        "/CoPE?d=8": "/cope?d=8",
        "/KV_cache": "/kv_cache",
    }.items():
        answer = client.get(typed, headers=READER, follow_redirects=False)
        assert answer.status_code == 307
        assert answer.headers["location"] == meant


def test_a_screens_word_comes_before_a_questions_address(whole):
    words = whole.get("/rotary", headers=READER).text.split('<main id="main">')[1]
    offered = re.findall(r'<li><a href="[./]*([^"]*)"', words)
    assert offered[0].strip("/") in ("rope", "course/rope")
    assert any("questions/" in one for one in offered)


def test_nothing_is_offered_where_nothing_is_near(whole):
    answer = whole.get("/nonsense", headers=READER)
    assert "There is nothing at /nonsense." in answer.text
    assert "<li><a" not in answer.text.split('<main id="main">')[1]


@pytest.mark.parametrize(
    ("typed", "meant"),
    [
        ("/course/nothing/", ["course/"]),
        ("/course/alibis/", ["course/alibi/", "course/"]),
        ("/course/rope/nothing/", ["course/rope/", "course/"]),
        ("/course/rope/lok/", ["course/rope/lock/", "course/rope/", "course/"]),
        ("/course/kvcache/turnd", ["course/kv_cache/turned/", "course/kv_cache/", "course/"]),
        ("/corse/rop/lok/", ["course/rope/lock/", "course/rope/", "course/"]),
        ("/questions/sqr/", ["questions/sqrt-d/", "questions/divide-by-sqrt-d/", "questions/"]),
        ("/questions/padding/", ["questions/left-padding/", "questions/"]),
    ],
)
def test_names_of_the_folder_are_offered_then_the_folder(whole, typed, meant):
    answer = whole.get(typed, headers=READER)
    assert answer.status_code == 404
    assert "<title>There is no such page" in answer.text
    words = answer.text.split('<main id="main">')[1]
    assert re.findall(r'<li><a href="([^"]*)"', words) == meant


def test_what_was_typed_is_said_as_text(client):
    html = client.get("/<img src=x onerror=alert(1)>").text
    assert "<img" not in html.split('<main id="main">')[1]


@pytest.mark.parametrize("path", ["/api", "/text"])
def test_other_answers_are_as_they_were(client, path):
    answer = client.get(path)
    assert answer.status_code == 200
    assert answer.text.count("modulepreload") == 0


def test_pages_have_addresses_of_their_own():
    paths = [page.path for page in pages()]
    assert len(paths) == len({*paths})


def test_a_page_has_the_name_that_the_menu_has():
    known = {page.path: page for page in pages()}
    entries = [one for group in MENU for one in group.entries if one.address in known]
    assert len(entries) > 30
    for entry in entries:
        page = known[entry.address]
        assert entry.label in page.title
        titles = re.findall(r"<h1>(.*?)</h1>", page.body)  # in a chapter also that of its step
        assert entry.label in map(unescape, titles), entry.address


def test_no_two_pages_have_one_title():
    titles = Counter(page.title for page in pages())
    assert [title for title, count in titles.items() if count > 1] == []
