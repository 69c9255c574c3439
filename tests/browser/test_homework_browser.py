"""Homework by the keyboard, from a chapter to a result; what axe finds on pages of the course."""

import re
from urllib.parse import parse_qs, urlsplit

import pytest
from playwright.sync_api import Page

from exhibits.homework.result import shuffled
from tests.browser.conftest import answered, settle, until
from tests.browser.test_course_browser import ready
from tests.browser.test_screens_browser import accessible_in_the_dark_and_by_day
from ui.screen.homework import of

pytestmark = pytest.mark.browser

PLAIN = (
    "course/",
    "course/glossary/",
    "course/questions/",
    "course/rope/",
    "course/rope/second/?present=1&list=course/rope/second+rope&item=1",
    "questions/",
)
PAGES = (
    "alibi?present=1&list=alibi+rope&item=1",
    "homework?on=rope&answers=rope.1.AB---",
    "homework?view=result&answers=rope.1.AB---&tasks=rope.half%3Fbase%3D2",
    "homework?view=class",
    "rope?exercise=rope.half&head_dim=128&trained=4096&length=8192",
)


@pytest.mark.slow
def test_homework_is_done_with_the_keyboard(page: Page, app_address: str) -> None:
    page.goto(f"{app_address}/course/alibi/bend/")
    ready(page)
    page.locator(".course .more summary").focus()
    page.keyboard.press("Enter")
    link = page.get_by_role("link", name="Five questions on this")
    link.focus()
    page.keyboard.press("Enter")
    until(page, lambda: "/homework?on=alibi" in page.url, "the homework")
    until(page, lambda: "order=" in page.url, "the order of the options")
    settle(page)
    order = int(parse_qs(urlsplit(page.url).query)["order"][0])
    for at, one in enumerate(of("alibi").questions):
        right = "ABCD"[shuffled(4, 1, one.id, order).index(0)]
        page.get_by_role("button", name=re.compile(f"^{right}: ")).first.focus()
        with answered(page):
            page.keyboard.press("Enter")
        reason = page.locator(f".st-key-ask_{at} [data-testid=stAlert]")
        assert reason.inner_text().startswith(f"Right, {right}: ")
    assert page.get_by_text("5 of 5 right, attempt 1.").count() == 1
    letters = re.search(r"answers=alibi\.1\.([A-D]{5})$", page.url)
    with answered(page):
        page.get_by_role("link", name="Do it on the screen →").click()
    assert (
        page.locator(".st-key-task [data-testid=stAlert]")
        .inner_text()
        .startswith("Not yet. Head 0 of 8")
    )
    for label, value in (("Heads n", "32"), ("Head h", "22")):
        page.get_by_label(label, exact=True).fill(value)
        with answered(page):
            page.keyboard.press("Enter")
    told = page.locator(".st-key-task [data-testid=stAlert]").inner_text()
    assert told.startswith("Not yet. Head 22 of 32"), "a move of a part tells the task anew"
    page.reload()  # the answers are in the address
    page.locator(".st-key-task_hand_in button").focus()
    with answered(page):
        page.keyboard.press("Enter")
    assert letters is not None
    until(page, lambda: "tasks=alibi.window" in page.url, "the page Homework")
    assert f"answers=alibi.1.{letters[1]}" in page.url
    assert "num_heads%3D32" in page.url
    with answered(page):
        page.go_back()
    with answered(page):
        page.go_forward()
    assert page.get_by_text("5 of 5 right, attempt 1.").count() == 1


@pytest.mark.slow
def test_axe_finds_nothing_on_pages_of_the_course(page: Page, app_address: str) -> None:
    for name in (*PLAIN, *PAGES):
        page.emulate_media(color_scheme="dark")
        page.goto(f"{app_address}/{name}")
        page.wait_for_selector("h1")
        if name in PAGES:
            settle(page)
        accessible_in_the_dark_and_by_day(page, name)
