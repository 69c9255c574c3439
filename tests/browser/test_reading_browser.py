"""The number that is followed stands beside its picture, and ways lead back to where one was."""

from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from tests.browser.conftest import PHONE, settle, until
from tests.browser.test_screens_browser import visit

pytestmark = pytest.mark.browser

LABEL = ".posenc-chart .hoverlayer .hovertext"


def test_words_stand_beside_a_square_where_they_have_room(page: Page, app_address: str) -> None:
    visit(page, f"{app_address}/alibi")
    picture = page.locator(".posenc-chart").first
    words = page.get_by_text("ALiBi bias at row 40, column 10")
    box = "(e) => e.getBoundingClientRect().toJSON()"

    def are_beside() -> bool:
        return words.evaluate(box)["left"] > picture.evaluate(box)["right"]

    until(page, are_beside, "words beside the picture")
    page.set_viewport_size(PHONE)
    until(page, lambda: not are_beside(), "words below the picture")


@pytest.mark.parametrize("address", ["absolute", "scaling"])
def test_an_arrow_key_shows_the_value_that_it_reaches(
    address: str, page: Page, app_address: str
) -> None:
    visit(page, f"{app_address}/{address}")
    page.locator(".posenc-chart").first.focus()
    page.keyboard.press("ArrowRight")
    settle(page)
    expect(page.locator(LABEL).first).to_be_visible()


def test_the_story_leads_back_to_the_step_from_which_one_came(page: Page, app_address: str) -> None:
    page.goto(f"{app_address}/course/rope/lock/")
    with page.expect_navigation():
        page.get_by_role("link", name="Explore →").click()
    settle(page)
    with page.expect_navigation():
        page.get_by_role("link", name="← The story").click()
    assert page.url == f"{app_address}/course/rope/lock/"


def test_a_page_from_a_disk_frames_a_picture(page: Page, app_address: str, tmp_path: Path) -> None:
    slide = tmp_path / "slide.html"
    slide.write_text(f'<iframe src="{app_address}/alibi?embed=true" width="800" height="600">')
    page.goto(slide.as_uri())
    frame = page.frame_locator("iframe")
    frame.locator(".posenc-chart .main-svg").first.wait_for()
