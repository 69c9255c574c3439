"""The HTML file of a screen's pictures, opened from the disk without a network."""

from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest
from playwright.sync_api import Page

from tests.browser.conftest import settle, until

pytestmark = pytest.mark.browser

NUMBERS = """() => [...document.querySelectorAll('.js-plotly-plot')].map(gd => gd._fullData.map(
  t => Array.from(t.z ?? [t.y], row => Array.from(row, v => (Number.isFinite(v) ? v : null)))))"""


def numbers(page: Page) -> list[list[np.ndarray]]:
    return [[np.array(t, dtype=float) for t in figure] for figure in page.evaluate(NUMBERS)]


@pytest.mark.slow
@pytest.mark.parametrize("screen", ["pitfalls", "rope?view=score"])
def test_opens_without_a_network_and_shows_the_same_numbers(
    screen: str, new_page: Callable[..., Page], app_address: str, tmp_path: Path
) -> None:
    online = new_page()
    online.goto(f"{app_address}/{screen}{'&' if '?' in screen else '?'}tab=numbers")
    online.wait_for_selector("h1")
    settle(online)
    with online.expect_download() as download:
        online.get_by_role("button", name="HTML of all pictures").click()
    assert download.value.suggested_filename == "pictures.html"
    file = tmp_path / "pictures.html"
    download.value.save_as(file)

    alone = new_page(offline=True)
    asked: list[str] = []
    alone.on("request", lambda request: asked.append(request.url))
    alone.goto(file.as_uri())
    expected, drawn = numbers(online), alone.locator(".js-plotly-plot:has(.main-svg)")
    until(alone, lambda: drawn.count() == len(expected), "every picture is drawn")
    found = numbers(alone)
    assert len(found) == len(expected) > 0
    for here, there in zip(expected, found, strict=True):
        for mine, theirs in zip(here, there, strict=True):
            np.testing.assert_array_equal(theirs, mine)
    assert alone.locator("pre code").inner_text().startswith(("from ", "import ", "# "))
    assert asked == [file.as_uri()]
    captions = alone.locator("figcaption").all_inner_texts()
    assert len(captions) == len(found)
