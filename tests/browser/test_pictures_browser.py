"""Single pictures of the course: what they draw is what their step says."""

import math
from itertools import pairwise

import pytest
from playwright.sync_api import Page

from course.page.words import chapter
from tests.browser.conftest import until
from tests.browser.test_course_browser import SIZES, answer, opened, stands

pytestmark = pytest.mark.browser

# What the buttons of a picture lie on: beads and labels.
COVERED = """course => {
  const boxes = (selector) => [...course.querySelectorAll(selector)]
    .filter((node) => node.checkVisibility({ opacityProperty: true }))
    .map((node) => ({ node, box: node.getBoundingClientRect() }));
  const buttons = boxes("svg [role=button] rect");
  const others = [...boxes("svg [data-marks~=beads] circle:not(.ring)"), ...boxes("svg text")];
  const meet = ({ box: a }, { box: b }) =>
    a.left < b.right && b.left < a.right && a.top < b.bottom && b.top < a.bottom;
  return others
    .filter((one) => !one.node.closest("[role=button]") && buttons.some((b) => meet(b, one)))
    .map(({ node }) => node.outerHTML);
}"""
FILL = "e => getComputedStyle(e).fill"


@pytest.fixture
def page(same_page: Page) -> Page:
    """Its tests look at steps, many of the same chapter."""
    return same_page


@pytest.mark.slow
def test_names_of_methods_stand_on_no_bead_and_no_other_name(page: Page, app_address: str) -> None:
    page.emulate_media(reduced_motion="reduce")
    for width, height in SIZES:
        page.set_viewport_size({"width": width, "height": height})
        opened(page, app_address, "scaling", "others")
        buttons = page.locator(".course svg [role=button]:visible")
        assert buttons.count() == 3
        for button in buttons.all():
            button.click()
            stands(page)
            assert page.locator(".course").evaluate(COVERED) == [], (width, height)


def test_a_computed_row_is_drawn_as_its_sines(page: Page, app_address: str) -> None:
    opened(page, app_address, "relative", "sines")
    bars = page.locator(".course [data-marks=table] rect").evaluate_all(
        "all => all.map(bar => [+bar.getAttribute('x'), +bar.getAttribute('height')])"
    )
    *_, one_back, _query = sorted({x for x, _ in bars})
    heights = [height for x, height in bars if x == one_back]
    turns = [10000 ** (-n / 8) for n in range(4)]  # from fast to slow, a sine and a cosine each
    row = [wave(turn) for turn in turns for wave in (math.sin, math.cos)]
    assert heights == pytest.approx([heights[0] * one / row[0] for one in row], abs=0.1)


def test_the_ruler_breaks_where_places_are_left_empty(page: Page, app_address: str) -> None:
    opened(page, app_address, "live_attention", "apart")
    (asked,) = (one for one in chapter("live_attention").steps if one.id == "apart")
    answer(page, asked)
    middles = """ruler => [...ruler.querySelector("path[stroke-width='1.5']")
      .getAttribute("d").matchAll(/M([\\d.]+)/g)].map(([, x]) => +x)"""
    ruler = page.locator(".course [data-marks=ruler]")
    page.locator(".course [data-marks=gap] [role=slider]").focus()
    page.keyboard.press("ArrowRight")

    def gaps() -> list[float]:
        at = ruler.evaluate(middles)
        return [b - a for a, b in pairwise(at)]

    until(page, lambda: max(gaps()) > 2 * min(gaps()), "the ruler is in two parts")
    assert gaps().index(max(gaps())) == 8  # after the full stop


def test_blocks_add_up_to_the_sum_that_is_written(page: Page, app_address: str) -> None:
    page.emulate_media(reduced_motion="reduce")
    opened(page, app_address, "why_position", "sum")
    (asked,) = (one for one in chapter("why_position").steps if one.id == "sum")
    answer(page, asked)
    page.locator(".course [role=slider]:visible").last.focus()
    number = "all => all.map(e => Number(e.textContent.replace('−', '-').match(/-?[0-9.]+/)))"
    for _ in range(8):
        blocks = page.locator(".course [data-marks=content] text", has_text="=")
        written = page.locator(".course text", has_text="sum").evaluate_all(number)
        assert f"{sum(blocks.evaluate_all(number)):.2f}" == f"{written[0]:.2f}"
        page.keyboard.press("ArrowRight")
        stands(page)


