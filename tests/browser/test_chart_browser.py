"""The chart in a real browser: zoom, clicks, pictures, themes, narrow screens."""

import json
import re
import struct
from collections.abc import Iterator

import numpy as np
import pandas as pd
import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Page, expect

from tests.browser.conftest import PHONE, WIDE, answered, app_folder, served, settle

pytestmark = pytest.mark.browser

SMALL = "attention-score-of-a-causal-model-query-by-key"
"""Name of the files of the chart `small`."""
RANGES = """key => {
  const full = document.querySelector(`.st-key-${key} .js-plotly-plot`)._fullLayout;
  return [...full.xaxis.range, ...full.yaxis.range];
}"""
PANE = """key => {
  const gd = document.querySelector(`.st-key-${key} .js-plotly-plot`);
  gd.scrollIntoView({block: "center"});
  const {x, y} = gd.getBoundingClientRect(), {xaxis, yaxis} = gd._fullLayout;
  return [x + xaxis._offset, y + yaxis._offset, xaxis._length, yaxis._length];
}"""

FREE_ABOVE_NAMES = """() => {
  const gd = document.querySelector(".st-key-panels .js-plotly-plot");
  const top = gd.getBoundingClientRect().y, full = gd._fullLayout;
  const names = [...gd.querySelectorAll(".annotation .annotation-text")];
  return names.slice(2).map((name, above) => {
    const axis = full["yaxis" + (above ? above + 1 : "")];
    return name.getBoundingClientRect().y - (top + axis._offset + axis._length);
  });
}"""
"""Pixels between the names of the panels and the panels above them, two side by side."""


