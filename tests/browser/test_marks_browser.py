"""Numbers and names of the course's pictures: none is lost, and what is written adds up."""

import re
from collections.abc import Callable

import pytest
from playwright.sync_api import Page

from tests.browser.test_course_browser import SIZES, opened, stands

pytestmark = pytest.mark.browser

# Whether an element of a picture is seen; Chromium's own answer forgets what holds it.
SEEN = """const isSeen = (one) => {
  for (let node = one; node.tagName !== "FIGURE"; node = node.parentNode) {
    const { display, opacity } = getComputedStyle(node);
    if (display === "none" || Number(opacity) < 0.05) return false;
  }
  return true;
};"""
TEXTS = f"all => {{ {SEEN} return all.filter(isSeen).map((one) => one.textContent); }}"


def numbers(texts: list[str]) -> list[float]:
    """Those that are written with two decimals, in the order in which they stand."""
    found = re.findall(r"[+−]?\d+\.\d\d\b", " ".join(texts))
    return [float(one.replace("−", "-")) for one in found]


@pytest.mark.parametrize("step", ["slower", "real"])
def test_what_the_dials_add_is_the_score(
    step: str, new_page: Callable[..., Page], app_address: str
) -> None:
    for width, height in SIZES:
        page = new_page(viewport={"width": width, "height": height}, reduced_motion="reduce")
        opened(page, app_address, "rope", step)
        if step == "slower":
            page.locator(".course [aria-label='Dials that are added up']").focus()
            for _ in range(7):
                page.keyboard.press("ArrowRight")
            stands(page)
        dials = page.locator(".course [data-marks=dials] text").evaluate_all(TEXTS)
        written = page.locator(".course [data-marks='shadow dials'] text").evaluate_all(TEXTS)
        parts = numbers([text for text in dials if "turn" not in text and "in " not in text])
        assert len(parts) == 8, (width, dials)
        others = [text for text in written if "other" in text]
        (total,) = numbers([text for text in written if "other" not in text])
        if width > 1000 or step == "slower":  # a phone has no room for what the others bring
            assert round(sum(parts + numbers(others)), 2) == total


# Of the cells of Relative, with their rectangles: what is written, and whether it is wider.
CELLS = f"""all => {{ {SEEN} return all.filter(isSeen).map((row) => {{
  const boxes = [...row.querySelectorAll("rect")].map((box) => box.getBoundingClientRect());
  return [...row.querySelectorAll("text")].filter(isSeen).map((text) => {{
    const {{ left, right }} = text.getBoundingClientRect();
    const fits = boxes.some((box) => left >= box.left - 1 && right <= box.right + 1);
    return {{ text: text.textContent, fits }};
  }});
}}); }}"""


def test_labels_of_relative_are_whole_on_every_screen(
    new_page: Callable[..., Page], app_address: str
) -> None:
    for width, height in SIZES:
        page = new_page(viewport={"width": width, "height": height}, reduced_motion="reduce")
        opened(page, app_address, "relative", "clip")
        rows = page.locator(".course [data-marks='row diagonal matrix'] > g").evaluate_all(CELLS)
        cells = [[cell for cell in row if re.fullmatch(r"−?\d+", cell["text"])] for row in rows]
        assert len(cells) >= 12, (width, height)
        assert {len(row) for row in cells} == {16}
        assert [cell["text"] for cell in cells[-1]] == [*(f"−{15 - i}" for i in range(15)), "0"]
        assert all(cell["fits"] for row in cells for cell in row)
        for step, written in (("row", range(-4, 5)), ("values", range(9))):
            opened(page, app_address, "relative", step)
            ruler = page.locator(".course [data-marks=ruler] > g > g").evaluate_all(CELLS)
            labels = [cell["text"].replace("−", "-") for cell in ruler[0] if cell["fits"]]
            assert [text for text in labels if "more" not in text] == [*map(str, written)]


def test_relative_shows_the_text_of_the_small_model(page: Page, app_address: str) -> None:
    opened(page, app_address, "relative", "number")
    words = page.locator(".course [data-marks='words q k'] text").evaluate_all(TEXTS)
    assert words[:6] == ["Ann", "7", "Bob", "3", "Eve", "5"]
    page.locator("[data-choice='1']").click()
    page.locator(".course .answer b").wait_for()
    stands(page)
    key = page.locator(".course [data-marks=k] [role=slider]:visible")
    key.focus()
    for _ in range(5):
        page.keyboard.press("ArrowRight")
    stands(page)
    (formula,) = page.locator(".course [data-marks='table k q'] text").evaluate_all(TEXTS)
    assert formula == "q · k + 1.50"
    assert key.get_attribute("aria-valuetext") == "Bob, distance −1"
