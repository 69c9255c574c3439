"""Controls fold by the width of the window, whatever the browser is called."""

import pytest
from playwright.sync_api import Page, expect

from tests.browser.conftest import settle

pytestmark = pytest.mark.browser


def test_controls_fold_where_the_window_is_narrow(page: Page, app_address: str) -> None:
    page.set_viewport_size({"width": 640, "height": 400})
    page.goto(f"{app_address}/alibi")
    settle(page)
    fold, heads = page.locator(".posenc-fold"), page.get_by_role("spinbutton", name="Heads")
    picture = page.locator(".posenc-chart .main-svg").first
    expect(heads).to_be_hidden()
    assert picture.bounding_box()["y"] < 400  # within the first screen
    fold.press("Enter")
    expect(heads).to_be_visible()
    expect(fold).to_have_attribute("aria-expanded", "true")
    page.set_viewport_size({"width": 1280, "height": 800})
    expect(fold).to_be_hidden()
    expect(heads).to_be_visible()
    assert page.evaluate("runs.sent") == 1  # folding is the browser's alone


def test_a_question_is_whole_at_twice_the_size(page: Page, app_address: str) -> None:
    page.set_viewport_size({"width": 640, "height": 400})  # 1280 x 800 at 200%
    page.goto(f"{app_address}/relative")
    settle(page)
    question = page.locator(".stExpander summary p").first
    assert question.inner_text().startswith("Predict: ")
    assert question.evaluate("element => element.scrollWidth - element.clientWidth") <= 0
    assert question.evaluate("element => getComputedStyle(element).textOverflow") == "clip"


def test_on_a_phone_a_trained_model_is_seen_at_once(page: Page, app_address: str) -> None:
    page.set_viewport_size({"width": 390, "height": 844})
    page.goto(f"{app_address}/lab")
    settle(page)
    axis = page.locator(".posenc-chart .xtitle").first.bounding_box()
    assert axis["y"] + axis["height"] <= 844


def test_on_a_phone_what_is_compared_is_in_one_window(page: Page, app_address: str) -> None:
    page.set_viewport_size({"width": 390, "height": 844})
    page.goto(f"{app_address}/side_by_side?view=matrices")
    settle(page)
    panels = page.locator(".posenc-chart").first.locator(".heatmaplayer image")
    expect(panels).to_have_count(2)
    one, other = panels.nth(0).bounding_box(), panels.nth(1).bounding_box()
    assert one["y"] == other["y"]
    assert one["y"] + one["height"] <= 844
    assert one["x"] + one["width"] < other["x"]


def test_what_is_changed_first_stands_above_the_picture(page: Page, app_address: str) -> None:
    page.set_viewport_size({"width": 390, "height": 844})
    page.goto(f"{app_address}/alibi")
    settle(page)
    heads, length = page.get_by_role("spinbutton", name="Heads"), page.locator(".st-key-length")
    expect(heads).to_be_visible()
    expect(length).to_be_hidden()
    fold = page.locator(".posenc-fold")
    assert heads.bounding_box()["y"] < fold.bounding_box()["y"]
    assert heads.bounding_box()["height"] < 44  # a line
    heads.fill("12")
    heads.press("Enter")
    page.wait_for_url("**num_heads=12**")
    fold.click()
    expect(length).to_be_visible()