@pytest.fixture(scope="module")
def address(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    with served("charts.py", app_folder(tmp_path_factory.mktemp("charts"), "charts.py")) as where:
        yield where


def opened(page: Page, address: str) -> Page:
    page.goto(address)
    expect(page.locator(".posenc-chart")).to_have_count(5)
    settle(page)
    return page


@pytest.fixture
def charts(page: Page, address: str) -> Page:
    return opened(page, address)


@pytest.fixture
def as_they_are(same_page: Page, address: str) -> Page:
    """The charts for tests in a row that change nothing of them."""
    return same_page if same_page.url == f"{address}/" else opened(same_page, address)


def ranges(page: Page, key: str) -> list[float]:
    return page.evaluate(RANGES, key)


def point(page: Page, key: str, across: float, down: float) -> tuple[float, float]:
    """A place in the drawing, as fractions of its width and height."""
    left, top, width, height = page.evaluate(PANE, key)
    return left + across * width, top + down * height


def drag(page: Page, key: str, start: tuple[float, float], end: tuple[float, float]) -> None:
    page.mouse.move(*point(page, key, *start))
    page.mouse.down()
    page.mouse.move(*point(page, key, *end), steps=5)
    page.mouse.up()


def press(page: Page, key: str, button: str) -> None:
    head = page.locator(f".st-key-{key} .posenc-take")
    head.get_by_role("button", name=button, exact=True).press("Enter")


def take(page: Page, key: str, entry: str) -> None:
    """Choose from the menu of a chart, by keys."""
    page.locator(f".st-key-{key} .posenc-menu > summary").press("Enter")
    press(page, key, entry)


def runs(page: Page) -> int:
    return int(page.get_by_text(re.compile(r"^runs \d+$")).inner_text().split()[1])


def move_slider(page: Page, key: str, times: int = 1) -> None:
    slider = page.locator(f".st-key-{key} input[type=range]")
    for _ in range(times):
        slider.press("ArrowRight")


def inside(inner: list[float], outer: list[float]) -> bool:
    a, b = sorted(inner), sorted(outer)
    return a[0] >= b[0] and a[-1] <= b[-1] and a[-1] - a[0] < 0.95 * (b[-1] - b[0])


def test_zoom_survives_moves_until_another_matrix(charts: Page) -> None:
    """And the other chart is not drawn again."""
    whole = ranges(charts, "small")
    assert whole == [-0.5, 11.5, 11.5, -0.5]
    deep = charts.evaluate_handle(
        "document.querySelector('.st-key-deep .js-plotly-plot')._fullData"
    )
    drag(charts, "small", (0.1, 0.1), (0.6, 0.6))
    expect(charts.get_by_text("view View(")).to_be_visible()
    zoomed = ranges(charts, "small")
    assert inside(zoomed[:2], whole[:2])
    assert zoomed[2] > zoomed[3], "rows still run down"
    move_slider(charts, "k", 5)
    expect(charts.get_by_role("figure", name="scores for k = 8")).to_be_visible()
    # plotly reckons the range from pixels and back, which can move its last digits.
    assert ranges(charts, "small") == pytest.approx(zoomed, abs=1e-9)
    redrawn = "old => document.querySelector('.st-key-deep .js-plotly-plot')._fullData !== old"
    assert charts.evaluate(redrawn, deep) is False
    move_slider(charts, "size")
    charts.wait_for_function(f"() => ({RANGES})('small')[1] === 12.5")
    assert ranges(charts, "small") == [-0.5, 12.5, 12.5, -0.5]


def test_a_cell_says_what_it_is_and_a_click_returns_it_to_python(charts: Page) -> None:
    charts.mouse.move(*point(charts, "small", 9.5 / 12, 2.5 / 12))
    label = charts.locator(".st-key-small .hoverlayer")
    expect(label).to_contain_text("masked")
    charts.mouse.move(*point(charts, "small", 2.5 / 12, 9.5 / 12))
    expect(label).to_contain_text("score (logits): -0.504846")
    expect(label).to_contain_text("query position 9")
    seventh = point(charts, "small", 2.5 / 12, 7.5 / 12)
    charts.mouse.move(*seventh)  # a hand sees where it is before it clicks
    expect(label).to_contain_text("query position 7")
    charts.mouse.click(*seventh)
    expect(charts.get_by_text("picked (7, 2)")).to_be_visible()
    text = charts.get_by_text("cell Cell(").inner_text()
    z = float(re.search(r"z=([-\d.]+)", text)[1])
    assert z == pytest.approx(0.0707372, abs=1e-6)  # cos(0.3 * 7 - 0.3 * 2) in float32
    assert "x=2, y=7" in text
    assert "row=7, col=2, curve=0" in text
    assert ranges(charts, "small") == [-0.5, 11.5, 11.5, -0.5]


def test_zoom_computes_the_visible_window_and_then_all_is_quiet(charts: Page) -> None:
    expect(charts.get_by_text("deep rows 0:1000000 cols 0:1000000 step 7813")).to_be_visible()
    for _ in range(3):
        with answered(charts):
            drag(charts, "deep", (0.4, 0.4), (0.5, 0.5))
    text = charts.get_by_text("deep rows").inner_text()
    top, bottom, left, right, step = map(int, re.findall(r"\d+", text))
    assert 900 < right - left < 1100
    assert step == -(-(bottom - top) // 128)
    x0, x1, *_ = ranges(charts, "deep")
    assert left - 0.5 <= x0 < x1 <= right - 0.5, "the reader's window, not the computed one"
    before = runs(charts)
    charts.wait_for_timeout(1000)  # for nothing: longer than a zoom waits before it is told
    assert runs(charts) == before
    press(charts, "deep", "Whole matrix")
    expect(charts.get_by_text("deep rows 0:1000000 cols 0:1000000 step 7813")).to_be_visible()
    assert ranges(charts, "deep") == [-0.5, 999999.5, 999999.5, -0.5]


def test_zoom_survives_a_change_of_page(charts: Page) -> None:
    drag(charts, "deep", (0.2, 0.2), (0.5, 0.5))
    expect(charts.get_by_text("deep rows 0:1000000")).not_to_be_visible()
    zoomed, words = ranges(charts, "deep"), charts.get_by_text("deep rows").inner_text()
    charts.get_by_role("link", name="Other").click()
    expect(charts.get_by_role("heading", name="Another page")).to_be_visible()
    charts.get_by_role("link", name="Charts").click()
    expect(charts.get_by_text(words)).to_be_visible()
    settle(charts)
    assert ranges(charts, "deep") == pytest.approx(zoomed)


def test_a_plain_wheel_scrolls_the_page_and_ctrl_wheel_zooms(charts: Page) -> None:
    whole = ranges(charts, "deep")
    charts.mouse.move(*point(charts, "deep", 0.5, 0.5))
    scrolled = "document.querySelector('[data-testid=stMain]').scrollTop"
    before = charts.evaluate(scrolled)
    charts.mouse.wheel(0, 120)
    charts.wait_for_function(f"() => {scrolled} > {before}")
    assert ranges(charts, "deep") == whole
    charts.mouse.move(*point(charts, "deep", 0.5, 0.5))
    charts.keyboard.down("Control")
    charts.mouse.wheel(0, -120)
    charts.keyboard.up("Control")
    expect(charts.get_by_text("deep rows 0:1000000")).not_to_be_visible()
    assert inside(ranges(charts, "deep")[:2], whole[:2])


def test_the_chart_is_accessible_and_its_buttons_take_keys(charts: Page) -> None:
    figures = charts.get_by_role("figure").evaluate_all("f => f.map(e => e.ariaLabel)")
    expected = ["scores for k = 3", "deep", "eight heads", "six curves", "three bars"]
    assert figures == expected
    found = Axe().run(charts, context=".posenc-chart").response["violations"]
    assert not found, [(v["id"], v["impact"], [n["html"] for n in v["nodes"]]) for v in found]
    whole = ranges(charts, "curves")
    press(charts, "curves", "Zoom in")
    charts.wait_for_function(f"old => ({RANGES})('curves')[0] !== old", arg=whole[0])
    assert inside(ranges(charts, "curves")[:2], whole[:2])
    press(charts, "curves", "Show everything")
    charts.wait_for_function(f"old => ({RANGES})('curves')[0] === old", arg=whole[0])
    head = charts.locator(".st-key-small .posenc-take")
    names = head.locator("> button:visible").evaluate_all(
        "buttons => buttons.map(b => b.getAttribute('aria-label'))"
    )
    assert names == ["Zoom in", "Zoom out", "Fullscreen"], "what leads back is hidden at home"


def test_the_menu_has_every_way_to_take_a_figure_along(as_they_are: Page) -> None:
    menu = as_they_are.locator(".st-key-small .posenc-menu")
    expect(menu.locator("summary")).to_have_text("Save or share")
    menu.locator("summary").press("Enter")
    found = Axe().run(as_they_are, context=".posenc-menu").response["violations"]
    assert not found, [(v["id"], [n["html"] for n in v["nodes"]]) for v in found]
    assert menu.get_by_role("button").all_inner_texts() == [
        "Save for a slide (1920 × 1080)",
        "Save as PNG",
        "Save as SVG",
        "Save for print …",
        "Copy the address",
        "Embed: copy HTML for a page or slides",
        "Program in Python: the numbers",
        "Jupyter notebook: numbers and picture",
        "Numbers as CSV",
        "Numbers as NPZ",
    ]
    menu.get_by_role("button").last.press("Escape")
    expect(menu.get_by_role("button").first).to_be_hidden()
    expect(menu.locator("summary")).to_be_focused()


def test_the_picture_downloads_and_opens_as_a_notebook(as_they_are: Page) -> None:
    for kind, start in (("PNG", b"\x89PNG"), ("SVG", b"<svg")):
        with as_they_are.expect_download() as download:
            take(as_they_are, "small", f"Save as {kind}")
        assert download.value.suggested_filename == f"{SMALL}.{kind.lower()}"
        content = download.value.path().read_bytes()
        assert content.startswith(start)
        assert len(content) > 5000
    with as_they_are.expect_download() as download:
        take(as_they_are, "small", "Jupyter notebook: numbers and picture")
    assert download.value.suggested_filename == f"{SMALL}.ipynb"
    notebook = json.loads(download.value.path().read_text("utf-8"))
    assert (notebook["nbformat"], len(notebook["cells"])) == (4, 3)
    assert "plt.pcolormesh" in notebook["cells"][2]["source"]
    with as_they_are.expect_download() as large:
        take(as_they_are, "deep", "Jupyter notebook: numbers and picture")
    brought = large.value.path().read_text("utf-8")
    assert "b64decode" in json.loads(brought)["cells"][1]["source"]
    assert len(brought) > 60_000


def test_numbers_are_those_of_the_picture(as_they_are: Page) -> None:
    with as_they_are.expect_download() as download:
        take(as_they_are, "small", "Numbers as CSV")
    frame = pd.read_csv(download.value.path(), index_col=0)
    with as_they_are.expect_download() as packed:
        take(as_they_are, "small", "Numbers as NPZ")
    arrays = np.load(packed.value.path(), allow_pickle=False)
    drawn = as_they_are.evaluate(
        "[...document.querySelector('.st-key-small .js-plotly-plot').data[0].z].map((r) => [...r])"
    )
    assert frame.shape == np.shape(drawn)
    np.testing.assert_array_equal(frame.to_numpy(np.float32), np.float32(drawn))
    np.testing.assert_array_equal(arrays["values"], np.float32(drawn))


def test_a_matrix_fills_a_phone_as_a_square_below_its_title(page: Page, address: str) -> None:
    page.set_viewport_size(PHONE)
    opened(page, address)
    for key in ("small", "deep", "panels"):
        press(page, key, "Fullscreen")
        page.wait_for_function(
            "() => document.fullscreenElement?.querySelector('.main-svg').clientHeight"
            " === innerHeight"
        )
        settle(page)
        left, top, wide, high = page.evaluate(PANE, key)
        assert wide == pytest.approx(high, abs=1.5), key
        below = "gd => gd.querySelector('.gtitle').getBoundingClientRect().bottom"
        assert page.locator(f".st-key-{key} .js-plotly-plot").evaluate(below) <= top, key
        if key != "panels":
            assert wide > 0.85 * (390 - left), f"{key}: the bar of colours stands above it"
        page.evaluate("document.exitFullscreen()")
        page.wait_for_function("() => !document.fullscreenElement")
        settle(page)


def test_a_slide_is_whole_without_address_and_mark(charts: Page) -> None:
    for key in ("small", "curves"):
        with charts.expect_download() as slide:
            take(charts, key, "Save for a slide (1920 × 1080)")
        assert slide.value.suggested_filename.endswith("-slide.png")
        png = slide.value.path().read_bytes()
        assert struct.unpack(">II", png[16:24]) == (1920, 1080)
        assert b"Source\0http://127.0.0.1" in png, "where it comes from stands in the file"
    take(charts, "curves", "Save for print …")
    charts.get_by_label("Times").check()
    charts.get_by_label("a page of 18 cm").check()
    dialog = charts.get_by_role("dialog")
    with charts.expect_download() as download:
        dialog.get_by_role("button", name="Save as SVG").click()
    dialog.get_by_role("button", name="Done").click()
    assert download.value.suggested_filename.endswith("-page.svg")
    drawing = download.value.path().read_text()
    assert 'width="180mm"' in drawing
    assert "127.0.0.1" not in re.sub("<metadata.*?</metadata>", "", drawing)
    charts.set_content(f'<h1 class="main">?</h1>{drawing}')
    # Of the letters that were measured: every entry of the legend ends before the next begins.
    entries = charts.locator("svg .legend .traces").evaluate_all(
        """all => all.map((one) => {
          const paper = document.querySelector("svg").getBoundingClientRect();
          const { left, right, top, bottom } = one.querySelector("text").getBoundingClientRect();
          return [left - paper.left, right - paper.left, top - paper.top, bottom - paper.top];
        })"""
    )
    assert len(entries) == 6
    paper = charts.locator("body > svg").evaluate(
        "e => [e.getBoundingClientRect().width, e.getBoundingClientRect().height]"
    )
    for left, right, top, bottom in entries:
        assert 0 <= left < right <= paper[0]
        assert 0 <= top < bottom <= paper[1]
        others = [one for one in entries if one[0] > left and abs(one[2] - top) < 5]
        assert all(one[0] >= right for one in others)
    sizes = charts.locator("svg text").evaluate_all(
        "all => all.map((one) => parseFloat(getComputedStyle(one).fontSize))"
    )
    assert min(sizes) >= 11
    assert "Times" in charts.locator("svg text").first.evaluate(
        "e => getComputedStyle(e).fontFamily"
    )


def test_the_theme_changes_under_the_chart(charts: Page) -> None:
    color = "() => getComputedStyle(document.querySelector('.st-key-small .gtitle')).fill"
    drag(charts, "small", (0.1, 0.1), (0.6, 0.6))
    zoomed, light = ranges(charts, "small"), charts.evaluate(color)
    charts.emulate_media(color_scheme="dark")
    charts.wait_for_function(f"old => ({color})() !== old", arg=light)
    brightness = [sum(map(int, re.findall(r"\d+", c)[:3])) for c in (light, charts.evaluate(color))]
    assert brightness[0] < 250, "dark text on light"
    assert brightness[1] > 500, "light text on dark"
    assert ranges(charts, "small") == zoomed


def squares(page: Page) -> None:
    """A square matrix is drawn as a square."""
    for key in ("small", "deep", "panels"):
        *_place, wide, high = page.evaluate(PANE, key)
        assert wide == pytest.approx(high, abs=1.5), (key, page.viewport_size)


def test_a_narrow_screen_has_fewer_panels_side_by_side(page: Page, address: str) -> None:
    page.set_viewport_size(PHONE)
    opened(page, address)
    squares(page)
    axis = "document.querySelector('.st-key-panels .js-plotly-plot')._fullLayout"
    bottoms = page.evaluate(
        f"[...Array(8).keys()].map(i => {axis}['yaxis' + (i ? i + 1 : '')].domain[0])"
    )
    assert len(set(bottoms)) == 4
    assert bottoms[0] == bottoms[1] > bottoms[2]
    free = page.evaluate(FREE_ABOVE_NAMES)
    assert len(free) == 6
    assert min(free) > 8, "every name stands clear of the panel above it, and of a mark there"
    width = page.evaluate("[document.documentElement.scrollWidth, innerWidth]")
    assert width[0] <= width[1]
    title = page.locator(".st-key-curves .gtitle")
    expect(title.locator("tspan")).to_have_count(2)
    page.set_viewport_size(WIDE)
    page.wait_for_function(f"() => {axis}.yaxis.domain[0] === {axis}.yaxis4.domain[0]")
    page.reload()
    settle(page)
    expect(title).to_have_text(re.compile("wavelengths and the training length$"))
    expect(title.locator("tspan")).to_have_count(0)
    squares(page)
