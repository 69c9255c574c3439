"""Pictures of the real model: Live attention, and the measured curves."""

import pytest
from playwright.sync_api import Page

from tests.browser.test_course_browser import opened, stands

pytestmark = pytest.mark.browser

# Numbers that a bar covers.
COVERED = """svg => {
  const of = (what) => [...svg.querySelectorAll(`[data-marks="${what}"]`)].filter((e) =>
    e.checkVisibility({ opacityProperty: true }));
  const bars = ["content", "position"].flatMap(of).flatMap((e) => [...e.querySelectorAll("rect")]);
  const boxes = bars.map((bar) => bar.getBoundingClientRect());
  const isOn = (a) => (b) =>
    a.left < b.right - 1 && a.right > b.left + 1 && a.top + 3 < b.bottom && a.bottom - 3 > b.top;
  return of("score").flatMap((e) => [...e.querySelectorAll("text")])
    .filter((text) => text.textContent && boxes.some(isOn(text.getBoundingClientRect())))
    .map((text) => text.textContent);
}"""
ARCS = """svg => [...svg.querySelectorAll("[data-marks='arcs'] path")].filter((arc) =>
  arc.getAttribute("d") && Number(arc.getAttribute("opacity")) > 0.2).length"""


@pytest.fixture
def page(same_page: Page) -> Page:
    """Its tests look at steps, many of the same chapter."""
    return same_page


def test_no_bar_covers_the_number_of_a_score(page: Page, app_address: str) -> None:
    opened(page, app_address, "live_attention", "parts")
    assert page.locator(".course svg").evaluate(COVERED) == []


def test_no_head_of_another_kind_is_drawn_beside_the_curve(page: Page, app_address: str) -> None:
    opened(page, app_address, "live_attention", "apart")
    assert page.locator(".course svg").evaluate(ARCS) > 0
    page.locator(".course .next").click()
    stands(page)
    page.locator("[data-choice='2']").click()
    page.locator(".course .answer b").wait_for()
    stands(page)
    assert page.locator(".course svg").evaluate(ARCS) == 0


# Keys that the frame of the last trained length holds, by the four ends of their circles.
FRAMED = """svg => {
  const frame = svg.querySelector("[data-marks='window'] path");
  const toFrame = frame.getScreenCTM().inverse();
  const isIn = (x, y) => frame.isPointInFill(new DOMPoint(x, y).matrixTransform(toFrame));
  const dots = [...svg.querySelectorAll("[data-marks='keys'] > [pointer-events] > circle")];
  return dots.filter((dot) => dot.checkVisibility()).filter((dot) => {
    const { left, right, top, bottom } = dot.getBoundingClientRect();
    const [x, y] = [(left + right) / 2, (top + bottom) / 2];
    return [[left, y], [right, y], [x, top], [x, bottom]].every((end) => isIn(...end));
  }).length;
}"""
STRETCHED = "svg => svg.querySelectorAll('[data-marks=saved] path[d^=M]').length"


def test_the_frame_of_the_last_tokens_holds_their_keys(page: Page, app_address: str) -> None:
    page.emulate_media(reduced_motion="reduce")
    opened(page, app_address, "measured", "needle")
    page.locator("[data-choice='0']").click()
    page.locator(".course .answer b").wait_for()
    stands(page)
    assert page.locator(".course svg").first.evaluate(FRAMED) == 3 * 4  # of three texts


# How far the circles of two numbers in a text are apart, at least.
APART = """svg => {
  const dots = svg.querySelectorAll("[data-marks='keys'] > [pointer-events] > circle");
  const boxes = [...dots].slice(0, 10).map((dot) => dot.getBoundingClientRect());
  return Math.min(...boxes.slice(1).map((box, i) => box.left - boxes[i].right));
}"""


def test_numbers_of_a_short_text_do_not_touch(page: Page, app_address: str) -> None:
    page.emulate_media(reduced_motion="reduce")
    opened(page, app_address, "measured", "longer")
    page.locator("[data-choice='1']").click()
    page.locator(".course .answer b").wait_for()
    page.locator(".course [aria-label='Length of the text']:visible").press("Home")
    for width in (1280, 390):
        page.set_viewport_size({"width": width, "height": 800})
        stands(page)
        assert 0 < page.locator(".course svg").first.evaluate(APART) < width


def test_how_much_is_saved_is_drawn_after_the_answer(page: Page, app_address: str) -> None:
    page.emulate_media(reduced_motion="reduce")
    opened(page, app_address, "measured", "methods")
    picture = page.locator(".course svg").first
    assert picture.evaluate(STRETCHED) == 0
    page.locator("[data-choice='2']").click()
    page.locator(".course .answer b").wait_for()
    stands(page)
    assert picture.evaluate(STRETCHED) == 6
    for name in ("linear", "NTK-aware"):
        page.get_by_role("button", name=f"As trained and with {name}").click()
    page.locator(".course .reached").wait_for()
    assert "in 4 of the six" in page.locator(".course .reached").inner_text()
