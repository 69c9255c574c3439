"""Chapters as plain files: every link resolves, and pictures move without a server."""

import gzip
import re
from collections.abc import Iterator
from functools import partial
from html import escape
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Thread
from urllib.parse import urldefrag

import pytest
from playwright.sync_api import expect

from scripts.static_site import export
from tests.browser.conftest import until
from ui.screen.lesson import load

pytestmark = pytest.mark.browser
WALKS = ("rope", "measured")


class Quiet(SimpleHTTPRequestHandler):
    def log_message(self, *_):
        pass


@pytest.fixture(scope="module")
def folder(tmp_path_factory) -> Path:
    folder = tmp_path_factory.mktemp("export") / "site"
    export(folder, WALKS)
    return folder


@pytest.fixture(scope="module")
def site(folder) -> Iterator[str]:
    with ThreadingHTTPServer(("127.0.0.1", 0), partial(Quiet, directory=folder)) as server:
        Thread(target=server.serve_forever, daemon=True).start()
        yield f"http://127.0.0.1:{server.server_port}"
        server.shutdown()


def test_every_link_leads_to_a_file_and_every_step_has_its_words(folder):
    pages = list(folder.rglob("*.html"))
    assert len(pages) == 3 + len(WALKS)
    for page in pages:
        text = page.read_text("utf-8")
        links = re.findall(r'(?:href|src)="([^"]+)"', text)
        links += re.findall(r'"href": "([^"]+)"', text)  # of a chapter's ways
        for link in links:
            name, mark = urldefrag(link)
            if name.startswith("data:"):
                continue
            assert not re.match(r"[a-z]+:|/", name), link  # nothing of another place
            target = page.parent / name.split("?")[0]
            assert target.is_file(), f"{page}: {link}"
            assert not mark or f'id="{mark}"' in target.read_text("utf-8"), link


def test_an_export_is_small_and_replaces_an_earlier_one_alone(folder, tmp_path):
    files = [path for path in folder.rglob("*") if path.is_file()]
    assert sum(len(gzip.compress(path.read_bytes())) for path in files) < 2e6
    (tmp_path / "thesis.tex").touch()
    with pytest.raises(SystemExit, match="holds something else"):
        export(tmp_path, WALKS)
    assert (tmp_path / "thesis.tex").exists()


def letters_come(page):
    """Wait until the one font of a page is there: it is asked for when words are first drawn."""
    fonts = "[...document.fonts].map(({ family, status }) => [family.replaceAll('\"', ''), status])"
    until(page, lambda: page.evaluate(fonts) == [["Source Sans", "loaded"]], "the letters")


def test_the_page_around_the_chapters_is_light_or_dark(site, page):
    page.goto(f"{site}/glossary.html")
    letters_come(page)
    paper = "getComputedStyle(document.body).backgroundColor"
    assert page.evaluate(paper) == "rgb(255, 255, 255)"
    page.get_by_role("button", name="Light or dark").click()
    assert page.evaluate(paper) == "rgb(23, 22, 20)"


def test_a_chapter_is_one_page_that_needs_no_server(site, page):
    walk = load("rope").walk
    page.goto(f"{site}/index.html")
    page.get_by_role("link", name=walk[1].title).click()
    expect(page.locator(".course h1")).to_have_text(walk[1].title)
    assert page.url.endswith(f"rope.html?step={walk[1].id}")
    letters_come(page)
    query = page.get_by_role("slider", name="Place of the query")
    place = query.get_attribute("aria-valuenow")
    query.focus()
    page.keyboard.press("ArrowRight")
    expect(query).not_to_have_attribute("aria-valuenow", place)
    query.blur()  # a handle keeps the keys of pages for itself
    page.keyboard.press("PageDown")
    expect(page.locator(".course h1")).to_have_text(walk[2].title)
    for _ in walk[2:]:
        page.keyboard.press("PageDown")
    expect(page.locator("h1")).to_have_text(load("measured").walk[0].title)


def test_a_chapter_says_what_it_is_where_it_is_shared(folder):
    text = (folder / "rope.html").read_text("utf-8")
    lesson = load("rope")
    assert f'property="og:title" content="{lesson.title}"' in text
    assert f'property="og:description" content="{escape(lesson.question)}"' in text
    assert 'property="og:image" content="static/course/shown/rope.png"' in text
    assert (folder / "static/course/shown/rope.png").is_file()


def test_the_first_visit_to_a_chapter_is_small_and_a_second_needs_no_network(site, page):
    sent = []

    def hear(response):
        sent.append(len(response.body()))

    page.on("response", hear)
    page.goto(f"{site}/rope.html")
    page.locator(".course h1").wait_for()
    page.remove_listener("response", hear)  # other tests have the same tab
    assert sum(sent) < 600_000
    page.evaluate("navigator.serviceWorker.ready.then(() => true)")
    page.context.set_offline(True)
    try:
        page.goto(f"{site}/rope.html?step=lock")
        expect(page.locator(".course h1")).to_have_text(load("rope").walk[2].title)
        expect(page.get_by_role("slider")).not_to_have_count(0)
    finally:
        page.context.set_offline(False)  # other tests have the same window
