"""Accessibility of the pages of the library's reference, by axe."""

import pytest
from playwright.sync_api import Page

from serving.reference import pages
from tests.browser.test_screens_browser import AXE, COLOURS, violations

pytestmark = pytest.mark.browser
NAMES = ("posenc", "posenc/rope/formula", "advisor/rope", "posenc/scaling/yarn")


@pytest.mark.slow
def test_axe_finds_nothing_in_the_reference(page: Page) -> None:
    for name in NAMES:
        page.set_content(pages.page(f"{name}.html") or "")
        page.add_style_tag(
            content="* { transition: none !important; }"
        )  # colours are there at once
        assert violations(page, AXE) == [], name
        page.emulate_media(color_scheme="dark")
        assert violations(page, AXE | COLOURS) == [], f"{name}, dark"
        page.emulate_media(color_scheme="light")
