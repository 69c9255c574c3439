"""A page on paper: whole pictures, open folds, and nothing to press."""

import pytest
from playwright.sync_api import Page

from tests.browser.conftest import until
from tests.browser.test_screens_browser import visit

pytestmark = pytest.mark.browser

PAPER = 681  # pixels of A4 between margins of 15 mm, rounded up
# The width of every picture, what can be pressed, and how much of the words in folds is seen.
SEEN = """() => {
  const all = (selector) => [...document.querySelectorAll(`[data-testid=stMain] ${selector}`)];
  const wide = (element) => element.getBoundingClientRect().width;
  const texts = all("details p:not(button p, [data-testid=stWidgetLabel] p)")
    .filter((text) => text.textContent.trim());
  return {
    widths: all(":is(.posenc-chart .svg-container, .posenc-picture svg)").map(wide),
    pressed: all("button").filter((button) => button.checkVisibility()).map((b) => b.textContent),
    folded: texts.filter((text) => !text.checkVisibility({ contentVisibilityAuto: true })).length,
    texts: texts.length,
  };
}"""


def test_a_page_is_whole_on_paper(page: Page, app_address: str) -> None:
    visit(page, f"{app_address}/measured")
    page.emulate_media(media="print")
    try:
        # Pictures take the paper's width in a frame after it is known.
        until(page, lambda: max(page.evaluate(SEEN)["widths"]) <= PAPER, "pictures fit on paper")
        seen = page.evaluate(SEEN)
    finally:
        page.emulate_media(media="screen")
    assert max(seen["widths"]) > 400
    assert seen["pressed"] == []
    assert seen["texts"] > 0
    assert seen["folded"] == 0
