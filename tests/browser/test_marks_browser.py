"""Numbers and names of the course's pictures: none is lost, and what is written adds up."""

import re
from collections.abc import Callable

import pytest
from playwright.sync_api import Page

from tests.browser.test_course_browser import SIZES, opened, stands

pytestmark = pytest.mark.browser

TEXTS = """all => all.filter((one) => one.checkVisibility({ opacityProperty: true }))
  .map((one) => one.textContent)"""


def numbers(texts: list[str]) -> list[float]:
    """Those that are written with two decimals, in the order in which they stand."""
    found = re.findall(r"[+−]?\d+\.\d\d\b", " ".join(texts))
    return [float(one.replace("−", "-")) for one in found]


@pytest.mark.parametrize("step", ["slower", "real"])
def test_what_the_dials_add_is_the_score(
    step: str, new_page: Callable[..., Page], app_address: str
) -> None:
    for width, height in SIZES:
        page = new_page(viewport={"width": width, "height": height}, reduced_motion="reduce")
        opened(page, app_address, "rope", step)
        if step == "slower":
            page.locator(".course [aria-label='Dials that are added up']").focus()
            for _ in range(7):
                page.keyboard.press("ArrowRight")
            stands(page)
        dials = page.locator(".course [data-marks=dials] text").evaluate_all(TEXTS)
        written = page.locator(".course [data-marks='shadow dials'] text").evaluate_all(TEXTS)
        parts = numbers([text for text in dials if "turn" not in text and "in " not in text])
        assert len(parts) == 8, (width, dials)
        others = [text for text in written if "other" in text]
        (total,) = numbers([text for text in written if "other" not in text])
        if width > 1000 or step == "slower":  # a phone has no room for what the others bring
            assert round(sum(parts + numbers(others)), 2) == total
