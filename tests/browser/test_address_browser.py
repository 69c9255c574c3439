"""The address of a screen in a real browser: back, forward, reload, the menu, a lost server."""

import os
import re
import subprocess
import sys
from urllib.parse import parse_qs, urljoin, urlsplit

import pytest
from playwright.sync_api import Page, expect

from tests.browser.conftest import answered, example, settle, until
from tests.browser.test_screens_browser import go_to, visit
from tests.conftest import ROOT, free_port, wait_until_healthy

pytestmark = pytest.mark.browser


def here(page: Page) -> tuple[str, dict[str, str]]:
    """Screen and parameters, without the place in a walk."""
    parts = urlsplit(page.url)
    parameters = {key: raw[-1] for key, raw in parse_qs(parts.query).items()}
    return parts.path, {key: to for key, to in parameters.items() if key != "step"}


def check(page: Page, path: str, **parameters: str) -> None:
    until(page, lambda: here(page) == (path, parameters), f"{path} {parameters}, not {page.url}")
    assert page.locator("[data-testid=stAlert], [data-testid=stException]").count() == 0


def press(page: Page, key: str, name: str) -> None:
    with answered(page):
        page.locator(f".st-key-{key} button").filter(has_text=name).first.click()


def show_me(page: Page, number: int) -> None:
    with answered(page):
        page.locator(f".st-key-notice_{number} button").first.click()


def type_into(page: Page, key: str, text: str) -> None:
    field = page.locator(f".st-key-{key} input")
    with answered(page):
        field.fill(text)
        field.press("Enter")


def back(page: Page) -> None:
    with answered(page):
        page.go_back()


def forward(page: Page) -> None:
    with answered(page):
        page.go_forward()


def value(page: Page, key: str) -> str:
    return page.locator(f".st-key-{key}").locator("input, textarea").first.input_value()


def test_moves_that_follow_one_another_quickly_all_count(page: Page, app_address: str):
    """The second is sent before the page has heard that the marked preset is left."""
    visit(page, f"{app_address}/rope?view=score")
    # An attribute of the root that is set again, even to what it is, costs the style of all.
    page.evaluate(
        "window.roots = 0;"
        "new MutationObserver(() => { window.roots += 1; })"
        ".observe(document.documentElement, { attributes: true })"
    )
    slider = page.locator(".st-key-length input[type=range]")
    slider.focus()
    for wait in (20, 60, 150, 100, 60):
        page.keyboard.press("ArrowRight")
        page.wait_for_timeout(wait)
    until(page, lambda: "length=1024" in page.url, "all five moves are in the address")
    settle(page)
    check(page, "/rope", view="score", length="1024")
    assert page.evaluate("window.roots") == 0


def test_back_undoes_pictures_presets_and_moves(page: Page, app_address: str):
    visit(page, f"{app_address}/rope")
    press(page, "view", "Score")
    check(page, "/rope", view="score")
    type_into(page, "head_dim", "8")
    type_into(page, "head_dim", "12")
    check(page, "/rope", view="score", head_dim="12")
    llama = {"head_dim": "128", "layout": "half", "vectors": "random"}
    llama |= {"length": "8192"}
    with answered(page):
        example(page, "Llama-2-7B")
    opener = page.locator(".st-key-preset").get_by_role("button", name="Examples")
    chosen = page.locator(".st-key-preset_llama-2 button")
    expect(chosen).to_have_count(0)
    expect(opener).to_be_focused()
    opener.press("Enter")
    expect(chosen).to_have_accessible_name("Llama-2-7B, as the controls are set")
    page.keyboard.press("Escape")
    check(page, "/rope", view="score", **llama)
    show_me(page, 1)
    shown = {"base": "1000", "layout": "half", "content": "own"}
    check(page, "/rope", **shown)
    back(page)
    check(page, "/rope", view="score", **llama)
    assert value(page, "base").replace(",", "") == "10000"
    back(page)
    check(page, "/rope", view="score", head_dim="12")
    assert value(page, "head_dim") == "12"
    back(page)
    check(page, "/rope", view="score")
    assert value(page, "head_dim") == "16"
    back(page)
    check(page, "/rope")
    with answered(page):
        page.evaluate("history.go(4)")
    check(page, "/rope", **shown)


def test_back_goes_to_what_was_seen_before_once_each(page: Page, app_address: str):
    """After moves, another screen and a reload too."""
    visit(page, f"{app_address}/why_position")
    example = value(page, "text")
    with answered(page):
        page.locator(".st-key-text textarea").fill("one two three")
        page.get_by_role("button", name="Read this text").click()
    check(page, "/why_position", text="one two three")
    go_to(page, "Explore", "ALiBi & family")
    moves = {"num_heads": "12", "head": "3", "bias_cell": "9, 2"}
    for key, to in moves.items():
        type_into(page, key, to)
    check(page, "/alibi", **moves)
    page.reload()
    settle(page)
    check(page, "/alibi", **moves)
    back(page)
    check(page, "/alibi", num_heads="12", head="3")
    back(page)
    check(page, "/alibi", num_heads="12")
    assert value(page, "head") == "0"
    for to in ("5", "0"):
        type_into(page, "head", to)
    check(page, "/alibi", num_heads="12")
    back(page)  # over the step that has led nowhere
    check(page, "/alibi")
    assert value(page, "num_heads") == "8"
    back(page)
    check(page, "/why_position", text="one two three")
    assert value(page, "text") == "one two three" != example
    forward(page)
    check(page, "/alibi")


