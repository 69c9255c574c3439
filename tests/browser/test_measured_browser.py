"""What the pictures of the real model show: Live attention, and the measured curves."""

from playwright.sync_api import Page

from tests.browser.test_course_browser import RESTS, opened

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


def test_no_bar_covers_the_number_of_a_score(page: Page, app_address: str) -> None:
    opened(page, app_address, "live_attention", "parts")
    assert page.locator(".course svg").evaluate(COVERED) == []


def test_beside_the_curve_no_head_is_drawn_that_does_something_else(
    page: Page, app_address: str
) -> None:
    opened(page, app_address, "live_attention", "apart")
    assert page.locator(".course svg").evaluate(ARCS) > 0
    page.locator(".course .next").click()
    page.wait_for_timeout(RESTS)
    page.locator("[data-choice='2']").click()
    page.locator(".course .answer b").wait_for()
    assert page.locator(".course svg").evaluate(ARCS) == 0
