"""A page that frames this one, on another port of the same machine, cannot lead to its buttons."""

import re
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, expect

from serving.headers import NOT_FRAMED
from tests.browser.conftest import until
from tests.browser.test_stage_browser import site
from tests.conftest import PATIENCE
from ui.streamlit.page import BEGIN

pytestmark = pytest.mark.browser


@pytest.fixture
def outside(chromium: Browser) -> Page:
    """A page whose refused frame may be told in its console."""
    context = chromium.new_context()
    page = context.new_page()
    page.set_default_timeout(1000 * PATIENCE)
    yield page
    context.close()


def test_what_orders_is_not_reached_inside_of_a_frame(
    outside: Page, app_address: str, tmp_path: Path
) -> None:
    frame = f'<iframe src="{app_address}/rope" width=1200 height=700></iframe>'
    (tmp_path / "index.html").write_text(frame, "utf-8")
    with site(tmp_path) as address:  # by the name of the app's own: browsers send its cookies
        outside.goto(f"{address.replace('localhost', '127.0.0.1')}/index.html")
        inside = outside.frame_locator("iframe")
        inside.locator("a[href$='/lab']").dispatch_event("click")
        until(
            outside, lambda: not outside.frames[1].url.startswith(app_address), "the refused frame"
        )
        expect(inside.get_by_role("button", name="Train it")).to_have_count(0)


def test_the_script_names_the_screens_refused_to_frames() -> None:
    (names,) = re.findall(r"\\/\((.*?)\)\$/", BEGIN)
    assert set(names.split("|")) == NOT_FRAMED
