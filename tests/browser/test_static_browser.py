"""The course as plain files: pictures move without a server, a second time without a network."""

import gzip
from collections.abc import Iterator
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Thread

import pytest
from playwright.sync_api import expect

from course.chapters import COURSE
from course.page.words import chapter
from scripts.static_site import export
from tests.browser.conftest import until
from tests.browser.test_course_browser import ready

pytestmark = pytest.mark.browser
BELOW = "lessons"  # a host may keep it in a folder


class Quiet(SimpleHTTPRequestHandler):
    def log_message(self, *_):
        pass


@pytest.fixture(scope="module")
def folder(tmp_path_factory) -> Path:
    folder = tmp_path_factory.mktemp("export") / BELOW
    export(folder)
    return folder


@pytest.fixture(scope="module")
def site(folder) -> Iterator[str]:
    handler = partial(Quiet, directory=folder.parent)
    with ThreadingHTTPServer(("127.0.0.1", 0), handler) as server:
        Thread(target=server.serve_forever, daemon=True).start()
        yield f"http://127.0.0.1:{server.server_port}/{BELOW}"
        server.shutdown()


def test_an_export_is_small_and_replaces_an_earlier_one_alone(folder, tmp_path):
    files = [path for path in folder.rglob("*") if path.is_file()]
    assert sum(len(gzip.compress(path.read_bytes())) for path in files) < 3e6
    (tmp_path / "thesis.tex").touch()
    with pytest.raises(SystemExit, match="holds something else"):
        export(tmp_path)
    assert (tmp_path / "thesis.tex").exists()


def letters_come(page):
    """Wait until the one font of a page is there: it is asked for when words are first drawn."""
    fonts = "[...document.fonts].map(({ family, status }) => [family.replaceAll('\"', ''), status])"
    until(page, lambda: page.evaluate(fonts) == [["Source Sans", "loaded"]], "the letters")


def test_a_chapter_needs_no_server(site, page):
    steps = chapter("rope").steps
    page.goto(f"{site}/")
    page.get_by_role("link", name="5. RoPE").click()
    ready(page)
    page.keyboard.press("PageDown")
    expect(page.locator(".course h1")).to_have_text(steps[1].title)
    assert page.url == f"{site}/course/rope/{steps[1].id}/"
    letters_come(page)
    query = page.get_by_role("slider", name="Place of the query")
    place = query.get_attribute("aria-valuenow")
    query.focus()
    page.keyboard.press("ArrowRight")
    expect(query).not_to_have_attribute("aria-valuenow", place)
    query.blur()  # a handle keeps the keys of pages for itself
    page.keyboard.press("PageDown")
    expect(page.locator(".course h1")).to_have_text(steps[2].title)
    page.reload()
    expect(page.locator(".course h1")).to_have_text(steps[2].title)
    ready(page)
    for _ in steps[2:]:
        page.keyboard.press("PageDown")
    page.wait_for_url(f"{site}/course/{COURSE[COURSE.index('rope') + 1]}/")


def test_a_second_visit_to_a_chapter_needs_no_network(site, page):
    page.goto(f"{site}/course/rope/")
    ready(page)
    page.evaluate("navigator.serviceWorker.ready.then(() => true)")
    page.context.set_offline(True)
    try:
        page.goto(f"{site}/course/rope/lock/?present=1")
        expect(page.locator(".course h1")).to_have_text(chapter("rope").steps[2].title)
        expect(page.get_by_role("slider")).not_to_have_count(0)
    finally:
        page.context.set_offline(False)  # other tests have the same window
