"""7 against 8 in a real browser: dragged, moved by keys, counted on; the numbers are posenc's."""

import re

import pytest
from playwright.sync_api import Page, expect

from posenc import sinusoidal_table
from posenc.random_model import RandomProjections
from tests.browser.conftest import answered, until
from tests.browser.test_address_browser import check
from tests.browser.test_hands_browser import EACH
from tests.browser.test_screens_browser import visit
from tests.conftest import said_number
from ui.text.tokens import word_tokens

pytestmark = pytest.mark.browser

FREE = "/absolute?view=odometer"
WHEELS = """() => [0, 1].map((row) => [...document.querySelectorAll(
    `.posenc-odometer g[clip-path$="-${row})"] > g`)].map((wheel) => wheel.textContent[0]))"""
TURNED = """() => [...document.querySelectorAll(".posenc-odometer g[clip-path] > g")]
  .some((wheel) => wheel.getAttribute("transform") !== "translate(0 0.0)")"""
# Every new drawing of the strips.
COUNT = """() => {
  window.drawn = 0;
  const hands = document.querySelector(".posenc-odometer path.hand-b");
  new MutationObserver(() => (window.drawn += 1)).observe(hands, {attributeFilter: ["d"]});
}"""


def numbers(page: Page) -> dict[str, float]:
    """The numbers above the drawing, read at once."""
    names = ["first", "second", "one", "many", "score"]
    texts = page.locator(".posenc-odometer .numbers").evaluate(EACH, names)
    found = [said_number(re.findall(r"[−\d.,]+", text)[-1]) for text in texts]
    return dict(zip(names, found, strict=True))


def expected(a: int, b: int, words: str) -> dict[str, float]:
    """The same numbers, by posenc."""
    table = sinusoidal_table(128, 64)
    first, second = RandomProjections(0, 64, 1, 1).embed(word_tokens(words).ids)[0].double()
    return {
        "first": a,
        "second": b,
        "one": abs(a - b) / 128,
        "many": float((table[a] - table[b]).abs().max()),
        "score": float((first + table[a]) @ (second + table[b])),
    }


def digits(place: int) -> list[str]:
    """Seven binary digits, the lowest first."""
    return [*f"{place:07b}"[::-1]]


def at_rest(page: Page, a: int, b: int) -> None:
    """Wait until the wheels stand at two positions."""
    until(
        page,
        lambda: page.evaluate(WHEELS) == [digits(a), digits(b)] and not page.evaluate(TURNED),
        f"wheels at {a} and {b}, not {page.evaluate(WHEELS)}",
    )


@pytest.mark.slow
def test_a_drag_asks_nothing_and_ends_in_the_address(page: Page, app_address: str):
    visit(page, f"{app_address}{FREE}")
    assert numbers(page) == pytest.approx(expected(7, 8, "dog dog"), abs=5.1e-5)
    at_rest(page, 7, 8)
    page.evaluate(COUNT)
    before = page.evaluate("runs.sent")
    box = page.locator(".posenc-odometer .handle.b .head").bounding_box()
    x, y = box["x"] + box["width"] / 2, box["y"] + box["height"] / 2
    page.mouse.move(x, y)
    page.mouse.down()
    places = set()
    for step in range(60):
        page.mouse.move(x + 6 * step, y)
        places.add(numbers(page)["second"])
    assert page.evaluate("drawn") > 20
    assert len(places) > 20
    assert page.evaluate("runs.sent") == before, "the server was asked during the drag"
    with answered(page):
        page.mouse.up()
    assert page.evaluate("runs.sent") == before + 1
    b = int(numbers(page)["second"])
    assert b == max(places) > 50
    assert numbers(page) == pytest.approx(expected(7, b, "dog dog"), abs=5.1e-5)
    at_rest(page, 7, b)
    with answered(page):
        page.locator(".posenc-odometer label").filter(has_text="two words").click()
    assert numbers(page) == pytest.approx(expected(7, b, "dog cat"), abs=5.1e-5)
    with answered(page):
        page.locator(".posenc-odometer .strips").click(position={"x": 300, "y": 10})
    column = page.locator(".st-key-odometer_column input").input_value()
    value = said_number(re.search(r": (\S+) at 7", page.locator(".followed").inner_text())[1])
    assert value == pytest.approx(float(sinusoidal_table(8, 64)[7, int(column)]), abs=5.1e-5)
    check(page, "/absolute", view="odometer", b=str(b), words="two", odometer_column=column)
    page.reload()
    until(page, lambda: page.locator(".posenc-odometer output").count(), "the picture")
    assert numbers(page) == pytest.approx(expected(7, b, "dog cat"), abs=5.1e-5)


def test_keys_and_buttons_move_and_who_wants_no_motion_gets_none(page: Page, app_address: str):
    page.emulate_media(reduced_motion="reduce")
    visit(page, f"{app_address}{FREE}")
    page.evaluate(COUNT)
    moves = [("ArrowRight", 8), ("End", 127), ("PageDown", 111), ("Home", 0), ("ArrowLeft", 0)]
    first = page.get_by_role("slider", name="First position")
    first.focus()
    for key, value in moves:
        page.keyboard.press(key)
        expect(first).to_have_attribute("aria-valuenow", str(value))
    assert first.get_attribute("aria-valuetext") == "position 0"
    assert page.evaluate("drawn") <= 2 * len(moves), "every place is there at once"
    with answered(page):
        page.get_by_role("button", name="Both +1").click(click_count=3)
    at_rest(page, 3, 11)
    said = page.locator(".posenc-odometer [aria-live=polite]")
    expect(said).to_contain_text("Binary digits that differ: 1 of 7.")
    same = float(sinusoidal_table(9, 64)[8] @ sinusoidal_table(9, 64)[0])
    expect(said).to_contain_text(f"{same:.4f} from the two rows alone")
    before = page.evaluate("runs.sent")
    page.get_by_role("button", name="Play", exact=True).click()
    at_rest(page, 3, 13)
    assert page.evaluate("runs.sent") == before
    with answered(page):
        page.get_by_role("button", name="Pause").click()