def test_a_frame_around_the_app_keeps_its_parameters(page: Page, app_address: str):
    page.goto(f"{app_address}/rope?embed=true&view=score&head_dim=8")
    settle(page)
    expect(page.locator("h1")).to_be_hidden()
    check(page, "/rope", embed="true", view="score", head_dim="8")


@pytest.mark.slow
def test_a_point_in_a_part_that_runs_alone_is_in_the_address(page: Page, app_address: str):
    visit(page, f"{app_address}/own")
    field = page.locator("[class*=_point] input").first
    with answered(page):
        field.fill("0, 256")
        field.press("Enter")
    until(page, lambda: re.search(r"_point=0,\+?256", page.url), f"the point in {page.url}")


def serve(port: int) -> subprocess.Popen:
    command = [sys.executable, "-m", "streamlit", "run", "app.py", "--server.headless", "true"]
    command += ["--server.address", "127.0.0.1", "--server.port", str(port)]
    return subprocess.Popen(
        command,
        cwd=ROOT,
        env=os.environ | {"PYTHONPATH": str(ROOT)},
        stdin=subprocess.DEVNULL,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )


def test_all_faults_of_an_address_are_said_in_one_box(page: Page, app_address: str):
    visit(page, f"{app_address}/rope?head_dim=7&m=banana")
    box = page.locator("[data-testid=stAlert]")
    expect(box).to_have_count(1)
    expect(box).to_contain_text("head_dim = 7")
    expect(box).to_contain_text("m = banana")
    with answered(page):
        page.get_by_role("button", name="Close").click()
    expect(box).to_have_count(0)


@pytest.mark.slow
def test_a_new_server_finds_what_the_browser_shows(chromium, app_address: str):
    """The session is gone with its server, and the address that the page came with is old."""
    address = f"http://127.0.0.1:{(port := free_port())}"
    page = chromium.new_page()
    server = serve(port)
    try:
        wait_until_healthy(address, server)
        page.goto(f"{address}/rope?view=score")
        page.get_by_role("heading", name="RoPE").wait_for()
        field = page.locator(".st-key-head_dim input")
        field.fill("12")
        field.press("Enter")
        until(page, lambda: "head_dim=12" in page.url, "the address holds 12")
        server.kill()
        server.wait()
        server = serve(port)
        wait_until_healthy(address, server)
        # A slider that moves reaches the new server as soon as the page has found it.
        state = page.locator("[data-testid=stApp][data-test-connection-state=CONNECTED]")
        state.wait_for()
        slider = page.locator(".st-key-length input[type=range]")
        slider.focus()
        page.keyboard.press("ArrowRight")
        until(page, lambda: "length=64" in page.url, "the address holds the new length")
        assert here(page) == ("/rope", {"view": "score", "head_dim": "12", "length": "64"})
        assert field.input_value() == "12"
    finally:
        server.kill()
        server.wait()
        page.close()


SAME_SCREEN = {
    "The result as a link or a file →": (
        "homework?on=rope&answers=rope.1.ABCDA",
        "view=own",
        "The same as a file",
        "Questions and tasks",
    ),
}


@pytest.mark.parametrize("name", SAME_SCREEN)
def test_a_link_to_the_screen_that_it_stands_on(name: str, page: Page, app_address: str):
    start, asked, seen, first = SAME_SCREEN[name]
    visit(page, f"{app_address}/{start}")
    before = page.url
    for _ in range(2):  # the second time Streamlit's page knows that address already
        with answered(page):
            page.get_by_role("link", name=name).click()
        until(page, lambda: asked in page.url, f"{asked} in {page.url}")
        expect(page.get_by_text(seen, exact=False).first).to_be_visible()
        assert "linked" not in page.url
        top = page.get_by_test_id("stMain").evaluate("(main) => main.scrollTop")
        assert top == 0, "it opens at its top"
        back(page)
        assert page.url == before
        expect(page.get_by_role("link", name=name)).to_be_visible()
    # In a window of its own it is an address like any other, which no move asks for again.
    href = page.get_by_role("link", name=name).get_attribute("href")
    page.goto(urljoin(page.url, href))
    settle(page)
    expect(page.get_by_text(seen, exact=False).first).to_be_visible()
    until(page, lambda: "linked" not in page.url, f"the plain address, not {page.url}")
    with answered(page):
        page.locator(".st-key-part button, .st-key-view button", has_text=first).click()
    expect(page.get_by_text(seen, exact=False)).to_have_count(0)


def test_a_number_out_of_range_is_told_under_its_field(page: Page, app_address: str) -> None:
    visit(page, f"{app_address}/rope?view=matrix")
    field = page.locator(".st-key-head_dim input")
    field.fill("9999")
    field.press("Enter")
    said = page.locator(".st-key-head_dim [role=alert]")
    expect(said).to_contain_text("between 2 and 512")
    assert said.bounding_box()["height"] > 15, "it can be read"
    expect(page.locator(".st-key-rotation .heatmaplayer").first).to_be_visible()
