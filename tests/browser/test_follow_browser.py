"""Follow a number with the mouse: what is clicked is explained, down to the number drawn."""

import numpy as np
import pytest
from playwright.sync_api import Page

from tests.browser.conftest import answered, settle, until
from tests.conftest import said_number

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

ROW = """([key, name]) => document.querySelector(`.st-key-${key} .js-plotly-plot`)
  ._fullLayout.yaxis.ticktext.indexOf(name)"""


def open_and_click(page: Page, address: str, key: str, x: float, y: float) -> str:
    """Click a place of a chart; the sentence under its formula."""
    page.goto(address)
    page.wait_for_selector("h1")
    settle(page)
    page.locator(f".st-key-{key} .js-plotly-plot").scroll_into_view_if_needed()
    with answered(page):
        page.mouse.click(*page.evaluate(PIXEL, [key, x, y]))
    assert page.locator(f".st-key-follow_{key} .katex").count() >= 2
    return page.locator(f".st-key-follow_{key} [data-testid=stCaptionContainer]").inner_text()


def test_a_clicked_cell_is_followed(page: Page, app_address: str):
    said = open_and_click(page, f"{app_address}/alibi?num_heads=12&head=9", "bias", 21, 50)
    assert said.startswith("Row 50, column 21: ")
    until(page, lambda: "bias_cell=50" in page.url, "the address follows")
    drawn = page.evaluate(VALUE, ["bias", 0, 50, 21])
    assert np.float32(said_number(said.split(": ")[1].split()[0])) == np.float32(drawn)


def test_a_click_on_a_second_chart_moves_the_point_of_all(page: Page, app_address: str):
    address = f"{app_address}/config"
    page.goto(address)
    page.wait_for_selector("h1")
    settle(page)
    yarn = 2
    height = page.evaluate(VALUE, ["divisors", yarn, 0, 45])
    page.locator(".st-key-divisors .js-plotly-plot").scroll_into_view_if_needed()
    with answered(page):
        page.mouse.click(*page.evaluate(PIXEL, ["divisors", 45, height]))
    field = page.get_by_role("textbox", name="Point (curve, pair)")
    assert field.input_value() == "2, 45"
    for key in ("wavelengths", "divisors", "frequencies"):
        words = page.locator(f".st-key-follow_{key} [data-testid=stCaptionContainer]").inner_text()
        assert words.startswith("YaRN, pair 45: ")
        said = said_number(words.split(": ")[1].split()[0])
        drawn = page.evaluate(VALUE, [key, yarn, 0, 45])
        assert np.float32(said) == np.float32(drawn)


def test_a_click_on_a_logarithmic_axis_finds_its_position(page: Page, app_address: str):
    page.goto(f"{app_address}/rope?view=precision&length=16384&head_dim=128")
    page.wait_for_selector("h1")
    settle(page)
    places = page.evaluate(
        "() => Array.from(document.querySelector('.st-key-stages .js-plotly-plot').data[3].x)"
    )
    height = page.evaluate(VALUE, ["stages", 3, 0, 200])
    page.locator(".st-key-stages .js-plotly-plot").scroll_into_view_if_needed()
    with answered(page):
        page.mouse.click(*page.evaluate(PIXEL, ["stages", places[200], height]))
    words = page.locator(".st-key-follow_stages [data-testid=stCaptionContainer]").inner_text()
    assert words.startswith(f"Cos and sin cast, position {int(places[200]):,}: ")
    assert np.float32(said_number(words.split(": ")[1].split()[0])) == np.float32(height)


def test_a_clicked_mark_leads_to_what_says_so(page: Page, app_address: str):
    page.goto(f"{app_address}/engines")
    page.wait_for_selector("h1")
    settle(page)
    page.locator(".st-key-marks .js-plotly-plot").scroll_into_view_if_needed()
    sglang, gemma2 = 1, page.evaluate(ROW, ["marks", "gemma2"])
    with answered(page):
        page.mouse.click(*page.evaluate(PIXEL, ["marks", sglang, gemma2]))
    until(page, lambda: "family=gemma2" in page.url and "engine=sglang" in page.url, "the address")
    page.get_by_text("SGLang 0.5.23 ignores yarn scaling for gemma2").wait_for()


def test_arrow_keys_move_the_followed_cell(page: Page, app_address: str):
    page.goto(f"{app_address}/alibi")
    settle(page)
    field = page.locator(".st-key-bias_cell input")
    assert field.input_value() == "40, 10"
    page.locator(".posenc-skip").press("Enter")
    assert page.evaluate("document.activeElement.ariaLabel"), "what has the focus has a name"
    for key, cell in (("ArrowDown", "41, 10"), ("ArrowLeft", "41, 9")):
        with answered(page):
            page.keyboard.press(key)
        assert field.input_value() == cell
