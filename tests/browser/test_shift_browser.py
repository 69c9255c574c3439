"""Nothing moves while a screen loads: what comes late has its place."""

import pytest
from playwright.sync_api import Page

from tests.browser.conftest import settle
from tests.browser.test_screens_browser import SIZES, path_of
from tests.pages.drive import SCREENS

pytestmark = pytest.mark.browser
GOOD = 0.1
"""Cumulative layout shift of a good page: https://web.dev/articles/cls."""
SHIFTS = """() => {
  window.shifts = [];
  new PerformanceObserver((list) => {
    for (const { value, hadRecentInput } of list.getEntries())
      if (!hadRecentInput) shifts.push(value);
  }).observe({ type: "layout-shift", buffered: true });
}"""


@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("screen", SCREENS)
def test_a_screen_stands_still_while_it_loads(
    screen: str, size: str, page: Page, app_address: str
) -> None:
    width, height = SIZES[size]
    page.set_viewport_size({"width": width, "height": height})
    page.goto(f"{app_address}{path_of(screen)}")
    page.evaluate(f"({SHIFTS})()")
    settle(page)
    assert sum(page.evaluate("shifts")) < GOOD
