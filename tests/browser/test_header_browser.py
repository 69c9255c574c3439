"""The header in a browser: its menu by mouse, keys and on a phone; the search field."""

import pytest
from playwright.sync_api import Page, expect

from tests.browser.conftest import PHONE, answered, until
from tests.browser.test_screens_browser import visit

pytestmark = pytest.mark.browser


def test_the_menu_opens_closes_and_leads_on_by_keys(page: Page, app_address: str) -> None:
    visit(page, f"{app_address}/units")
    header = page.locator("#site")
    explore = header.locator("summary", has_text="Explore")
    explore.focus()
    page.keyboard.press("Enter")
    expect(header.get_by_role("link", name="ALiBi & family")).to_be_visible()
    page.keyboard.press("Escape")
    expect(header.get_by_role("link", name="ALiBi & family")).to_be_hidden()
    expect(explore).to_be_focused()
    page.keyboard.press("ArrowDown")
    expect(header.locator("a", has_text="Sinusoidal & learned")).to_be_focused()
    page.evaluate("window.stays = true")
    with answered(page):
        page.keyboard.press("Enter")
    assert page.url.endswith("/absolute")
    assert page.evaluate("window.stays"), "no new page"
    expect(header.locator("[aria-current=page] b")).to_have_text("Sinusoidal & learned")
    expect(page.locator("#stMain")).to_be_focused()


def test_no_line_of_a_list_is_beside_it_in_a_low_window(page: Page, app_address: str) -> None:
    page.set_viewport_size({"width": 1024, "height": 600})
    page.goto(f"{app_address}/course/")
    for group in ("Course", "Explore"):
        page.locator("#site summary", has_text=group).click()
        shown = page.locator("#site details[open] ul")
        wide, room = shown.evaluate("e => [e.scrollWidth, e.clientWidth]")
        assert wide <= room, group


def test_what_is_typed_is_found_and_opened_by_keys(page: Page, app_address: str) -> None:
    visit(page, f"{app_address}/units")
    field = page.get_by_role("combobox", name="Find")
    field.fill("heat map")
    first = page.get_by_role("option").first
    expect(first).to_contain_text("Sinusoidal")
    expect(first).to_have_attribute("aria-selected", "true")
    field.press("ArrowDown")
    expect(first).to_have_attribute("aria-selected", "false")
    field.press("Escape")
    expect(first).to_be_hidden()
    field.fill("zzzz")
    expect(page.get_by_text("Nothing found for these words.").first).to_be_visible()
    field.fill("side by side")
    with answered(page):
        field.press("Enter")
    until(page, lambda: page.url.endswith("/side_by_side"), "the screen is opened")


def test_on_a_phone_one_button_opens_everything(page: Page, app_address: str) -> None:
    page.set_viewport_size(PHONE)
    visit(page, f"{app_address}/units")
    button = page.locator("#site button.open")
    button.click()
    expect(button).to_have_attribute("aria-expanded", "true")
    link = page.locator("#site a", has_text="What engines read")
    expect(link).to_be_visible()
    link.scroll_into_view_if_needed()  # the last row: the menu scrolls in a low window
    x, y = link.evaluate(
        "(a) => { const r = a.getBoundingClientRect(); return [r.x + 9, r.y + 9]; }"
    )
    assert link.evaluate("(a, [x, y]) => a.contains(document.elementFromPoint(x, y))", [x, y])
    with answered(page):
        link.click()
    expect(link).to_be_hidden()
    assert page.evaluate("document.documentElement.scrollWidth") <= PHONE["width"]


def test_over_its_links_too_a_phones_menu_is_scrolled(page: Page, app_address: str) -> None:
    page.set_viewport_size({"width": 390, "height": 500})
    page.goto(f"{app_address}/course/")
    page.locator("#site button.open").click()
    page.locator("#site a", has_text="ALiBi & family").hover()
    page.mouse.wheel(0, 200)
    menu = page.locator("#site-menu")
    until(page, lambda: menu.evaluate("(menu) => menu.scrollTop") > 0, "the menu has moved")


def test_on_a_phone_one_searches_from_a_step_of_a_chapter(page: Page, app_address: str) -> None:
    page.set_viewport_size({"width": 360, "height": 640})
    page.goto(f"{app_address}/course/rope/lock/")
    page.locator("#site .find").click()
    field = page.get_by_role("combobox", name="Find")
    expect(field).to_be_focused()
    field.fill("alibi")
    expect(page.get_by_role("option").first).to_contain_text("ALiBi")
    field.press("Escape")
    field.press("Escape")
    expect(field).to_be_hidden()
    expect(page.locator(".course .next")).to_be_visible()


def test_an_answer_that_leads_nowhere_stands_alone_when_pressed(
    page: Page, app_address: str
) -> None:
    page.goto(f"{app_address}/course/rope/lock/")
    page.get_by_role("combobox", name="Find").fill("dark")
    answers = page.get_by_role("option")
    expect(answers.first).to_contain_text("Dark mode")
    assert answers.count() > 1
    answers.first.click()
    expect(answers).to_have_count(1)
    expect(answers).to_contain_text("half-filled circle")


def test_dark_is_kept_from_page_to_page(page: Page, app_address: str) -> None:
    def schemes(*parts: str) -> list[str]:
        of = """(parts) => parts.map((part) => {
          const found = document.querySelector(part);
          return found ? getComputedStyle(found).colorScheme : "";
        })"""
        return page.evaluate(of, list(parts))

    page.goto(f"{app_address}/course/rope/")
    button = page.get_by_role("button", name="Light or dark")
    button.click()
    assert schemes("html", "#site") == ["dark", "dark"]
    page.goto(f"{app_address}/course/alibi/")
    assert schemes("html", "#site") == ["dark", "dark"]
    visit(page, f"{app_address}/units?value=3")
    assert schemes(".stApp", "#site") == ["dark", "dark"]
    button.click()
    end = "?value=3&embed_options=light_theme"
    until(page, lambda: page.url.endswith(end), "the address says the look, too")
    visit(page, page.url)
    assert schemes(".stApp", "#site") == ["light", "light"]
    page.goto(f"{app_address}/course/rope/")
    assert schemes("html", "#site") == ["light", "light"]


def test_a_screen_ends_where_the_window_ends(page: Page, app_address: str) -> None:
    page.set_viewport_size(PHONE)
    visit(page, f"{app_address}/units")
    main = page.get_by_test_id("stMain")
    ends = main.evaluate("(main) => [main.getBoundingClientRect().bottom, innerHeight]")
    assert ends[0] == ends[1]
    beyond = page.get_by_test_id("stAppViewContainer").evaluate(
        "(e) => (e.scrollTop = 99, e.scrollTop)"
    )
    assert beyond == 0, "a link could leave the next screen scrolled under the header"
