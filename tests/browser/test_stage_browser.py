"""One picture alone: readable from the last row, by the keys of a presenter, in another's page."""

import re
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from importlib.metadata import distribution
from pathlib import Path
from threading import Thread
from typing import Literal
from urllib.parse import parse_qs, urlsplit

import pytest
from IPython.display import IFrame
from playwright.sync_api import Frame, Page, expect

from tests.browser.conftest import answered, settle, until
from tests.browser.test_screens_browser import AXE, violations, visit

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


def test_a_picture_is_presented(page: Page, app_address: str) -> None:
    page.set_viewport_size({"width": 1920, "height": 1080})
    visit(page, f"{app_address}/measured?present=1")
    until(page, lambda: fits(page, 22), f"22 pixels at 1920 x 1080, not {seen(page)}")
    page.set_viewport_size({"width": 1280, "height": 720})
    until(page, lambda: fits(page, 16), f"16 pixels at 1280 x 720, not {seen(page)}")
    assert violations(page, AXE) == []
    bright, ink = page.evaluate(BRIGHTNESS), page.evaluate(INK)
    page.keyboard.press("d")
    until(page, lambda: page.evaluate(INK) != ink, "the chart in other colours")
    assert page.evaluate(BRIGHTNESS) < 200 < 600 < bright
    page.get_by_role("button", name="D: light or dark").click()
    until(page, lambda: page.evaluate(BRIGHTNESS) == bright, "light again")
    with answered(page):
        page.keyboard.press("Escape")
    assert "present" not in page.url
    assert page.evaluate(BRIGHTNESS) == bright
    with answered(page):
        page.get_by_role("button", name="Present").click()
    until(page, lambda: "present=1" in page.url, "presenting again")


def test_on_a_phone_present_stands_beside_the_title(page: Page, app_address: str) -> None:
    page.set_viewport_size({"width": 390, "height": 844})
    for screen in ("live_attention", "rope"):
        visit(page, f"{app_address}/{screen}")
        title = page.evaluate(
            "() => { const range = document.createRange();"
            " range.selectNodeContents(document.querySelector('h1'));"
            " const { top, right, bottom } = range.getBoundingClientRect();"
            " return { top, right, bottom }; }"
        )
        box = page.get_by_role("button", name="Present", exact=True).bounding_box()
        assert title["right"] < box["x"]
        assert box["x"] + box["width"] <= 390 - 8
        assert title["top"] <= box["y"] + box["height"] / 2 <= title["bottom"]
    with answered(page):
        page.get_by_role("button", name="Present", exact=True).click()
    foot = page.locator(".posenc-picture svg").last
    foot.evaluate("(drawn) => drawn.scrollIntoView({ block: 'end' })")
    until(
        page,
        lambda: foot.evaluate("(drawn) => drawn.getBoundingClientRect().bottom <= innerHeight + 1"),
        "the foot of a picture that is higher than the window",
    )


def test_what_is_compared_is_presented_in_one_row(page: Page, app_address: str) -> None:
    page.set_viewport_size({"width": 1280, "height": 720})
    visit(page, f"{app_address}/side_by_side?present=1")
    choices = page.locator(".st-key-contenders .stSelectbox")
    expect(choices).to_have_count(4)
    assert len({choices.nth(at).bounding_box()["y"] for at in range(4)}) == 1


def test_a_large_window_has_larger_pictures(page: Page, app_address: str) -> None:
    letter = "() => parseFloat(getComputedStyle(document.querySelector('.xtick text')).fontSize)"
    height = "() => document.querySelector('.posenc-chart .main-svg').clientHeight"
    sizes = []
    for width, high in ((1280, 720), (1920, 950)):
        page.set_viewport_size({"width": width, "height": high})
        visit(page, f"{app_address}/scaling")
        sizes.append((page.evaluate(letter), page.evaluate(height)))
    (small, low), (large, high) = sizes
    assert large == pytest.approx(1.25 * small)
    assert high == pytest.approx(1.25 * low, abs=2)


