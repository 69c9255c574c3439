"""What search fields, search engines and programs are told of all pages."""

import json
import re
from xml.etree import ElementTree

import pytest
from starlette.applications import Starlette
from starlette.testclient import TestClient

from serving.index import pages
from serving.lists import routes
from ui.site import public
from ui.site.public import SOURCE, VARIABLE

SITE = "https://example.org/positions/"


@pytest.fixture
def client(monkeypatch):
    monkeypatch.setenv(VARIABLE, SITE)
    return TestClient(Starlette(routes=routes("/base")))


def test_the_sitemap_has_every_page_once(client):
    answer = client.get("/base/sitemap.xml")
    assert answer.headers["content-type"].startswith("application/xml")
    found = [node.text for node in ElementTree.fromstring(answer.text).iterfind("{*}url/{*}loc")]
    assert found == [SITE + page.path.lstrip("/") for page in pages()]
    assert f"Sitemap: {SITE}sitemap.xml" in client.get("/base/robots.txt").text


def test_programs_find_every_screen_and_question_with_a_sentence(client):
    text = client.get("/base/llms.txt").text
    assert text.startswith("# Positional encodings\n\n> ")
    for page in pages():
        if page.path not in ("/", "/questions/") and not page.path.startswith("/course/"):
            assert f"({SITE}{page.path.lstrip('/')}): {page.description}" in text


def test_what_is_found_has_a_title_a_kind_and_an_address(client):
    found = client.get("/base/search.json").json()
    known = {page.path for page in pages()}
    for entry in found:
        assert entry["title"]
        assert entry["kind"]
        path = entry["address"].partition("?")[0].partition("#")[0]
        assert path in known or path.startswith(("/course/", "/api/")) or not path, path
    # An answer that is all there is to say leads nowhere.
    titles = [entry["title"] for entry in found if not entry["address"]]
    assert titles == [
        "On a machine of your own",
        "Licence, and how to cite this",
        "Present to a class",
        "Dark mode",
    ]
    # Two questions may have the same answer.
    assert len({(entry["title"], entry["address"]) for entry in found}) == len(found)


@pytest.mark.parametrize(
    ("typed", "meant"),
    [
        *((word, "Save, share or embed a picture") for word in ("svg", "png", "slide", "notebook")),
        ("embed", "Save, share or embed a picture"),
        ("dark mode", "Dark mode"),
        ("theme", "Dark mode"),
        ("projector", "Present to a class"),
        ("own sentence", "Attention of your sentence"),
    ],
)
def test_what_people_look_for_is_found(client, typed, meant):
    (entry,) = [one for one in client.get("/base/search.json").json() if one["title"] == meant]
    words = " ".join(entry.values()).casefold()
    assert all(re.search(rf"\b{word}", words) for word in typed.split())
    assert "…" not in words


def test_without_a_setting_the_address_is_that_of_who_asks(client, monkeypatch):
    monkeypatch.delenv(VARIABLE)
    assert "Sitemap: http://testserver/base/sitemap.xml" in client.get("/base/robots.txt").text


@pytest.mark.parametrize(
    "given", ["example.org", "ftp://example.org", "https://", "https://a/?x=1"]
)
def test_what_is_no_address_is_said_at_the_start(given, monkeypatch):
    monkeypatch.setenv(VARIABLE, given)
    with pytest.raises(ValueError, match=f"{VARIABLE} must be the address of the first page"):
        public.address()


@pytest.mark.parametrize(
    "given", ["example.org", "ftp://example.org", "https://", "https://a/?x=1"]
)
def test_an_address_of_the_code_is_one(given, monkeypatch):
    monkeypatch.setenv(SOURCE, given)
    with pytest.raises(ValueError, match=f"{SOURCE} must be the address where readers get"):
        public.source()


def test_a_page_can_be_embedded_by_its_address(client):
    asked = {"url": f"{SITE}rope?view=matrix", "maxwidth": "500", "maxheight": "1"}
    told = client.get("/base/oembed", params=asked).json()
    assert (told["version"], told["type"], told["title"]) == ("1.0", "rich", "RoPE")
    assert (told["width"], told["height"]) == (500, 200)
    assert f'src="{SITE}rope?view=matrix&amp;embed=true" width="500" height="200"' in told["html"]


@pytest.mark.parametrize(
    ("asked", "status"),
    [
        ({"url": "https://elsewhere.example/rope"}, 404),
        ({"url": f"{SITE}nothing"}, 404),
        ({}, 404),
        ({"url": f"{SITE}rope", "format": "xml"}, 501),
    ],
)
def test_what_is_no_page_of_the_site_is_not_embedded(client, asked, status):
    assert client.get("/base/oembed", params=asked).status_code == status


def test_no_markup_comes_through_the_address_that_is_embedded(client):
    told = client.get("/base/oembed", params={"url": f'{SITE}rope?view="><script>'}).json()
    assert "<script>" not in told["html"]
    assert json.dumps(told)
