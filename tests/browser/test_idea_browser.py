"""The three scenes of Home: played by themselves, stopped, chosen, and still for who wants it."""

import re

import pytest
from playwright.sync_api import Page, expect

from exhibits.idea import both_orders
from tests.browser.conftest import answered, until
from tests.browser.test_address_browser import check
from tests.browser.test_screens_browser import visit
from tests.conftest import said_number

pytestmark = pytest.mark.browser

# From left to right: every word, and what is said of its numbers.
COLUMNS = """() => [...document.querySelectorAll(".posenc-idea svg > g:last-child > g")]
  .map((column) => [column.getBoundingClientRect().left, column])
  .sort(([a], [b]) => a - b)
  .map(([, column]) => [...column.querySelectorAll("text")].map((text) => text.textContent))"""
# The clock of a page, which can be set to go faster.
CLOCK = """() => {
  const plain = performance.now.bind(performance), frame = requestAnimationFrame;
  let last = plain(), at = last;
  window.faster = 1;
  performance.now = () => {
    at += window.faster * (plain() - last);
    last = plain();
    return at;
  };
  window.requestAnimationFrame = (then) => frame(() => then(performance.now()));
}"""
FRAMES = """async () => {
  for (let i = 0; i < 10; i++) await new Promise(requestAnimationFrame);
}"""
SHUFFLED = ["the", "man", "bites", "the", "dog"]


def words(page: Page) -> list[str]:
    return [word for word, _ in page.evaluate(COLUMNS)]


def check_end(page: Page, scene: str) -> None:
    """The words stand in the other order, with the changes that posenc computes."""
    until(page, lambda: all(said for _, said in page.evaluate(COLUMNS)), f"the end of {scene}")
    assert words(page) == SHUFFLED
    typed, other = both_orders(scene)
    changes = (typed - other).abs().amax(dim=1)[[0, 4, 2, 3, 1]]
    for (_, said), change in zip(page.evaluate(COLUMNS), changes.tolist(), strict=True):
        if scene == "nope":
            assert said == "unchanged"
        else:
            number = said_number(re.search(r"[\d.]+$", said)[0])
            assert number == pytest.approx(change, rel=0.06)  # two digits


@pytest.mark.slow
def test_the_scenes_are_played_and_ask_nothing(other_page: Page, app_address: str):
    page = other_page  # it is closed, and its clock with it
    page.add_init_script(f"({CLOCK})()")
    visit(page, app_address)
    page.evaluate("window.faster = 4")
    before = page.evaluate("runs.sent")
    until(page, lambda: page.get_by_role("radio", name="rotated").is_checked(), "scene 3")
    check_end(page, "rope")
    page.evaluate("window.faster = 1")
    play = page.locator(".posenc-idea .buttons button")
    expect(play).to_have_text("Play")
    play.click()
    expect(play).to_have_text("Pause")
    expect(page.get_by_role("radio", name="no positions")).to_be_checked()
    until(page, lambda: words(page) == SHUFFLED, "the words change places")
    play.click()
    stopped = page.locator(".posenc-idea svg").inner_html()
    page.evaluate(FRAMES)
    assert page.locator(".posenc-idea svg").inner_html() == stopped
    assert page.evaluate("runs.sent") == before


def test_a_scene_is_in_the_address_and_may_stand_still(page: Page, app_address: str):
    page.emulate_media(reduced_motion="reduce")
    visit(page, app_address)
    check_end(page, "nope")
    with answered(page):
        page.locator(".posenc-idea label").filter(has_text="added").click()
    check_end(page, "sinusoidal")
    expect(page.locator(".posenc-idea [aria-live=polite]")).to_contain_text("added to whatever")
    check(page, "/", scene="sinusoidal")
    page.reload()
    until(page, lambda: page.locator(".posenc-idea svg text").count(), "the picture")
    check_end(page, "sinusoidal")
