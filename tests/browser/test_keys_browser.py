"""The keys of a presenter: what goes on with the lesson, and what a picture keeps for itself."""

import re
from pathlib import Path

import pytest
from playwright.sync_api import Frame, Page

from course.chapters import COURSE
from course.page.words import chapter
from tests.browser.conftest import answered, settle, until
from tests.browser.test_course_browser import ready
from tests.browser.test_screens_browser import visit
from tests.browser.test_stage_browser import reveal, site
from ui.screen.lesson import load

pytestmark = pytest.mark.browser

QUERY = "Place of the query"
BEFORE, AFTER = (COURSE[COURSE.index("rope") + by] for by in (-1, 1))
# Red, green and blue of a plain page's paper together.
BRIGHTNESS = """getComputedStyle(document.body).backgroundColor.match(/\\d+/g)
  .reduce((sum, one) => sum + Number(one), 0)"""


def drag(page: Page | Frame, by: int = 60) -> None:
    """Drag a word of RoPE's picture with the mouse; it has the focus then."""
    mouse = (page if isinstance(page, Page) else page.page).mouse
    box = page.get_by_role("slider", name=QUERY).bounding_box()
    x, y = box["x"] + box["width"] / 2, box["y"] + 15
    mouse.move(x, y)
    mouse.down()
    mouse.move(x + by, y, steps=3)
    mouse.up()
    page.evaluate("new Promise((later) => setTimeout(later))")  # until then no click counts


def place(page: Page | Frame) -> str | None:
    return page.get_by_role("slider", name=QUERY).get_attribute("aria-valuenow")


def step_of(screen: str, number: int) -> str:
    """A step of a chapter as its address has it."""
    return f"/course/{screen}/{chapter(screen).steps[number - 1].id}/"


def present(page: Page, address: str) -> None:
    """Open a chapter for a projector."""
    page.goto(address)
    ready(page)


def press(page: Page, key: str, where: str) -> None:
    """Press a key that leads to an address."""
    page.keyboard.press(key)
    until(page, lambda: re.search(rf"{where}(&|\?|$)", page.url), where)
    come(page)


def come(page: Page) -> None:
    """Wait until a screen, or a step of the course, is whole."""
    page.locator("[data-testid=stApp], .course .live").first.wait_for(state="attached")
    if "/course/" not in page.url:
        settle(page)


def test_keys_go_on_after_a_drag(page: Page, app_address: str) -> None:
    present(page, f"{app_address}/course/rope/turn/?present=1")
    ways = {"PageDown": 2, "ArrowLeft": 1, " ": 2, "Shift+Space": 1, "PageDown ": 2, "PageUp": 1}
    for key, step in ways.items():
        drag(page)
        press(page, key.strip() or key, step_of("rope", step))


def test_keys_go_on_after_a_choice(page: Page, app_address: str) -> None:
    entries = "absolute?view=similarity+why_position?picture=slide+alibi?view=bias"
    visit(page, f"{app_address}/playlist?list={entries}")
    with answered(page):
        page.get_by_role("button", name="Play", exact=True).click()
    until(page, lambda: "item=1" in page.url, "the first entry is shown")
    come(page)
    press(page, "PageDown", "item=2")
    choice = page.locator(".posenc-shuffle select")
    with answered(page):
        choice.select_option("alibi")
        choice.evaluate("element => element.focus()")  # as a choice by mouse leaves it
    press(page, "ArrowUp", "item=1")
    assert page.locator(".posenc-chart").count() == 1, "the picture alone"
    press(page, "PageDown", "item=2")
    page.locator(".posenc-shuffle input[type=range]").click()
    press(page, "ArrowRight", "item=3")


def test_what_has_the_focus_takes_arrows_and_never_pages(page: Page, app_address: str) -> None:
    present(page, f"{app_address}/course/rope/second/?present=1")
    query = page.get_by_role("slider", name=QUERY)
    while not query.evaluate("element => element === element.getRootNode().activeElement"):
        page.keyboard.press("Tab")
    before = int(place(page) or 0)
    page.keyboard.press("ArrowRight")
    page.locator(".course .live").get_by_text(f"place {before + 1}").wait_for()  # it rests
    page.keyboard.press("ArrowRight")
    until(page, lambda: place(page) == str(before + 2), f"two places on, not {place(page)}")
    press(page, "PageDown", step_of("rope", 3))


def test_home_end_and_back_over_the_beginning_of_a_chapter(page: Page, app_address: str) -> None:
    present(page, f"{app_address}/course/rope/lock/?present=1")
    press(page, "End", step_of("rope", len(chapter("rope").steps)))
    press(page, "Home", step_of("rope", 1))
    press(page, "PageUp", step_of(BEFORE, len(chapter(BEFORE).steps)))
    press(page, "PageDown", "/course/rope/")