def test_the_sentence_that_says_what_to_see_is_presented_too(page: Page, app_address: str) -> None:
    page.set_viewport_size({"width": 1280, "height": 720})
    visit(page, f"{app_address}/relative?view=t5&present=1")
    expect(page.get_by_text("Distances below 8 have a bucket each")).to_be_visible()
    until(page, lambda: fits(page, 14), "the picture takes what the sentence leaves")


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_what_is_chosen_is_read_in_either_colours(
    page: Page, app_address: str, scheme: Literal["light", "dark"]
) -> None:
    page.emulate_media(color_scheme=scheme)
    visit(page, f"{app_address}/scaling?present=1")
    ink = page.evaluate(INK)
    page.keyboard.press("d")
    until(page, lambda: page.evaluate(INK) != ink, "the chart in other colours")
    assert violations(page, AXE) == []


def test_a_picture_that_moves_is_presented_and_dragged(page: Page, app_address: str) -> None:
    page.set_viewport_size({"width": 1280, "height": 720})
    visit(page, f"{app_address}/rope?present=1")
    until(page, lambda: fits(page, 16), f"16 pixels at 1280 x 720, not {seen(page)}")
    # Enlarged or not, a handle stays under the pointer.
    query = page.get_by_role("slider", name="Position of the query")
    box = query.locator(".head").bounding_box()
    page.mouse.move(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
    page.mouse.down()
    page.mouse.move(box["x"] + box["width"] / 2 + 200, box["y"] + 20, steps=4)

    def moved() -> float:
        return query.locator(".head").bounding_box()["x"] - box["x"]

    until(page, lambda: abs(moved() - 200) < 25, f"200 pixels to the right, not {moved():.0f}")
    with answered(page):
        page.mouse.up()
    assert moved() == pytest.approx(200, abs=25)


def test_the_step_of_a_decoding_is_moved_on_the_stage(page: Page, app_address: str) -> None:
    page.set_viewport_size({"width": 1280, "height": 720})
    visit(page, f"{app_address}/kv_cache?present=1")
    step = page.get_by_role("slider", name="Step t")
    assert step.is_visible()
    until(page, lambda: fits(page, 16), f"16 pixels at 1280 x 720, not {seen(page)}")
    step.focus()
    with answered(page):
        page.keyboard.press("ArrowRight")
    assert "after step 9 of 12" in page.locator(".gtitle").text_content()


def test_what_is_changed_first_is_changed_on_the_stage(page: Page, app_address: str) -> None:
    page.set_viewport_size({"width": 1280, "height": 720})
    visit(page, f"{app_address}/alibi?present=1")
    heads = page.get_by_role("spinbutton", name="Heads n")
    heads.fill("12")
    with answered(page):
        heads.press("Enter")
    assert "num_heads=12" in page.url
    assert page.get_by_text("Length", exact=True).is_hidden(), "the other controls"
    until(page, lambda: fits(page, 14), f"14 pixels at 1280 x 720, not {seen(page)}")


def test_the_look_is_kept_on_the_way_from_the_stage(page: Page, app_address: str) -> None:
    page.set_viewport_size({"width": 390, "height": 844})
    visit(page, f"{app_address}/alibi?present=1")
    assert page.evaluate(BRIGHTNESS) > 600
    page.get_by_role("button", name="D: light or dark").click()
    until(page, lambda: page.evaluate(BRIGHTNESS) < 200, "dark")
    page.get_by_role("button", name="Leave").click()
    page.wait_for_url(re.compile("dark_theme"))
    expect(page.get_by_role("heading", name="ALiBi & family")).to_be_visible()
    assert "present" not in page.url
    until(page, lambda: page.evaluate(BRIGHTNESS) < 200, "dark on the whole screen")


@contextmanager
def site(folder: Path) -> Iterator[str]:
    """Serve a folder as a site of its own; its address."""
    handler = partial(SimpleHTTPRequestHandler, directory=str(folder))
    with ThreadingHTTPServer(("127.0.0.1", 0), handler) as server:
        Thread(target=server.serve_forever, daemon=True).start()
        yield f"http://localhost:{server.server_port}"
        server.shutdown()


SLIDES = """<!doctype html><link rel=icon href=data:,><link rel=stylesheet href=reveal.css>
<div class=reveal><div class=slides>
<section>One</section><section>Two</section><section>Three</section><section>Four</section>
<section>{html}</section><section>Last</section></div></div>
<script src=reveal.js></script>
<script>Reveal.initialize({{ width: 960, height: 700, viewDistance: 2 }});</script>"""
# As JupyterLab places the output of a cell, below cells that fill the window.
NOTEBOOK = """<!doctype html><link rel=icon href=data:,>
<main style="height: 100vh; overflow: auto"><div style="height: 3000px">In [1]: 1 + 1</div>
<div class="jp-OutputArea-output" style="overflow: auto">{html}</div></main>"""
REVEAL = "sphinx_revealjs/_static/revealjs/dist"
PICTURE, AT = ".posenc-chart .main-svg, .posenc-picture svg text", "Reveal.getIndices().h"


def reveal(folder: Path, html: str) -> None:
    """Write slides whose fifth has this HTML."""
    for name in ("reveal.js", "reveal.css"):
        shutil.copy(distribution("sphinx-revealjs").locate_file(f"{REVEAL}/{name}"), folder)
    (folder / "slides.html").write_text(SLIDES.format(html=html), "utf-8")


@pytest.mark.slow
def test_a_picture_stands_in_slides_and_another_in_a_notebook(
    copying: Page, app_address: str, tmp_path: Path
) -> None:
    page = copying
    page.set_viewport_size({"width": 1000, "height": 760})
    visit(page, f"{app_address}/absolute?view=similarity&d_model=8&tab=code")
    page.locator(".st-key-curve .posenc-menu > summary").press("Enter")
    page.get_by_role("button", name="Embed: copy HTML for a page or slides").press("Enter")
    page.wait_for_selector(".st-key-curve [role=status]")
    picture = page.evaluate("navigator.clipboard.readText()")
    assert 'width="800" height="600"' in picture
    reveal(tmp_path, picture)
    shown = IFrame(f"{app_address}/kv_cache?embed=true&picture=attention", 800, 600)
    html = NOTEBOOK.format(html=shown._repr_html_())
    (tmp_path / "notebook.html").write_text(html, "utf-8")
    with site(tmp_path) as address:
        check_slides(page, f"{address}/slides.html")
        check_notebook(page, f"{address}/notebook.html")


def check_slides(page: Page, address: str) -> None:
    """A picture on a hidden slide is drawn when its slide comes, and the keys stay with it."""
    page.goto(address)
    until(page, lambda: page.evaluate("Reveal.isReady()"), "the slides")
    assert not page.locator("iframe").is_visible()
    for _ in range(4):
        page.keyboard.press("ArrowRight")
    frame = framed(page, "Curve of similarity")
    top = "document.querySelector('.js-plotly-plot')._fullData[0].y[0]"
    assert frame.evaluate(top) == 4.0, "eight channels, as it was set"
    page.keyboard.press("ArrowRight")
    until(page, lambda: page.evaluate(AT) == 5, "the last slide: the frame took no keys")
    page.keyboard.press("ArrowLeft")
    framed(page, "Curve of similarity")
    frame.locator(".posenc-foot > :first-child").click()
    page.keyboard.press("ArrowRight")
    until(page, lambda: page.evaluate(AT) == 5, "the last slide, by a key inside of the frame")


FRAMED = "Heatmap of attention"  # the caption of the picture in the notebook


def check_notebook(page: Page, address: str) -> None:
    """A picture is drawn in the output of a cell, and stays that picture."""
    page.goto(address)
    page.locator("iframe").scroll_into_view_if_needed()
    frame = framed(page, FRAMED)
    frame.locator(".posenc-foot > :first-child").click()
    page.keyboard.press("ArrowRight")
    settle(frame)
    assert "picture=attention" in frame.url


def framed(page: Page, caption: str) -> Frame:
    """The frame, once its one picture is drawn; it fits without scrolling."""
    until(page, lambda: len(page.frames) == 2, "the frame")
    frame = page.frames[1]
    frame.wait_for_selector(PICTURE)
    settle(frame)
    until(page, lambda: fits(frame, 12), f"it fits, not {seen(frame)}")
    assert frame.locator(".posenc-chart, .posenc-picture").count() == 1
    assert frame.locator(".posenc-foot > :first-child").inner_text().startswith(caption)
    assert not frame.get_by_role("button", name="Present").is_visible()
    return frame


OFFERED = ("home?picture=places", "why_position?picture=slide")
# Where the words under the picture end, and whether they say whose it is.
FOOT = """() => {
  const foot = document.querySelector(".posenc-foot");
  const [address, back] = foot.querySelectorAll("a");
  return { end: foot.getBoundingClientRect().bottom, text: foot.innerText, href: back.href,
           address: address.textContent, target: back.target };
}"""


@pytest.mark.parametrize("address", OFFERED)
def test_a_frame_shows_its_caption_and_its_source(
    address: str, page: Page, app_address: str
) -> None:
    page.set_viewport_size({"width": 800, "height": 600})
    path, query = address.replace("home", "").split("?")
    page.goto(f"{app_address}/{path}?embed=true&{query}")
    page.wait_for_selector(PICTURE)
    settle(page)
    until(page, lambda: page.evaluate(FOOT)["end"] <= 600, f"the caption, {page.evaluate(FOOT)}")
    foot = page.evaluate(FOOT)
    assert "Positional encodings" in foot["text"]
    assert "MIT" in foot["text"]
    assert foot["address"] == foot["href"]
    assert parse_qs(urlsplit(foot["href"]).query).items() >= parse_qs(query).items()
    assert "embed" not in foot["href"]
    assert foot["target"] == "_blank"


def test_a_picture_that_moves_is_read_in_a_small_frame(page: Page, app_address: str) -> None:
    """In letters that can be read, with all of it to be scrolled to."""
    page.set_viewport_size({"width": 300, "height": 200})
    page.goto(f"{app_address}/rope?embed=true")
    page.wait_for_selector(PICTURE)
    settle(page)
    until(page, lambda: seen(page)["smallest"] > 11.9, f"12 pixels, not {seen(page)}")
    page.mouse.move(150, 100)
    page.mouse.wheel(0, 3000)
    # A frame scrolls by whole pixels, and words may be half a pixel high.
    until(page, lambda: page.evaluate(FOOT)["end"] < 201, f"its end, {page.evaluate(FOOT)}")


def test_a_frame_is_offered_in_the_colours_of_the_page(copying: Page, app_address: str) -> None:
    page = copying
    page.emulate_media(color_scheme="dark")
    visit(page, f"{app_address}/absolute?view=similarity")
    page.locator(".st-key-curve .posenc-menu > summary").press("Enter")
    page.get_by_role("button", name="Embed: copy HTML for a page or slides").press("Enter")
    page.wait_for_selector(".st-key-curve [role=status]")
    html = page.evaluate("navigator.clipboard.readText()")
    assert "embed_options=dark_theme" in html
    page.emulate_media(color_scheme="light")  # of whoever looks at the slides
    page.goto(html.split('src="')[1].split('"')[0].replace("&amp;", "&"))
    page.wait_for_selector(PICTURE)
    settle(page)
    assert page.evaluate(BRIGHTNESS) < 200
    line = "getComputedStyle(document.querySelector('.scatterlayer .js-line')).stroke"
    assert page.evaluate(line) == "rgb(36, 137, 208)", "lighter than #0072B2, on dark paper"
