"""One picture alone: readable from the last row, by the keys of a presenter, in another's page."""

import re
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Thread

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Frame, Page

from tests.browser.conftest import CALM, answered, settle, until
from tests.browser.test_screens_browser import visit

pytestmark = pytest.mark.browser

# Pixels of the smallest letter that is seen, how far the page can be scrolled, and how much of the
# window lies below the picture.
SEEN = """() => {
  const times = (text) => {
    const drawn = text.closest(".posenc-picture") && text.getScreenCTM?.();
    return drawn ? Math.hypot(drawn.a, drawn.b) : 1;
  };
  const texts = [...document.querySelectorAll(
    ".main-svg text, .posenc-picture :is(text, button, output), [data-testid=stMain] :is(p, h1)")]
    .filter((text) => text.textContent.trim() && text.checkVisibility()
      && text.getBoundingClientRect().width > 0);
  const main = document.querySelector("[data-testid=stMain]");
  const picture = document.querySelector(".posenc-chart, .posenc-picture");
  return {
    smallest: Math.min(...texts.map(
      (text) => parseFloat(getComputedStyle(text).fontSize) * times(text))),
    count: texts.length,
    over: Math.max(main.scrollHeight, document.documentElement.scrollHeight) - innerHeight,
    below: innerHeight - picture.getBoundingClientRect().bottom,
  };
}"""
BRIGHTNESS = """() => getComputedStyle(document.querySelector(".stApp")).backgroundColor
  .match(/\\d+/g).slice(0, 3).map(Number).reduce((a, b) => a + b)"""
INK = "() => getComputedStyle(document.querySelector('.gtitle')).fill"


def seen(page: Page | Frame) -> dict[str, float]:
    found: dict[str, float] = page.evaluate(SEEN)
    return found


def fits(page: Page | Frame, least: float) -> bool:
    now = seen(page)
    return now["smallest"] >= least and now["count"] > 5 and now["over"] <= 0 <= now["below"] <= 40


def test_a_walk_is_presented(new_page: Callable[..., Page], app_address: str) -> None:
    page = new_page(viewport={"width": 1920, "height": 1080})
    visit(page, f"{app_address}/relative?present=1&step=5")
    until(page, lambda: fits(page, 22), f"22 pixels at 1920 x 1080, not {seen(page)}")
    page.set_viewport_size({"width": 1280, "height": 720})
    until(page, lambda: fits(page, 16), f"16 pixels at 1280 x 720, not {seen(page)}")
    assert not Axe().run(page).response["violations"]
    bright, ink = page.evaluate(BRIGHTNESS), page.evaluate(INK)
    page.keyboard.press("d")
    until(page, lambda: page.evaluate(INK) != ink, "the chart in other colours")
    assert page.evaluate(BRIGHTNESS) < 200 < 600 < bright
    with answered(page):
        page.keyboard.press("PageDown")
    until(page, lambda: "step=6" in page.url, "the next step")
    assert page.evaluate(BRIGHTNESS) < 200
    with answered(page):
        page.keyboard.press("Escape")
    assert "present" not in page.url
    assert page.evaluate(BRIGHTNESS) == bright
    with answered(page):
        page.get_by_role("button", name="Present").click()
    until(page, lambda: re.search(r"present=1.*step=6", page.url), "presenting again")


def test_a_picture_that_moves_is_presented_and_dragged(
    new_page: Callable[..., Page], app_address: str
) -> None:
    page = new_page(viewport={"width": 1280, "height": 720})
    visit(page, f"{app_address}/rope?present=1&step=2")
    until(page, lambda: fits(page, 16), f"16 pixels at 1280 x 720, not {seen(page)}")
    # Enlarged or not, a handle stays under the pointer.
    query = page.get_by_role("slider", name="Position of the query")
    box = query.locator(".head").bounding_box()
    page.mouse.move(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
    page.mouse.down()
    page.mouse.move(box["x"] + box["width"] / 2 + 200, box["y"] + 20, steps=4)
    page.wait_for_timeout(600)
    after = query.locator(".head").bounding_box()
    with answered(page):
        page.mouse.up()
    assert after["x"] - box["x"] == pytest.approx(200, abs=25)


@contextmanager
def site(folder: Path) -> Iterator[str]:
    """Serve a folder as a site of its own; its address."""
    handler = partial(SimpleHTTPRequestHandler, directory=str(folder))
    with ThreadingHTTPServer(("127.0.0.1", 0), handler) as server:
        Thread(target=server.serve_forever, daemon=True).start()
        yield f"http://localhost:{server.server_port}"
        server.shutdown()


def test_a_picture_and_a_step_stand_in_somebodys_page(
    new_page: Callable[..., Page], app_address: str, tmp_path: Path
) -> None:
    with site(tmp_path) as address:
        check_frames(new_page, app_address, f"{address}/slides.html", tmp_path / "slides.html")


def check_frames(
    new_page: Callable[..., Page], app_address: str, another_site: str, slides: Path
) -> None:
    page = new_page(
        viewport={"width": 900, "height": 700}, permissions=["clipboard-read", "clipboard-write"]
    )
    visit(page, f"{app_address}/absolute?view=similarity&d_model=8&tab=code")
    button = page.locator(".st-key-curve").get_by_role("button", name="Copy for a page or slides")
    button.press("Enter")
    page.wait_for_selector(".st-key-curve [role=status]")
    picture = page.evaluate("navigator.clipboard.readText()")
    assert 'width="800" height="600"' in picture
    step = f'<iframe src="{app_address}/rope?embed=true&step=3" width="800" height="600"></iframe>'
    for html, caption in (
        (picture, "Curve of similarity"),
        (step, "Words with a query and a key on them"),
    ):
        slides.write_text(f"<!doctype html><link rel=icon href=data:,><h1>My slides</h1>{html}")
        page.goto(another_site)
        page.locator("iframe").scroll_into_view_if_needed()
        until(page, lambda: len(page.frames) == 2, "the frame")
        frame = page.frames[1]
        frame.wait_for_selector(".posenc-chart .main-svg, .posenc-picture svg text")
        until(page, lambda frame=frame: frame.evaluate(CALM), "the frame settles")
        until(page, lambda frame=frame: fits(frame, 12), f"it fits, not {seen(frame)}")
        assert frame.locator(".posenc-chart, .posenc-picture").count() == 1
        assert frame.locator(".st-key-alone_words").inner_text().startswith(caption)
        assert not frame.get_by_role("button", name="Present").is_visible()
        if html is picture:
            top = "document.querySelector('.js-plotly-plot')._fullData[0].y[0]"
            assert frame.evaluate(top) == 4.0, "eight channels, as it was set"


def test_a_playlist_goes_by_arrow_keys(page: Page, app_address: str) -> None:
    visit(page, f"{app_address}/playlist?list=relative?step=5+absolute?view=similarity")
    with answered(page):
        page.get_by_role("button", name="Play").click()
    for key, place in (
        ("", "/relative?"), ("PageDown", "/absolute?"), ("ArrowLeft", "/relative?"),
    ):  # fmt: skip
        if key:
            page.keyboard.press(key)
        until(page, lambda place=place: place in page.url and "item=" in page.url, place)
        settle(page)
        assert page.locator(".posenc-chart").count() == 1
