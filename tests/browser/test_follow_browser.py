"""Follow a number with the mouse: what is clicked is explained, down to the number drawn."""

import numpy as np
import pytest
from playwright.sync_api import Page

from tests.browser.conftest import settle

pytestmark = pytest.mark.browser

# Where a place of the first chart's axes lies on the page, in pixels.
PIXEL = """([key, x, y]) => {
  const plot = document.querySelector(`.st-key-${key} .js-plotly-plot`);
  const {xaxis, yaxis} = plot._fullLayout, box = plot.getBoundingClientRect();
  return [box.x + xaxis._offset + xaxis.d2p(x), box.y + yaxis._offset + yaxis.d2p(y)];
}"""
VALUE = """([key, trace, row, col]) => {
  const {z, y} = document.querySelector(`.st-key-${key} .js-plotly-plot`).data[trace];
  return z ? z[row][col] : y[col];
}"""


def open_and_click(page: Page, address: str, key: str, x: float, y: float) -> str:
    """Click a place of a chart; the sentence under its formula."""
    page.goto(address)
    page.wait_for_selector("h1")
    settle(page)
    page.locator(f".st-key-{key} .js-plotly-plot").scroll_into_view_if_needed()
    page.mouse.click(*page.evaluate(PIXEL, [key, x, y]))
    page.wait_for_timeout(800)
    settle(page)
    assert page.locator(f".st-key-follow_{key} .katex").count() >= 2
    return page.locator(f".st-key-follow_{key} [data-testid=stCaptionContainer]").inner_text()


def test_a_clicked_cell_is_followed(page: Page, app_address: str):
    said = open_and_click(page, f"{app_address}/alibi?num_heads=12&head=9", "bias", 21, 50)
    assert said.startswith("At row 50, column 21: ")
    assert "bias_cell=50" in page.url
    drawn = page.evaluate(VALUE, ["bias", 0, 50, 21])
    assert np.float32(float(said.split(": ")[1].split()[0])) == np.float32(drawn)


def test_a_clicked_point_of_a_curve_is_followed(page: Page, app_address: str):
    address = f"{app_address}/rope?view=Score&length=64"
    page.goto(address)
    page.wait_for_selector("h1")
    settle(page)
    height = page.evaluate(VALUE, ["score", 0, 0, 12])
    said = open_and_click(page, address, "score", 12, height)
    assert said.startswith("At distance 12: ")
    assert np.float32(float(said.split(": ")[1].split()[0])) == np.float32(height)
