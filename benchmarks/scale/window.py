"""One real browser among the readers: its page has to come back by itself, without a reload."""

import os
import re
import time
from collections.abc import Iterator
from contextlib import contextmanager

from playwright.sync_api import Page, TimeoutError, expect, sync_playwright

from benchmarks.scale.machine import PATIENCE
from scripts import browser

FLAGS = ["--no-sandbox", "--disable-gpu", "--no-first-run"]
CONTROL = ".st-key-length input"
FIRST = 130


class Window:
    def __init__(self, page: Page, door: str) -> None:
        self.page = page
        self.value = FIRST
        page.goto(f"{door}/absolute?length={FIRST}")
        expect(page.locator(CONTROL)).to_have_value(str(FIRST), timeout=1000 * PATIENCE)
        page.evaluate("window.stayed = true")

    def answers(self) -> float:
        """Seconds until the page, as it was left, answers a move; it must not have been reloaded.

        Raises:
            ValueError: If it does not answer, is another page, or shows another value.
        """
        begun = time.monotonic()
        field = self.page.locator(CONTROL)
        if field.input_value() != str(self.value):
            raise ValueError(f"the window shows {field.input_value()} and not {self.value}")
        self.value += 1
        try:
            field.fill(str(self.value))
            field.press("Enter")
            self.page.wait_for_url(re.compile(rf"[?&]length={self.value}(&|$)"))
        except TimeoutError:
            raise ValueError(f"the window did not answer a move to {self.value}") from None
        if not self.page.evaluate("window.stayed === true"):
            raise ValueError("the window was reloaded")
        return time.monotonic() - begun


@contextmanager
def window(door: str) -> Iterator[Window | None]:
    """A window on the app; None where there is no Chromium."""
    program = os.environ.get("CHROMIUM") or browser.find()
    if not program:
        yield None
        return
    with sync_playwright() as playwright:
        chromium = playwright.chromium.launch(executable_path=program, args=FLAGS)
        page = chromium.new_context(ignore_https_errors=True).new_page()
        page.set_default_timeout(1000 * PATIENCE / 5)
        try:
            yield Window(page, door)
        finally:
            chromium.close()
