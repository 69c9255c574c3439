"""A picture's files are there early, and a move redraws once, and only what it changes."""

from collections.abc import Iterator

import pytest
from playwright.sync_api import Page, expect

from tests.browser.conftest import answered, settle
from tests.conftest import PATIENCE
from ui.charts.component import BUNDLE

pytestmark = pytest.mark.browser
PLOTLY = "**/plotly-cartesian*"
PICTURE, BEHIND = ".posenc-chart .main-svg", "[data-testid=stTabs]"
# How often plotly has drawn each chart since.
COUNT = """() => {
  window.drawn = {};
  for (const chart of document.querySelectorAll(".posenc-chart .js-plotly-plot")) {
    const key = /st-key-(\\w+)/.exec(chart.closest("[class*=st-key-]").className)[1];
    drawn[key] = 0;
    chart.on("plotly_afterplot", () => { drawn[key] += 1; });
  }
}"""


@pytest.fixture
def unwatched(page: Page) -> Iterator[Page]:
    """A second tab of the same browser, whose console may say what is kept from it."""
    other = page.context.new_page()
    other.set_default_timeout(1000 * PATIENCE)
    yield other
    other.close()


def press(page: Page, key: str) -> None:
    with answered(page):
        page.locator(f".st-key-{key} input").press("ArrowUp")


def test_plotly_is_loaded_while_the_server_draws_the_screen(
    unwatched: Page, app_address: str
) -> None:
    unwatched.route_web_socket("**/_stcore/stream", lambda _socket: None)  # it never answers
    with unwatched.expect_request_finished(lambda request: "/plotly-cartesian" in request.url):
        unwatched.goto(f"{app_address}/alibi")


def test_a_picture_that_never_comes_keeps_nothing_back(unwatched: Page, app_address: str) -> None:
    unwatched.route(PLOTLY, lambda route: route.abort())
    unwatched.goto(f"{app_address}/alibi")
    expect(unwatched.locator(BEHIND)).to_be_visible()
    assert unwatched.locator(PICTURE).count() == 0


def test_the_doors_of_home_stand_where_they_will_on_a_phone(
    unwatched: Page, app_address: str
) -> None:
    unwatched.set_viewport_size({"width": 390, "height": 844})
    held = []
    unwatched.route(
        "**/progress.js", lambda route: held.append(route)
    )  # draws the way in, above the doors
    unwatched.goto(f"{app_address}/")
    door = unwatched.get_by_role("link", name="I have a sentence")
    expect(door).to_be_visible()
    expect(unwatched.locator(".posenc-idea svg")).to_be_visible()
    early = door.bounding_box()
    for route in held:
        route.continue_()
    expect(unwatched.get_by_role("link", name="Start the course")).to_be_visible()
    assert door.bounding_box() == early


def test_a_move_draws_the_charts_that_it_changes_once(page: Page, app_address: str) -> None:
    page.goto(f"{app_address}/cope")
    settle(page)
    page.evaluate(COUNT)
    press(page, "max_positions")
    # In two more only the program changes that draws the picture elsewhere.
    once = {"positions": 0, "sum": 0, "interpolation": 1, "gate": 0, "plain": 0}
    assert page.evaluate("drawn") == once


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
    page.goto(f"{app_address}/absolute")
    settle(page)
    is_quicker, found = page.evaluate(ARRAYS, BUNDLE)
    assert is_quicker
    assert len(found) > 8
    assert all(ours == theirs for ours, theirs in found)
    assert found[-1][0] != found[-2][0]  # a colour, and one for each point
