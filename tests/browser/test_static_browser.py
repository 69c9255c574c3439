"""Walks as plain files: every link resolves, and pictures are drawn and moved without a server."""

import re
from collections.abc import Iterator
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Thread
from urllib.parse import urldefrag

import pytest
from playwright.sync_api import expect

from scripts.static_site import export, sizes
from ui.screen.lesson import load

pytestmark = pytest.mark.browser
WALKS = ("alibi", "rope")


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
    assert len(pages) == 3 + sum(len(load(walk).walk) for walk in WALKS)
    for page in pages:
        text = page.read_text("utf-8")
        for link in re.findall(r'(?:href|src|data-file)="([^"]+)"', text):
            name, mark = urldefrag(link)
            if name.startswith("data:"):
                continue
            assert not re.match(r"[a-z]+:|/", name), link  # nothing of another place
            target = page.parent / name.split("?")[0]
            assert target.is_file(), f"{page}: {link}"
            assert not mark or f'id="{mark}"' in target.read_text("utf-8"), link
        for module in re.findall(r'data-module="([^"?]+)', text):
            assert (folder / module).is_file()
    step = load("rope").walk[2]
    assert f"<h1>{step.title}</h1>" in (folder / "rope" / "3.html").read_text("utf-8")


def test_an_export_is_small_and_replaces_an_earlier_one_alone(folder, tmp_path):
    assert sum(packed for _, _, _, packed in sizes(folder)) < 2e6
    (tmp_path / "thesis.tex").touch()
    with pytest.raises(SystemExit, match="holds something else"):
        export(tmp_path, WALKS)
    assert (tmp_path / "thesis.tex").exists()


def test_a_walk_is_read_without_the_app(site, page):
    page.goto(f"{site}/index.html")
    page.get_by_role("link", name=load("alibi").walk[1].title).click()
    expect(page.locator(".posenc-chart .main-svg")).not_to_have_count(0)
    expect(page.locator("[data-key=slopes] .bars path")).to_have_count(8)
    page.keyboard.press("ArrowRight")
    expect(page.locator("h1")).to_have_text(load("alibi").walk[2].title)
    expect(page.locator(".posenc-chart .main-svg")).not_to_have_count(0)  # it listens to keys
    page.keyboard.press("ArrowLeft")
    expect(page.locator("h1")).to_have_text(load("alibi").walk[1].title)


def test_a_picture_moves_without_the_app_in_both_looks(site, page):
    page.goto(f"{site}/rope/1.html")
    key = page.get_by_role("slider").first
    before = page.locator(".posenc-hands .numbers").inner_text()
    key.focus()
    page.keyboard.press("ArrowRight")
    expect(page.locator(".posenc-hands .numbers")).not_to_have_text(before)
    expect(page.locator("h1")).to_have_text(load("rope").walk[0].title)  # the key was the handle's
    paper = "getComputedStyle(document.body).backgroundColor"
    assert page.evaluate(paper) == "rgb(255, 255, 255)"
    page.get_by_role("button", name="Light or dark").click()
    assert page.evaluate(paper) == "rgb(23, 22, 20)"
    page.goto(f"{site}/alibi/2.html?embed=true&picture=heads")
    expect(page.locator("[data-key=heads] .main-svg")).not_to_have_count(0)
    expect(page.locator("[data-key=slopes]")).to_be_hidden()
    expect(page.locator("h1")).to_be_hidden()
