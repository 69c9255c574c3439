"""Walks are played with the keyboard; what a step speaks of is outlined and in view."""

import re

import pytest
from playwright.sync_api import Page

from tests.browser.conftest import answered, until
from tests.browser.test_screens_browser import path_of, visit
from tests.pages.drive import SCREENS
from ui.screen.course import after
from ui.screen.lesson import load

pytestmark = pytest.mark.browser

WALKED = [screen for screen in SCREENS if load(screen).walk and not load(screen).picture]
# The rectangle that is outlined, in pixels of the window: the whole element, or a part of it.
OUTLINED = """(key) => {
  const target = document.querySelector(`.st-key-${key}`);
  if (!target) return null;
  const { left, top } = target.getBoundingClientRect();
  const whole = getComputedStyle(target), part = getComputedStyle(target, "::after");
  if (whole.outlineStyle === "solid") return target.getBoundingClientRect().toJSON();
  if (part.outlineStyle !== "solid") return null;
  const px = (name) => parseFloat(part[name]);
  return { left: left + px("left"), top: top + px("top"),
           width: px("width"), height: px("height") };
}"""
IN_VIEW = """([{ left, top, width, height }]) => left >= 0 && left + width <= innerWidth
  && top < innerHeight && top + height > 0"""


def is_at(page: Page, screen: str, step: int) -> bool:
    name = load(screen).walk[step - 1].id or step
    return bool(re.search(rf"/{screen}\?(.*&)?step={name}(&|$)", page.url))


@pytest.mark.parametrize("screen", WALKED)
def test_a_walk_is_played_with_the_keyboard(screen: str, page: Page, app_address: str) -> None:
    walk, following = load(screen).walk, after(screen)
    visit(page, f"{app_address}{path_of(screen)}?step=1")
    for at, step in enumerate(walk, 1):
        until(page, lambda at=at: is_at(page, screen, at), f"step {at} in {page.url}")
        assert page.locator(".st-key-walk h2").inner_text() == step.title
        if step.outline is not None:
            key = step.outline.key
            until(page, lambda key=key: page.evaluate(OUTLINED, key), f"{key} is outlined")
            until(
                page,
                lambda key=key: page.evaluate(IN_VIEW, [page.evaluate(OUTLINED, key)]),
                f"{key} is in view",
            )
        if at < len(walk) or following is not None:
            with answered(page):
                # Arrow keys, and what presenters' remotes send.
                page.keyboard.press("PageDown" if at % 2 else "ArrowRight")
    if following is not None:
        until(page, lambda: is_at(page, following, 1), f"the next screen, {following}")
        with answered(page):
            page.go_back()
        until(page, lambda: is_at(page, screen, len(walk)), "the last step again")
    with answered(page):
        page.go_back()
    until(page, lambda: is_at(page, screen, len(walk) - 1), "one step before")
    with answered(page):
        page.keyboard.press("ArrowLeft")
    until(page, lambda: is_at(page, screen, len(walk) - 2), "two steps before")


def test_keys_in_a_field_belong_to_the_field(page: Page, app_address: str) -> None:
    visit(page, f"{app_address}/live_attention?step=2")
    page.locator(".stMain input:visible").first.click()
    sent = page.evaluate("runs.sent")
    page.keyboard.press("ArrowRight")
    page.keyboard.press("PageDown")
    page.wait_for_timeout(300)
    assert page.evaluate("runs.sent") == sent
    assert is_at(page, "live_attention", 2)


def test_the_course_knows_in_this_browser_how_far_one_is(page: Page, app_address: str) -> None:
    visit(page, f"{app_address}/measured?step=2")
    assert page.title().startswith("Measured curves · ")
    with answered(page):
        page.keyboard.press("ArrowRight")
    until(page, lambda: is_at(page, "measured", 3), "step 3")
    with answered(page):
        page.get_by_role("link", name="Contents").click()
    page.get_by_text(re.compile("^2 of .* steps seen in this browser$")).wait_for()
    caption = page.locator(".st-key-chapter_measured [data-testid=stCaptionContainer] p")
    seen = caption.evaluate("p => getComputedStyle(p, '::after').content")
    assert seen == f'" · seen: 2 of {len(load("measured").walk)}"'
    with answered(page):
        page.get_by_role("button", name=re.compile("^Go on: .*, step 3$")).click()
    until(page, lambda: is_at(page, "measured", 3), "step 3 again")


@pytest.mark.parametrize(("screen", "step"), [("measured", 3)])
def test_on_a_phone_the_next_steps_picture_is_behind_its_words_and_in_view(
    screen: str, step: int, page: Page, app_address: str
) -> None:
    page.set_viewport_size({"width": 390, "height": 844})
    visit(page, f"{app_address}/{screen}?step={step - 1}")
    with answered(page):
        page.locator(".st-key-walk_next button").click()
    outline = load(screen).walk[step - 1].outline
    assert outline is not None
    until(page, lambda: whole_in_view(page, outline.key), f"{outline.key} is in view as a whole")
    words = page.locator(".st-key-walk").bounding_box()
    picture = page.locator(f".st-key-{outline.key}").bounding_box()
    assert words is not None
    assert picture is not None
    assert 0 <= picture["y"] - words["y"] - words["height"] < 60, "nothing stands between the two"


def whole_in_view(page: Page, key: str) -> bool:
    """Whether a picture is between the app's header and the ways of the walk."""
    picture = page.locator(f".st-key-{key}").bounding_box()
    ways = page.locator(".st-key-walk_ways").bounding_box()
    if picture is None or ways is None:
        return False
    return bool(picture["y"] >= 60 and picture["y"] + picture["height"] <= ways["y"])


def test_a_step_that_follows_another_is_heard(page: Page, app_address: str) -> None:
    visit(page, f"{app_address}/measured?step=2")
    heard = page.locator(".posenc-step[role=status]")
    assert heard.inner_text() == "", "nothing is said over the page that is opened"
    with answered(page):
        page.keyboard.press("ArrowRight")
    until(
        page,
        lambda: heard.inner_text() == f"Step 3 of 6: {load('measured').walk[2].title}",
        "the step in words",
    )
