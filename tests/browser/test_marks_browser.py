"""Numbers and names of the course's pictures: none is lost, and what is written adds up."""

import re

import pytest
from playwright.sync_api import Page

from tests.browser.conftest import until
from tests.browser.test_course_browser import SIZES, opened, stands

pytestmark = [pytest.mark.browser, pytest.mark.slow]

# Whether an element of a picture is seen; Chromium's own answer forgets what holds it.
SEEN = """const isSeen = (one) => {
  for (let node = one; node.tagName !== "FIGURE"; node = node.parentNode) {
    const { display, opacity } = getComputedStyle(node);
    if (display === "none" || Number(opacity) < 0.05) return false;
  }
  return true;
};"""
# Of the strongest pixels of a canvas.
BRIGHTNESS = """canvas => {
  const { data } = canvas.getContext("2d").getImageData(0, 0, canvas.width, canvas.height);
  const all = Array.from({ length: data.length / 4 }, (_, i) => data.slice(4 * i, 4 * i + 4));
  const letters = all.filter(([, , , opacity]) => opacity > 240);
  return letters.reduce((sum, [red]) => sum + red, 0) / letters.length;
}"""
TEXTS = f"all => {{ {SEEN} return all.filter(isSeen).map((one) => one.textContent); }}"


@pytest.fixture
def page(same_page: Page) -> Page:
    """Its tests look at steps, many of the same chapter."""
    return same_page


# Of the cells of Relative, with their rectangles: what is written, and whether it is wider.
CELLS = f"""all => {{ {SEEN} return all.filter(isSeen).map((row) => {{
  const boxes = [...row.querySelectorAll("rect")].map((box) => box.getBoundingClientRect());
  return [...row.querySelectorAll("text")].filter(isSeen).map((text) => {{
    const {{ left, right }} = text.getBoundingClientRect();
    const fits = boxes.some((box) => left >= box.left - 1 && right <= box.right + 1);
    return {{ text: text.textContent, fits }};
  }});
}}); }}"""


def test_labels_of_relative_are_whole_on_every_screen(page: Page, app_address: str) -> None:
    page.emulate_media(reduced_motion="reduce")
    for width, height in SIZES:
        page.set_viewport_size({"width": width, "height": height})
        opened(page, app_address, "relative", "clip")
        rows = page.locator(".course [data-marks='row diagonal matrix'] > g").evaluate_all(CELLS)
        cells = [[cell for cell in row if re.fullmatch(r"−?\d+", cell["text"])] for row in rows]
        assert len(cells) == 16, (width, height)
        if width > 360:  # there, sixteen rows leave no height for labels, which the ruler has
            assert {len(row) for row in cells} == {16}
            last = [*(f"−{min(15 - i, 7)}" for i in range(15)), "0"]  # beyond 7 a word reads as 7
            assert [cell["text"] for cell in cells[-1]] == last
        assert all(cell["fits"] for row in cells for cell in row)
        opened(page, app_address, "relative", "row")
        ruler = page.locator(".course [data-marks=ruler] > g > g").evaluate_all(CELLS)
        labels = [cell["text"].replace("−", "-") for cell in ruler[0] if cell["fits"]]
        assert [text for text in labels if re.fullmatch(r"-?\d", text)] == [*map(str, range(-4, 5))]
        ends = [text for text in labels if not re.fullmatch(r"-?\d", text)]
        assert ends, width  # on a phone the end ahead has no room for one
        assert all(text.startswith("4 or more") for text in ends)
        page.locator(".course [data-marks=k] [role=slider]:visible").press("PageDown")
        stands(page)
        (body,) = page.locator(".course [data-marks=ruler] > g > g").evaluate_all(CELLS)
        assert [cell["text"] for cell in body].count("−4") == 2, "the key's cell says what it reads"


def test_the_needle_is_lit_where_it_is_dragged_to_the_mark(page: Page, app_address: str) -> None:
    opened(page, app_address, "alibi", "needle")
    page.locator(".course [aria-label^='Head,']:visible").focus()
    for key in ("ArrowRight", *["ArrowLeft"] * 7):  # the flattest, then the steepest
        page.keyboard.press(key)
    stands(page)
    slider = page.locator(".course [aria-label^='Content score']")
    mark = page.locator(".course [data-marks='score k'] g path").last.bounding_box()
    knob = slider.locator("circle").first.bounding_box()
    assert mark is not None
    assert knob is not None
    y = knob["y"] + knob["height"] / 2
    aim = mark["x"] + mark["width"] / 2
    for off in (-12, -4, 0, 4):
        page.mouse.move(knob["x"] + knob["width"] / 2, y)
        page.mouse.down()
        page.mouse.move(aim + off, y, steps=5)
        page.mouse.up()
        stands(page)
        told = page.locator(".course [data-marks=k] text").evaluate_all(TEXTS)
        content, needed = (
            re.search(rf"{name} (\d+)", " ".join([*told, marked]))
            for name, marked in (("content", ""), ("needs", page.locator(".course").inner_text()))
        )
        gets = [float(re.findall(r"[\d.]+", text)[-1]) for text in told if "%" in text]
        is_lit = gets[0] >= gets[1]
        assert content is not None
        assert needed is not None
        assert is_lit == (int(content[1]) >= int(needed[1])), (off, told)
        assert is_lit == (off > -12)
        knob = slider.locator("circle").first.bounding_box()
        assert knob is not None


def test_words_on_a_canvas_change_with_the_theme(page: Page, app_address: str) -> None:
    page.emulate_media(color_scheme="light", reduced_motion="reduce")
    opened(page, app_address, "alibi", "line")
    assert page.locator(".course canvas").evaluate(BRIGHTNESS) < 80
    page.emulate_media(color_scheme="dark", reduced_motion="reduce")
    until(page, lambda: page.locator(".course canvas").evaluate(BRIGHTNESS) > 180, "light letters")


# Names and numbers that lie on the ring round the handle that has the focus.
RINGED = f"""() => {{ {SEEN}
  const hand = document.activeElement.shadowRoot?.activeElement ?? document.activeElement;
  const ring = hand.querySelector(".ring").getBoundingClientRect();
  const isOn = (box, by) => box.right > ring.left - by && box.left < ring.right + by
    && box.bottom > ring.top - by && box.top < ring.bottom + by;
  const isIn = (box) => box.left > ring.left && box.right < ring.right
    && box.top > ring.top && box.bottom < ring.bottom;
  return [...hand.closest("svg").querySelectorAll("text")]
    .filter((text) => text.textContent && isSeen(text) && !hand.contains(text))
    .map((text) => [text.textContent, text.getBoundingClientRect()])
    .filter(([, box]) => isOn(box, -1) && !isIn(box)).map(([text]) => text);
}}"""


@pytest.mark.parametrize(
    ("screen", "step", "handle"),
    [
        ("scaling", "knees", "Knee of the ramp"),
        ("kv_cache", "squeeze", "What is kept"),
        ("running", "ways", "Ways to keep"),
        ("alibi", "bend", "The end of the line"),
    ],
)
def test_a_ring_round_a_handle_touches_no_name(
    screen: str, step: str, handle: str, page: Page, app_address: str
) -> None:
    page.emulate_media(reduced_motion="reduce")
    for width, height in SIZES[:2]:
        page.set_viewport_size({"width": width, "height": height})
        opened(page, app_address, screen, step)
        hand = page.locator(f".course [aria-label^='{handle}']:visible")
        hand.focus()
        for key in ("ArrowRight", "End"):
            hand.press(key)
            stands(page)
            assert page.evaluate(RINGED) == [], (width, key)
