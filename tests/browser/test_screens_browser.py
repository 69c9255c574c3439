"""Every screen in a real browser: drawn, used, shared, and the numbers are posenc's."""

import contextlib
import io
import os
from pathlib import Path

import numpy as np
import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Page

from tests.browser.conftest import PHONE, answered, settle, turn_to, until
from tests.pages.drive import SCREENS, assert_same

pytestmark = pytest.mark.browser

SIDEWAYS = "document.documentElement.scrollWidth - innerWidth"
BACKGROUND = """() => getComputedStyle(
  document.querySelector("[data-testid=stApp]") ?? document.body,
).backgroundColor"""
GOOD = 0.1
"""Cumulative layout shift of a good page: https://web.dev/articles/cls."""
SHIFTS = """() => {
  window.shifts = [];
  new PerformanceObserver((list) => {
    for (const { value, hadRecentInput } of list.getEntries())
      if (!hadRecentInput) shifts.push(value);
  }).observe({ type: "layout-shift", buffered: true });
}"""
# Where the first picture of the page begins.
TOP = """() => {
  const pictures = [...document.querySelectorAll(
    "[data-testid=stMain] :is(.posenc-chart, .posenc-picture, .posenc-gallery, table)")];
  const seen = pictures.filter((one) => one.getBoundingClientRect().height > 0);
  return Math.min(...seen.map((one) => one.getBoundingClientRect().top));
}"""
PICTURES = os.environ.get("SCREENSHOTS", "")
"""Folder of a photograph of every screen in both sizes; without one none is taken."""
SIZES = {"wide": (1280, 800), "narrow": (390, 844)}
FIRST_WINDOW = {"wide": 700, "narrow": 744}
"""Above it the first picture begins."""
WITHOUT = {"own", "config"}
"""Screens that begin with words: what measuring a model takes, and what to tell an engine."""
# What plotly really drew in the first chart: a heatmap's cells, else the curves stacked; a picture
# that moves writes its numbers.
DRAWN = """() => {
  const written = document.querySelectorAll('.posenc-picture .term');
  if (written.length) return [Array.from(written, (text) => text.textContent)];
  // An overview of many small pictures leads to the picture below.
  const plots = [...document.querySelectorAll('.js-plotly-plot')];
  const { data } = plots.find((plot) => !plot.closest('.st-key-whole'));
  const list = (values) => Array.from(values, (v) => (Number.isFinite(v) ? v : null));
  return data[0].type === 'heatmap'
    ? Array.from(data[0].z, list)
    : data.filter((t) => t.showlegend !== false).map((t) => list(t.y));
}"""

# The lines of a text as they are broken on the page.
LINES = """(element) => {
  const lines = [];
  let below = -Infinity;
  const texts = document.createTreeWalker(element, NodeFilter.SHOW_TEXT);
  const range = document.createRange();
  while (texts.nextNode())
    for (const [at, letter] of [...texts.currentNode.data].entries()) {
      range.setStart(texts.currentNode, at);
      range.setEnd(texts.currentNode, at + 1);
      const { top, height } = range.getBoundingClientRect();
      if (top > below + height / 2) {
        lines.push("");
        below = top;
      }
      lines[lines.length - 1] += letter;
    }
  return lines;
}"""


def path_of(screen: str) -> str:
    return "/" if screen == "home" else f"/{screen}"


def visit(page: Page, address: str) -> None:
    """Open an address of a screen."""
    page.goto(address)
    page.wait_for_selector("h1")
    settle(page)


def check_numbers(page: Page) -> None:
    """The code on the screen, run here, gives what the browser has drawn."""
    snippet = page.locator("[role=tabpanel] [data-testid=stCode] code").first.inner_text()
    names: dict = {}
    with contextlib.redirect_stdout(io.StringIO()) as printed:
        exec(compile(snippet, "snippet", "exec"), names)
    drawn = page.evaluate(DRAWN)
    if isinstance(drawn[0][0], str):
        assert drawn == [[f"{value:+.4f}".replace("-", "−") for value in names["terms"]]]
        return
    heights = names["values"] if "values" in names else [y for _x, y in names["curves"]]
    expected = np.float32(heights)
    if expected.ndim == 3:  # several panels, of which the first is drawn here
        expected = expected[0]
    drawn = np.array(drawn, dtype=np.float64).astype(np.float32)
    expected = np.nan_to_num(expected).reshape(drawn.shape)
    if printed.getvalue():
        np.testing.assert_array_equal(np.nan_to_num(drawn), expected)
    else:
        assert_same([expected], [np.nan_to_num(drawn)], page.url)