def test_the_room_stays_dark_and_large_from_chapter_to_chapter(
    page: Page, app_address: str
) -> None:
    present(page, f"{app_address}/course/rope/{chapter('rope').steps[-1].id}/?present=1")
    bright = page.evaluate(BRIGHTNESS)
    letters = page.locator(".course .prose > p").last
    size = "p => p.currentCSSZoom * parseFloat(getComputedStyle(p).fontSize)"
    small = letters.evaluate(size)
    page.keyboard.press("d")
    page.keyboard.press("+")
    page.keyboard.press("+")
    until(page, lambda: letters.evaluate(size) > 1.2 * small, "larger letters")
    press(page, "PageDown", f"/course/{AFTER}/")
    assert page.evaluate(BRIGHTNESS) < 200 < 600 < bright
    until(page, lambda: letters.evaluate(size) > 1.2 * small, "larger letters in another chapter")
    page.keyboard.press("0")
    until(page, lambda: letters.evaluate(size) < 1.1 * small, "letters as before")
    page.keyboard.press("b")
    covered = "getComputedStyle(document.body, '::after').backgroundColor"
    assert page.evaluate(covered) == "rgb(0, 0, 0)"
    page.keyboard.press("b")
    assert page.evaluate(covered) != "rgb(0, 0, 0)"
    page.get_by_role("button", name="D: light or dark").click()
    until(page, lambda: page.evaluate(BRIGHTNESS) == bright, "light again")
    page.keyboard.press("d")
    press(page, "Escape", f"/course/{AFTER}/")
    assert page.evaluate(BRIGHTNESS) < 200, "one look, whether one presents or not"
    page.get_by_role("link", name="Present", exact=True).click()
    page.wait_for_url("**/?present=1")
    ready(page)
    assert page.evaluate(BRIGHTNESS) < 200


def test_who_goes_back_from_presenting_keeps_the_look(page: Page, app_address: str) -> None:
    lock = f"{app_address}/course/rope/lock/"
    page.goto(lock)
    ready(page)
    present(page, f"{lock}?present=1")
    assert page.evaluate(BRIGHTNESS) > 600
    page.keyboard.press("d")
    until(page, lambda: page.evaluate(BRIGHTNESS) < 200, "dark")
    page.go_back()
    page.wait_for_url(lock)
    until(page, lambda: page.evaluate(BRIGHTNESS) < 200, "dark here too")


def test_keys_go_on_with_a_list_after_a_drag(page: Page, app_address: str) -> None:
    visit(page, f"{app_address}/playlist?list=rope?step=2+course/rope/content+alibi?step=2")
    page.get_by_role("button", name="Play", exact=True).click()
    ready(page)
    drag(page)
    press(page, "PageDown", "rope.*item=2")
    press(page, "End", "alibi.*item=3")
    press(page, "Home", "rope.*item=1")


def play(page: Page, app_address: str, entries: str) -> None:
    """Present a playlist from its page."""
    visit(page, f"{app_address}/playlist?list={entries}")
    page.get_by_role("button", name="Play", exact=True).click()
    page.wait_for_url("**present=1**")
    come(page)


def test_what_is_moved_in_a_list_stays_until_it_is_closed(page: Page, app_address: str) -> None:
    first, second, third = "course/rope/second", "course/rope/content", "absolute?view=similarity"
    play(page, app_address, f"{first}+{second}+{third}")
    begins = place(page)
    drag(page)
    moved = place(page)
    assert moved != begins
    press(page, "PageDown", "rope.*item=2")
    until(page, lambda: re.search(step_of("rope", 4), page.url), "the step of the entry")
    press(page, "PageDown", "absolute.*item=3")
    press(page, "Home", "rope.*item=1")
    until(page, lambda: place(page) == moved, f"place {moved}, not {place(page)}")
    page.locator(".course [data-step='2']").click()  # on in the chapter, and not in the list
    until(page, lambda: re.search(step_of("rope", 3), page.url), "the chapter's next step")
    press(page, "PageDown", "rope.*item=2")
    press(page, "PageUp", "rope.*item=1")
    until(page, lambda: re.search(step_of("rope", 3), page.url), f"as it was left, not {page.url}")
    press(page, "Escape", "/playlist")
    play(page, app_address, f"{first}+{third}")
    until(page, lambda: re.search(step_of("rope", 2), page.url), "a list begins as it is written")


def test_what_is_set_in_a_list_stays_so(page: Page, app_address: str) -> None:
    play(page, app_address, "why_position?picture=slide+alibi?view=bias")
    choice = page.locator(".posenc-shuffle select")
    with answered(page):
        choice.select_option("alibi")
    press(page, "PageDown", "alibi.*item=2")
    press(page, "PageUp", "why_position.*item=1")
    assert choice.input_value() == "alibi"


