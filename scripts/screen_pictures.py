"""A picture of each screen, for links to it that are unfolded elsewhere.

`python -m scripts.screen_pictures ADDRESS [SCREEN ...]` takes them from the app that runs there.
"""

import io
import sys

from PIL import Image
from playwright.sync_api import Page, sync_playwright

from course.page.menu import SCREENS
from scripts.browser import find
from ui.charts.served import STATIC

FOLDER = STATIC / "site" / "shown"
SIZE = {"width": 1200, "height": 630}  # what those who unfold a link expect
COLORS = 32
DRAWN = "[data-testid=stApp][data-test-script-state=notRunning]"
FIRST = "[data-testid=stMain] :is(.main-svg, .posenc-picture svg text, h2, table, textarea)"
RESTS = 4000  # ms


def draw(page: Page, address: str) -> bytes:
    """A screen as it opens, as a small PNG."""
    page.goto(address)
    page.locator(DRAWN).wait_for()
    page.locator(FIRST).first.wait_for()
    page.wait_for_timeout(RESTS)
    image = Image.open(io.BytesIO(page.screenshot())).convert("RGB")
    packed = io.BytesIO()
    image.quantize(COLORS, dither=Image.Dither.NONE).save(packed, "PNG", optimize=True)
    return packed.getvalue()


def main(site: str, screens: list[str]) -> None:
    FOLDER.mkdir(parents=True, exist_ok=True)
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=find(), args=["--no-sandbox"])
        page = browser.new_page(viewport=SIZE)
        page.set_default_timeout(120_000)
        for screen in screens or SCREENS:
            picture = draw(page, f"{site.rstrip('/')}/{screen}")
            (FOLDER / f"{screen}.png").write_bytes(picture)
            print(f"{screen}: {len(picture):,} bytes")
        browser.close()


if __name__ == "__main__":
    main(sys.argv[1], sys.argv[2:])
