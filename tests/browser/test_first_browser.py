"""Pictures come first: in a page that is opened, and in the answer to a move."""

from collections.abc import Iterator
from contextlib import contextmanager

import pytest
from playwright.sync_api import Browser, BrowserContext, Page, Route, expect

from tests.browser.conftest import WIDE, answered, settle, until
from ui.charts.component import BUNDLE

pytestmark = pytest.mark.browser
PLOTLY = "**/plotly-cartesian*"
PICTURE, BEHIND = ".posenc-chart .main-svg", "[data-testid=stTabs]"
FOLDED = ".st-key-batch"  # stands before the picture, in a closed fold
# What comes first, and without the patience that ends after two seconds: this machine may be busy.
ORDER = f"""
  const soon = setTimeout;
  window.setTimeout = (call, ms, ...more) => soon(call, ms === 2000 ? 1e9 : ms, ...more);
  window.order = [];
  new MutationObserver(() => {{
    for (const part of ["{PICTURE}", "{BEHIND}", "{FOLDED}"])
      if (!order.includes(part) && document.querySelector(part)) order.push(part);
  }}).observe(document, {{ subtree: true, childList: true }});
"""
RESTS = ("data-test-script-state", "notRunning")
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


def test_what_is_folded_away_waits_for_the_picture(chromium: Browser, app_address: str) -> None:
    with opened(chromium) as context:
        page = context.new_page()
        page.add_init_script(ORDER)
        asked: list[Route] = []
        page.route(PLOTLY, lambda route: asked.append(route))
        page.goto(f"{app_address}/config?step=0")
        expect(page.locator(".st-key-methods")).to_be_visible()  # between the fold and the picture
        until(page, lambda: asked, "plotly is asked for")
        assert page.locator(FOLDED).count() == 0
        page.get_by_text("Memory", exact=True).click()
        asked[0].continue_()
        expect(page.locator(FOLDED)).to_be_visible()
        assert page.evaluate("order")[0] == PICTURE
        # It is a control as any other: what it says reaches the server.
        cache = page.get_by_test_id("stMetric").filter(has_text="16.0 GiB")
        expect(cache).to_be_visible()
        expect(page.get_by_test_id("stApp")).to_have_attribute(*RESTS)
        page.locator(FOLDED).get_by_role("spinbutton").press("ArrowUp")
        expect(cache).to_be_hidden()


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


ARRAYS = """async (bundle) => {
  const ours = Plotly.PlotSchema.findArrayAttributes;
  await import(`./app/static/chart/${bundle}?once more`);
  const theirs = Plotly.PlotSchema.findArrayAttributes;
  const plots = [...document.querySelectorAll(".posenc-chart .js-plotly-plot")];
  const traces = plots.flatMap((plot) => plot._fullData);
  const line = traces.find((trace) => trace.type === "scatter" && trace.marker);
  for (const color of ["red", ["red", "blue"]])
    traces.push({ ...line, marker: { ...line.marker, color } });
  return [ours !== theirs, traces.map((trace) => [ours(trace), theirs(trace)])];
}"""


def test_plotly_hears_of_the_arrays_that_it_would_find_itself(page: Page, app_address: str) -> None:
    page.goto(f"{app_address}/absolute?step=0")
    settle(page)
    is_quicker, found = page.evaluate(ARRAYS, BUNDLE)
    assert is_quicker
    assert len(found) > 8
    assert all(ours == theirs for ours, theirs in found)
    assert found[-1][0] != found[-2][0]  # a colour, and one for each point