def test_keys_go_on_with_the_slides_after_a_drag(
    page: Page, app_address: str, tmp_path: Path
) -> None:
    step = f"{app_address}/course/rope/second/?embed=true"
    reveal(tmp_path, f'<iframe src="{step}" width="800" height="600"></iframe>')
    with site(tmp_path) as address:
        page.goto(f"{address}/slides.html#/4")
        until(page, lambda: page.evaluate("Reveal.isReady()"), "the slides")
        frame = page.frames[1]
        frame.wait_for_selector(".course .live", state="attached")
        for key, slide in (("ArrowRight", 5), ("ArrowLeft", 4), (" ", 5)):
            if slide == 5:
                drag(frame)
            page.keyboard.press(key)
            until(
                page,
                lambda slide=slide: page.evaluate("Reveal.getIndices().h") == slide,
                f"slide {slide} by {key!r}",
            )
            assert "/course/rope/second/" in frame.url


@pytest.mark.slow
def test_a_playlist_outlasts_its_tab_and_names_its_entries(
    page: Page, other_page: Page, app_address: str
) -> None:
    first, second = page, other_page
    for tab, address, said in (
        (first, "cope?gates=open", "Entry 1 of the playlist: CoPE"),
        (second, "absolute?view=similarity", "Entry 2 of the playlist: Similarity of two"),
        (first, "alibi?view=bias", "Entry 3 of the playlist: ALiBi"),
    ):
        tab.goto(f"{app_address}/{address}")
        button = tab.get_by_role("button", name="Add to playlist")
        button.wait_for()
        settle(tab)
        button.click()
        tab.get_by_text(said).wait_for()
        # the toast can come before the browser has kept the entry
        screen = address.split("?")[0]
        kept = f"localStorage.getItem('posenc-playlist')?.includes('{screen}')"
        until(tab, lambda tab=tab, kept=kept: tab.evaluate(kept), "the browser keeps the entry")
    second.close()
    first.goto(f"{app_address}/playlist")
    for name in ("1. CoPE", "2. Similarity of two positions", "3. ALiBi"):
        first.get_by_role("link", name=name).wait_for()


def test_what_the_browser_keeps_leaves_the_notice(page: Page, app_address: str) -> None:
    page.goto(f"{app_address}/_stcore/health")
    page.evaluate("localStorage.setItem('posenc-playlist', 'cope?gates=open')")
    visit(page, f"{app_address}/rope?view=matrix&head_dim=banana")
    notice = page.locator("[data-testid=stAlert]", has_text="head_dim = banana")
    page.get_by_role("button", name="Add to playlist").click()
    page.get_by_text("Entry 2 of the playlist").wait_for()  # the first is the one that was kept
    settle(page)
    assert notice.is_visible()
    page.locator(".st-key-close_said button").click()
    notice.wait_for(state="hidden")


def test_a_question_and_then_its_answer_are_on_the_stage(page: Page, app_address: str) -> None:
    predict = load("measured").predict
    assert predict is not None
    visit(page, f"{app_address}/measured?present=1")
    question, answer = page.locator(".st-key-alone_ask"), page.locator(".st-key-alone_answer")
    assert not question.is_visible()
    page.keyboard.press("q")
    assert predict.question in question.inner_text()
    assert all(option in question.inner_text() for option in predict.options)
    assert not answer.is_visible()
    page.keyboard.press("a")
    assert predict.answer in answer.inner_text()
    page.keyboard.press("q")
    assert not question.is_visible()


def test_a_key_answers_the_question_of_a_chapter(page: Page, app_address: str) -> None:
    present(page, f"{app_address}/course/rope/lock/?present=1")
    assert page.locator("[data-choice]").count() > 1
    page.keyboard.press("a")
    page.locator(".course .answer").get_by_text("It stays").wait_for()


@pytest.mark.parametrize("path", ["course/rope/lock", "alibi"])
def test_a_finger_leaves_a_list_that_is_played(page: Page, app_address: str, path: str) -> None:
    page.goto(f"{app_address}/{path}?present=1&list={path}+rope&item=1")
    page.get_by_role("button", name="Leave").click()
    until(page, lambda: "present" not in page.url and "/playlist?list=" in page.url, "its page")
    page.get_by_role("link", name="2. RoPE").wait_for()
    page.get_by_role("button", name="✕").nth(1).click()
    page.get_by_role("link", name="2. RoPE").wait_for(state="detached")
    page.get_by_role("link", name="1. ").wait_for()


def test_a_step_that_is_played_has_the_ways_of_the_list_alone(page: Page, app_address: str) -> None:
    page.set_viewport_size({"width": 390, "height": 844})
    entries = "course/kv_cache/card+course/kv_cache"
    present(page, f"{app_address}/course/kv_cache/card/?present=1&list={entries}&item=1")
    ways = page.locator(".course .foot :is(a, button):visible")
    assert ways.all_inner_texts() == ["← Back", "Next →", "D: light or dark", "Leave"]
    page.get_by_text("1 of 2").wait_for()
    page.locator(".course .next:visible").click()
    page.wait_for_url("**item=2")
    ready(page)
    for _step in chapter("kv_cache").steps[1:]:
        page.locator(".course .next:visible").click()
    until(page, lambda: page.locator(".course .next:visible").count() == 0, "the chapter's end")
    assert "/course/kv_cache/" in page.url