def test_lengths_at_rest_are_those_that_were_measured(page: Page, app_address: str) -> None:
    opened(page, app_address, "why_position", "ahead")
    page.locator("[data-choice='1']").click()
    page.locator(".course .answer b").wait_for()
    stands(page)
    handle = page.locator(".course [data-marks=length] [role=slider]")
    box = handle.bounding_box()
    assert box is not None
    x, y = box["x"] + box["width"] - 30, box["y"] + box["height"] - 20
    page.mouse.move(x, y)
    page.mouse.down()
    page.mouse.move(x - box["width"] * 0.35, y, steps=4)
    assert handle.get_attribute("aria-valuenow") not in {"128", "256", "512"}
    page.mouse.up()
    until(page, lambda: handle.get_attribute("aria-valuenow") == "256", "a measured length")


def test_values_have_one_colour_in_all_chapters(page: Page, app_address: str) -> None:
    opened(page, app_address, "why_position", "sum")
    ours = page.locator(".course [data-mark=content]").first.evaluate(
        "e => getComputedStyle(e).color"
    )
    for step, mark in (("shelf", "v shelf"), ("card", "v shelf")):
        opened(page, app_address, "kv_cache", step)
        (asked,) = (one for one in chapter("kv_cache").steps if one.id == step)
        answer(page, asked)
        shown = page.locator(f".course [data-marks='{mark}'] rect:visible")
        assert shown.first.evaluate(FILL) == ours
        word = page.locator(".course [data-mark=v]")
        assert word.evaluate("e => getComputedStyle(e).color") == ours


def test_what_was_reached_stays_right_while_the_hand_goes_on(page: Page, app_address: str) -> None:
    page.emulate_media(reduced_motion="reduce")
    opened(page, app_address, "absolute", "beyond")
    (asked,) = (one for one in chapter("absolute").steps if one.id == "beyond")
    answer(page, asked)
    hand = page.locator(".course [aria-label='Place of the word']:visible")
    hand.focus()
    reached = page.locator(".course .reached")
    for _ in range(100):
        if reached.is_visible():
            break
        page.keyboard.press("ArrowLeft")
        stands(page)
    said = reached.inner_text()
    page.keyboard.press("ArrowLeft")
    stands(page)
    assert reached.inner_text() == said


@pytest.mark.parametrize("screen", ["live_attention", "kv_cache", "relative"])
def test_words_name_no_shade_that_the_other_theme_turns_round(screen: str) -> None:
    told = " ".join(f"{step.text} {step.task} {step.reached}" for step in chapter(screen).steps)
    assert not {"dark", "darker", "pale", "black", "white"} & set(told.replace("*", " ").split())


def test_a_place_at_the_edge_is_whole_on_a_phone(page: Page, app_address: str) -> None:
    page.set_viewport_size({"width": 390, "height": 844})
    page.emulate_media(reduced_motion="reduce")
    opened(page, app_address, "absolute", "matrices")
    answer(page, next(step for step in chapter("absolute").steps if step.id == "matrices"))
    place = page.locator(".course [aria-label='Place of the word']:visible")
    place.press("Home")
    stands(page)
    box = place.bounding_box()
    assert box is not None
    assert box["x"] >= 0


def test_nothing_hangs_over_where_training_ended(page: Page, app_address: str) -> None:
    page.set_viewport_size({"width": 1280, "height": 720})
    page.emulate_media(reduced_motion="reduce")
    opened(page, app_address, "rope", "unseen")
    name = page.locator(".course svg text", has_text="as far as in training").bounding_box()
    query = page.locator(".course [aria-label='Place of the query, boat']")
    query.press("PageUp")
    query.press("PageUp")
    stands(page)
    tag = query.bounding_box()
    assert name is not None
    assert tag is not None
    assert name["y"] > tag["y"] + tag["height"]