def change_a_control(page: Page) -> bool:
    """Move the first slider or number of the screen by one step; False if it has no control."""
    slider = page.locator("input[type=range]:visible, [role=slider]:visible").first
    number = page.locator("[data-testid=stNumberInputStepUp]:visible:enabled").first
    listed = page.locator("[data-testid=stSelectbox] input:visible")
    groups = page.locator("[data-testid=stButtonGroup]")
    if slider.count():
        slider.focus()
        with answered(page):
            page.keyboard.press("ArrowRight")
    elif number.count():
        with answered(page):
            number.click()
    elif listed.count():
        # A list closes when its page scrolls: first let that be told.
        listed.first.scroll_into_view_if_needed()
        page.evaluate("new Promise((done) => requestAnimationFrame(() => setTimeout(done)))")
        listed.first.click()
        with answered(page):
            page.locator("[role=option][aria-selected=false]").last.click()
    elif groups.count():
        with answered(page):
            groups.first.locator("button").last.click()
    else:
        return False
    return True


ELSEWHERE = {"kv_cache", "rope", "why_position"}
"""Their first pictures are moved, and their numbers compared, in files of their own: lessons, hands
and words that slide."""
FOLDED = {"home"}
"""Its tabs are folded away; an address opens them."""
RELOADED = ("alibi", "measured")
"""A matrix and curves; of every screen test_own_state opens the address anew, and hands, words that
slide and a file are opened anew where they are moved."""


def load(page: Page, screen: str, size: str, app_address: str) -> None:
    """Open a screen: nothing moves while it loads, and its picture is in the first window."""
    width, height = SIZES[size]
    page.set_viewport_size({"width": width, "height": height})
    page.goto(f"{app_address}{path_of(screen)}")
    page.evaluate(f"({SHIFTS})()")
    settle(page)
    assert sum(page.evaluate("shifts")) < GOOD, "what comes late has its place"
    begins_with_its_picture(page, screen, size)


def begins_with_its_picture(page: Page, screen: str, size: str) -> None:
    """Its first picture is seen without scrolling, but on screens that begin with words."""
    if screen not in WITHOUT:
        assert page.evaluate(TOP) < FIRST_WINDOW[size], size


@pytest.mark.parametrize("screen", SCREENS)
def test_stands_still_draws_answers_and_can_be_shared(screen: str, page: Page, app_address: str):
    """Opened on a phone, whose window then becomes wide; it is opened wide in the dark, below."""
    load(page, screen, "narrow", app_address)
    width, height = SIZES["wide"]
    page.set_viewport_size({"width": width, "height": height})
    settle(page)
    begins_with_its_picture(page, screen, "wide")
    if screen in ELSEWHERE:
        return
    if screen in FOLDED:
        visit(page, f"{app_address}{path_of(screen)}?tab=code")
    else:
        with answered(page):
            page.get_by_role("tab", name="Code").click()
    before = page.url
    if change_a_control(page):
        until(page, lambda: page.url != before, "the address holds the change")
    check_numbers(page)
    if screen not in RELOADED:
        return
    changed = page.url
    drawn = page.evaluate(DRAWN)
    page.reload()
    page.wait_for_selector("h1")
    settle(page)
    assert page.url == changed
    assert page.evaluate(DRAWN) == drawn


def go_to(page: Page, group: str, name: str) -> None:
    """Open a screen by the navigation."""
    page.locator("#site summary").filter(has_text=group).click()
    with answered(page):
        page.locator("#site a:visible").filter(has_text=name).first.click()


FIRST = {"config": "h2", "own": "[data-testid=stMetric]"}
"""First element of a screen where that is no picture: in the studio, the sentence to decide by; for
a checkpoint of one's own, its facts and how much of it can be measured."""


AXE = {"resultTypes": ["violations"]}
# The names and the order of things are the same in both schemes of colours.
COLOURS = {"runOnly": {"type": "rule", "values": ["color-contrast", "link-in-text-block"]}}


@pytest.mark.slow
@pytest.mark.parametrize("screen", SCREENS)
def test_looks_and_is_accessible(screen: str, page: Page, app_address: str):
    """Opened in the dark, where colours of nobody's choice are light; then by day."""
    page.emulate_media(color_scheme="dark")
    load(page, screen, "wide", app_address)
    first = FIRST.get(screen, ".js-plotly-plot, .posenc-picture")
    top = page.locator(first).first.bounding_box()["y"]
    assert top < SIZES["wide"][1] / 2, "the first picture is below the first screen"
    found_by_tab(page, screen, "wide-dark")
    accessible_in_the_dark_and_by_day(page, screen)
    photograph(page, screen, "wide-light")
    page.set_viewport_size(PHONE)
    found_by_tab(page, screen, "narrow-light")


