"""Pictures come first: in a page that is opened, and in the answer to a move."""

from collections.abc import Iterator
from contextlib import contextmanager

import pytest
from playwright.sync_api import Browser, BrowserContext, Page, Route, expect

from tests.browser.conftest import WIDE, answered, settle, until

pytestmark = pytest.mark.browser
PLOTLY = "**/plotly-cartesian*"
PICTURE, BEHIND = ".posenc-chart .main-svg", "[data-testid=stTabs]"
# What comes first, and without the patience that ends after two seconds: this machine may be busy.
ORDER = f"""
  const soon = setTimeout;
  window.setTimeout = (call, ms, ...more) => soon(call, ms === 2000 ? 1e9 : ms, ...more);
  window.order = [];
  new MutationObserver(() => {{
    for (const part of ["{PICTURE}", "{BEHIND}"])
      if (!order.includes(part) && document.querySelector(part)) order.push(part);
  }}).observe(document, {{ subtree: true, childList: true }});
"""
# How often plotly has drawn each chart since.
COUNT = """() => {
  window.drawn = {};
  for (const chart of document.querySelectorAll(".posenc-chart .js-plotly-plot")) {
    const key = /st-key-(\\w+)/.exec(chart.closest("[class*=st-key-]").className)[1];
    drawn[key] = 0;
    chart.on("plotly_afterplot", () => { drawn[key] += 1; });
  }
}"""


@contextmanager
def opened(chromium: Browser) -> Iterator[BrowserContext]:
    context = chromium.new_context(viewport=WIDE)
    context.set_default_timeout(120_000)
    yield context
    context.close()


def press(page: Page, key: str) -> None:
    with answered(page):
        page.locator(f".st-key-{key} input").press("ArrowUp")


def test_what_stands_behind_the_first_picture_waits_for_it(
    chromium: Browser, app_address: str
) -> None:
    with opened(chromium) as context:
        page = context.new_page()
        page.add_init_script(ORDER)
        asked: list[Route] = []
        page.route(PLOTLY, lambda route: asked.append(route))
        page.goto(f"{app_address}/alibi?step=0")
        expect(page.get_by_role("spinbutton", name="Heads")).to_be_visible()  # stands before it
        until(page, lambda: asked, "plotly is asked for")
        assert page.locator(BEHIND).count() == 0
        asked[0].continue_()
        expect(page.locator(BEHIND)).to_be_visible()
        assert page.evaluate("order") == [PICTURE, BEHIND]


def test_a_picture_that_never_comes_keeps_nothing_back(chromium: Browser, app_address: str) -> None:
    with opened(chromium) as context:
        page = context.new_page()
        page.route(PLOTLY, lambda route: route.abort())
        page.goto(f"{app_address}/alibi?step=0")
        expect(page.locator(BEHIND)).to_be_visible()
        assert page.locator(PICTURE).count() == 0


def test_a_move_draws_the_charts_that_it_changes_once(page: Page, app_address: str) -> None:
    page.goto(f"{app_address}/cope?step=0")
    settle(page)
    page.evaluate(COUNT)
    press(page, "max_positions")
    # In two more only the program changes that draws the picture elsewhere.
    once = {"positions": 0, "sum": 0, "interpolation": 1, "gate": 0, "plain": 0}
    assert page.evaluate("drawn") == once


def test_a_chart_takes_its_data_before_the_rest_of_the_answer(
    chromium: Browser, app_address: str
) -> None:
    with opened(chromium) as context:
        page = context.new_page()
        page.goto(f"{app_address}/absolute?step=0")
        expect(page.locator(BEHIND)).to_be_visible()
        until(page, lambda: page.locator(".posenc-chart .cartesianlayer").count() >= 3, "charts")
        page.evaluate(COUNT)
        page.evaluate(
            """() => {
              window.taken = [];
              addEventListener("posenc-data", (event) => setTimeout(() => {
                if (event.defaultPrevented) taken.push(event.detail.key);
              }));
            }"""
        )
        page.locator(".st-key-length input").press("ArrowUp")
        expect(page.get_by_placeholder("0:129, 0:64")).to_be_visible()
        until(page, lambda: len(page.evaluate("taken")) == 3, "three charts have changed")
        assert sorted(page.evaluate("taken")) == ["table", "wavelengths", "waves"]
        assert set(page.evaluate("drawn").values()) == {1}
