"""Words that slide in a real browser: rows go along, numbers stay or change, nothing is asked."""

import pytest
from playwright.sync_api import Page, expect

from tests.browser.conftest import answered, until
from tests.browser.test_address_browser import check
from tests.browser.test_screens_browser import visit

pytestmark = pytest.mark.browser

# Of every row from top to bottom: its word, the numbers of its output, how far they have changed.
ROWS = """() => [...document.querySelectorAll(".posenc-shuffle svg g g")]
  .map((row) => [row.getBoundingClientRect().top, row])
  .sort(([a], [b]) => a - b)
  .map(([, row]) => {
    const texts = (name) => [...row.querySelectorAll(name)].map((text) => text.textContent);
    return [texts(".word")[0], texts(".number"), texts(".gap")[0]];
  })"""
WORDS = ["the", "dog", "bites", "the", "man"]


def rows(page: Page) -> list[list]:
    return page.evaluate(ROWS)


def words(page: Page) -> list[str]:
    return [word for word, _, _ in rows(page)]


def shuffled(page: Page) -> list[str]:
    line = page.locator("[data-testid=stText]").first.inner_text().split("\n")[1]
    return line.removeprefix("shuffled: ").split()


def numbers_are_there(page: Page) -> None:
    until(page, lambda: all(gap and all(cells) for _, cells, gap in rows(page)), "all numbers")


def test_rows_change_as_they_slide_with_positions_alone(page: Page, app_address: str):
    visit(page, f"{app_address}/why_position")
    assert words(page) == WORDS
    typed = {word: cells for word, cells, _ in rows(page)}
    before = page.evaluate("runs.sent")
    slider = page.locator(".posenc-shuffle input[type=range]")
    slider.focus()
    for key in ("ArrowRight", "PageUp", "ArrowLeft"):
        page.keyboard.press(key)
        assert {word: cells for word, cells, _ in rows(page)} == typed, "numbers stay on the way"
    assert page.evaluate("runs.sent") == before
    with answered(page):
        page.get_by_role("button", name="Slide the words").click()
    until(page, lambda: words(page) == shuffled(page), "the words stand in the other order")
    assert {word: cells for word, cells, _ in rows(page)} == typed
    assert {gap for _, _, gap in rows(page)} == {"0"}
    expect(page.locator(".posenc-shuffle [aria-live]")).to_contain_text("NoPE")
    with answered(page):
        page.locator(".posenc-shuffle select").select_option("rope")
    numbers_are_there(page)
    changed = rows(page)
    assert [word for word, _, _ in changed] == shuffled(page)
    drawn = page.evaluate(
        "document.querySelectorAll('.js-plotly-plot')[1].data[0].z.map(row => Array.from(row))"
    )
    for word, cells, gap in changed:
        if word != "the":  # which stands twice
            row = drawn[WORDS.index(word)]
            assert [float(cell.replace("−", "-")) for cell in cells] == pytest.approx(row, abs=5e-3)
            assert float(gap) > 0.001
    check(page, "/why_position", encoding="rope", order="shuffled")
    page.reload()
    until(page, lambda: words(page) == shuffled(page), "the same after a reload")


def test_another_order_slides_on_from_where_the_words_stand(page: Page, app_address: str):
    visit(page, f"{app_address}/why_position?order=shuffled&shuffle=2")
    until(page, lambda: words(page) == shuffled(page), "the order of the address")
    with answered(page):
        page.get_by_role("button", name="Shuffle again").click()
    until(page, lambda: words(page) == shuffled(page), "the next order")
    with answered(page):
        page.get_by_role("button", name="Put them back").click()
    until(page, lambda: words(page) == WORDS, "the order typed")


# Presses the button in the moment in which the server begins to answer something else.
PRESS_BEFORE_THE_ANSWER = """async (button) => {
  const before = runs.begun;
  while (runs.begun === before) await new Promise((next) => setTimeout(next));
  button.click();
}"""


def test_an_answer_does_not_undo_what_was_done_meanwhile(page: Page, app_address: str):
    visit(page, f"{app_address}/why_position")
    slider = page.locator(".posenc-shuffle input[type=range]")
    slider.focus()
    page.keyboard.press("PageUp")
    with answered(page):
        page.get_by_role("button", name="Slide the words").evaluate(PRESS_BEFORE_THE_ANSWER)
    until(page, lambda: words(page) == shuffled(page), "the words stand in the other order")
    check(page, "/why_position", order="shuffled")
