"""Linked hover: one cell marked in every panel, one place named for every curve, no server."""

import re
from urllib.parse import urlencode

import numpy as np
import pytest
from playwright.sync_api import Page, expect

from pages.side_by_side.settings import TEXT
from tests.browser.conftest import settle, until
from tests.browser.test_follow_browser import VALUE
from tests.conftest import said_number

pytestmark = pytest.mark.browser

THREE = "side_by_side?view=matrices&" + urlencode({"c": "sinusoidal", "text": TEXT})
"""Three encodings on a text of 32 tokens."""

# Where the cell of a panel lies on the page, in pixels.
CELL = """([key, panel, row, col]) => {
  const plot = document.querySelector(`.st-key-${key} .js-plotly-plot`);
  plot.scrollIntoView({block: "center"});
  const suffix = panel ? panel + 1 : "", box = plot.getBoundingClientRect();
  const x = plot._fullLayout["xaxis" + suffix], y = plot._fullLayout["yaxis" + suffix];
  return [box.x + x._offset + x.d2p(col), box.y + y._offset + y.d2p(row)];
}"""
# The whole pixel nearest to a cell, and the cell that it lies in: a panel may have two to a pixel.
PIXEL = """([key, panel, x, y]) => {
  const plot = document.querySelector(`.st-key-${key} .js-plotly-plot`);
  const suffix = panel ? panel + 1 : "", box = plot.getBoundingClientRect();
  const across = plot._fullLayout["xaxis" + suffix], down = plot._fullLayout["yaxis" + suffix];
  const [left, top] = [Math.round(x), Math.round(y)];
  const col = Math.round(across.p2d(left - box.x - across._offset));
  return [left, top, Math.round(down.p2d(top - box.y - down._offset)), col];
}"""
# Sent over the websocket: what asks the server.
WATCH = """() => {
  window.asked = 0;
  const send = WebSocket.prototype.send;
  WebSocket.prototype.send = function (...what) {
    window.asked += 1;
    return send.apply(this, what);
  };
}"""


def open_panels(page: Page, address: str) -> None:
    page.goto(address)
    page.wait_for_selector("h1")
    settle(page)
    page.evaluate(WATCH)


def numbers(page: Page, key: str) -> list[str]:
    labels = page.locator(f".st-key-{key} .posenc-linked-number").all_inner_texts()
    return [label.split("\n")[-1] for label in labels]


def drawn(page: Page, key: str, panels: int, row: int, col: int) -> list[float]:
    return [page.evaluate(VALUE, [key, panel, row, col]) for panel in range(panels)]


def test_a_hovered_cell_is_marked_with_its_number_in_every_panel(page: Page, app_address: str):
    open_panels(page, f"{app_address}/{THREE}")
    page.mouse.move(*page.evaluate(CELL, ["stages", 1, 25, 8]))
    expect(page.locator(".st-key-stages .posenc-linked-cell")).to_have_count(3)
    expect(page.locator(".st-key-differences .posenc-linked-cell")).to_have_count(2)
    for key, panels in (("stages", 3), ("differences", 2)):
        expected = drawn(page, key, panels, 25, 8)
        assert [float(n) for n in numbers(page, key)] == pytest.approx(expected, rel=1e-5)
    hovered = page.locator(".st-key-stages .posenc-linked-number").nth(1)
    expect(hovered).to_have_text(re.compile(r"^query i 25, \w+\nkey j 8, \w+\n-[\d.]+$"))
    centres = page.locator(".st-key-stages .posenc-linked-cell").evaluate_all(
        "cells => cells.map(cell => cell.getBoundingClientRect())"
        ".map(box => [box.x + box.width / 2, box.y + box.height / 2])"
    )
    for panel, centre in enumerate(centres):
        assert centre == pytest.approx(page.evaluate(CELL, ["stages", panel, 25, 8]), abs=1)
    page.mouse.move(*page.evaluate(CELL, ["stages", 0, 3, 20]))
    expect(page.locator(".st-key-stages .posenc-linked-number").first).to_contain_text("masked")
    assert numbers(page, "stages") == ["masked"] * 3
    page.mouse.move(5, 5)
    expect(page.locator(".posenc-linked-cell")).to_have_count(0)
    assert page.evaluate("window.asked") == 0