def found_by_tab(page: Page, screen: str, looks: str) -> None:
    """Nothing is to be scrolled sideways, and the picture is a few stops away."""
    until(page, lambda: page.evaluate(SIDEWAYS) <= 0, f"{looks}: not to be scrolled sideways")
    settle(page)
    go_by_tab_to_the_picture(page)
    photograph(page, screen, looks)


def accessible_in_the_dark_and_by_day(page: Page, name: str) -> None:
    """Axe finds nothing on a page that was opened in the dark, nor by day; it is light then."""
    assert violations(page, AXE) == [], name
    dark = page.evaluate(BACKGROUND)
    page.emulate_media(color_scheme="light")
    until(page, lambda: page.evaluate(BACKGROUND) != dark, "the page is light")
    if page.locator("[data-testid=stApp]").count():
        settle(page)
    assert violations(page, AXE | COLOURS) == [], name


def violations(page: Page, options: dict) -> list[str]:
    """Violations that axe finds, but for Streamlit's own link over the page."""
    found = Axe().run(page, options=options).response["violations"]
    said = [f"{v['id']}: {v['nodes'][0]['html'][:200]}" for v in found]
    return [one for one in said if "stSkipToContent" not in one]


IN_PICTURE = "!!document.activeElement.closest('.posenc-chart, .posenc-picture')"
IS_SKIP = "document.activeElement.matches('#site .skip, .posenc-skip')"
MOST_STOPS = 9
START = """() => {
  document.body.tabIndex = -1;
  document.body.focus();
  document.body.removeAttribute("tabindex");
}"""


def go_by_tab_to_the_picture(page: Page) -> None:
    """From the top of the page: few stops to the first picture, by the button that leads there."""
    page.evaluate(START)
    for _stop in range(MOST_STOPS):
        page.keyboard.press("Tab")
        if page.evaluate(IS_SKIP):
            page.keyboard.press("Enter")
        if page.evaluate(IN_PICTURE):
            break
    assert page.evaluate(IN_PICTURE)
    page.keyboard.press("Tab")
    assert page.evaluate(IN_PICTURE), "the next stop is inside"
    page.evaluate("document.activeElement.blur()")
    page.evaluate("document.querySelector('[data-testid=stMain]').scrollTo(0, 0)")


def photograph(page: Page, screen: str, looks: str) -> None:
    if PICTURES:
        page.screenshot(path=Path(PICTURES) / f"{screen}-{looks}.png")


def test_two_tabs_do_not_disturb_each_other(page: Page, other_page: Page, app_address: str):
    first, second = page, other_page
    visit(first, f"{app_address}/alibi?num_heads=4&tab=code")
    visit(second, f"{app_address}/alibi?num_heads=16&tab=code")
    change_a_control(second)
    check_numbers(first)
    check_numbers(second)
    assert "num_heads=4" in first.url


def test_on_a_phone_a_command_is_not_broken_within_words(copying: Page, app_address: str) -> None:
    page = copying
    page.set_viewport_size(PHONE)
    address = f"{app_address}/config?model=Qwen3-8B&target=131072"
    visit(page, address)
    for engine in ("vllm", "sglang", "llama_cpp", "lmdeploy"):
        turn_to(page, f"{address}&engine={engine}")
        a_command_is_whole_and_copied(page, engine)


def a_command_is_whole_and_copied(page: Page, engine: str) -> None:
    command = page.locator(f".st-key-command_{engine}")
    command.locator("pre").wait_for()
    lines = command.locator("pre").evaluate(LINES)
    assert len(lines) > 1, engine
    assert [line for line in lines[:-1] if not line.endswith((" ", ",", "{", '":'))] == [], engine
    foot = "(element) => element.getBoundingClientRect().bottom"
    top = "(element) => element.getBoundingClientRect().top"
    button, written = command.locator("button"), command.locator("pre")
    assert button.evaluate(foot) <= written.evaluate(top), f"the button covers {engine}"
    button.click()
    until(page, lambda: button.inner_text() == "Copied", f"nothing says that {engine} is copied")
    assert page.evaluate("navigator.clipboard.readText()") == "".join(lines)


def test_a_table_is_whole_on_a_phone_and_covers_no_words(phone: Page, app_address: str) -> None:
    visit(phone, f"{app_address}/side_by_side?view=cost&a=t5&b=cope&c=rope&d=alibi")
    table = phone.get_by_test_id("stTable")
    assert table.evaluate("table => table.scrollWidth <= table.clientWidth")
    assert "calls timed" in table.inner_text()
    visit(phone, f"{app_address}/verified?view=families")
    words, tools = phone.locator(".stElementContainer:has(> * .stDataFrame)").evaluate(
        """table => [
          table.previousElementSibling.getBoundingClientRect().bottom,
          table.querySelector("[data-testid=stElementToolbar] > *").getBoundingClientRect().top,
        ]"""
    )
    assert words <= tools