def test_a_click_in_any_panel_is_followed(page: Page, app_address: str):
    open_panels(page, f"{app_address}/{THREE}&stage=weights")
    for key, panel, tag in (("stages", 1, "B"), ("differences", 1, "C-A")):
        page.mouse.click(*page.evaluate(CELL, [key, panel, 25, 8]))
        field = page.get_by_role("textbox", name="Cell (panel, row, column)")
        expect(field).to_have_value(f"{tag}, 25, 8")
        settle(page)
        said = page.locator(".st-key-follow_panels [data-testid=stCaptionContainer]").inner_text()
        value = said_number(re.search(r"column 8: (\S+) in float64", said)[1])
        assert np.float32(value) == np.float32(page.evaluate(VALUE, [key, panel, 25, 8]))
    until(page, lambda: "panels_at=C-A" in page.url, "the address follows")


def test_one_label_names_all_and_a_click_takes_the_nearest(page: Page, app_address: str):
    open_panels(page, f"{app_address}/{THREE}&view=curves")
    heights = drawn(page, "score", 3, 0, 20)
    pixel = page.evaluate(CELL, ["score", 0, heights[1], 20])
    page.mouse.move(pixel[0], pixel[1] - 5)
    label = page.locator(".st-key-score .hoverlayer")
    expect(label).to_contain_text("distance i − j 20")
    for name, height in zip(("A RoPE", "B ALiBi", "C Sinusoidal"), heights, strict=True):
        expect(label).to_contain_text(re.compile(f"{name}: [−-]?{abs(height):.3g}"[:-1]))
    assert page.evaluate("window.asked") == 0
    page.mouse.click(pixel[0], pixel[1] - 5)
    expect(page.get_by_role("textbox", name="Point (curve, distance)")).to_have_value("B, 20")


def test_a_touched_panel_is_followed_and_the_page_still_scrolls(phone: Page, app_address: str):
    open_panels(phone, f"{app_address}/{THREE}")
    phone.touchscreen.tap(*phone.evaluate(CELL, ["stages", 1, 25, 8]))
    expect(phone.get_by_role("textbox", name="Cell (panel, row, column)")).to_have_value("B, 25, 8")
    settle(phone)
    expect(phone.locator(".st-key-stages .posenc-linked-number")).to_have_count(3)
    expected = drawn(phone, "stages", 3, 25, 8)
    assert [float(n) for n in numbers(phone, "stages")] == pytest.approx(expected, rel=1e-5)
    focusable = ".posenc-linked-cell[tabindex], .posenc-linked-number[tabindex]"
    assert phone.locator(focusable).count() == 0


def test_panels_that_fill_a_phone_are_large_and_tell_numbers(phone: Page, app_address: str):
    open_panels(phone, f"{app_address}/{THREE}")
    layout = "document.querySelector('.st-key-stages .js-plotly-plot')._fullLayout"
    before = phone.evaluate(f"{layout}.xaxis._length")
    phone.locator(".st-key-stages").get_by_role("button", name="Fullscreen").tap()
    phone.wait_for_function(f"() => document.fullscreenElement && {layout}.width === innerWidth")
    settle(phone)
    assert phone.evaluate(f"{layout}.xaxis._length") >= before
    phone.touchscreen.tap(*phone.evaluate(CELL, ["stages", 0, 25, 8]))
    expect(phone.locator(":fullscreen .posenc-linked-number")).to_have_count(3)


def test_a_clicked_head_opens_in_the_large_picture(page: Page, app_address: str):
    open_panels(page, f"{app_address}/live_attention?model=trained&view=stage")
    near = page.evaluate(CELL, ["heads", 6, 60, 20])
    left, top, row, col = page.evaluate(PIXEL, ["heads", 6, *near])
    page.mouse.click(left, top)
    title = page.locator(".st-key-stage_matrix .gtitle")
    expect(title).to_contain_text("head 2, layer 1")
    cell = page.get_by_role("textbox", name="Cell (row, column)")
    expect(cell).to_have_value(f"{row}, {col}")
    until(page, lambda: "layer=1" in page.url, "the address follows")
    until(page, lambda: "head=2" in page.url, "the address follows")
