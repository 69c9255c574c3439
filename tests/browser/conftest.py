"""One Chromium for all browser tests, and a page that watches what it does."""

import os
import shutil
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from urllib.parse import urlsplit

import pytest
from playwright.sync_api import Browser, ConsoleMessage, Page, expect, sync_playwright

from tests.conftest import ROOT, free_port, wait_until_healthy

FLAGS = [
    "--headless",
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
]
# A direct visit to a page asks for these beside the page's own path first; both answers are 404.
HARMLESS_404 = ("/_stcore/health", "/_stcore/host-config")
expect.set_options(timeout=20_000)  # a busy machine is slow, not wrong
OWN_HOSTS = ("127.0.0.1", "localhost")
# Before the first run and between two the state is "not running" for a moment: look five times.
CALM = """() => {
    const app = document.querySelector("[data-testid=stApp]");
    const drawn = [...document.querySelectorAll("[data-testid^=stBidiComponent]")]
        .every(component => component.querySelector(".main-svg"));
    const calm = app?.dataset.testScriptState === "notRunning" && drawn
        && document.querySelector("[data-testid=stMain] [data-testid=stElementContainer]")
        && !document.querySelector("[data-testid=stSkeleton]");
    window.calmLooks = calm ? (window.calmLooks ?? 0) + 1 : 0;
    return window.calmLooks >= 5;
}"""


class WatchedPage:
    """A page that remembers console errors, uncaught errors and requests to other hosts."""

    def __init__(self, page: Page) -> None:
        self.page = page
        self.problems: list[str] = []
        page.on("console", self._console)
        page.on("pageerror", lambda error: self.problems.append(f"uncaught: {error}"))
        page.on("request", lambda request: self._request(request.url))
        page.on("websocket", lambda socket: self._request(socket.url))

    def _console(self, message: ConsoleMessage) -> None:
        harmless = "404" in message.text and urlsplit(message.location["url"]).path.endswith(
            HARMLESS_404
        )
        if message.type == "error" and not harmless:
            self.problems.append(f"console: {message.text} at {message.location['url']}")

    def _request(self, url: str) -> None:
        if urlsplit(url).scheme in ("http", "https", "ws", "wss"):
            host = urlsplit(url).hostname
            if host not in OWN_HOSTS:
                self.problems.append(f"request to {host}: {url}")


@contextmanager
def served(script: str, folder: Path, **environment: str) -> Iterator[str]:
    """Serve a Streamlit script that stands in `folder`; the address while it runs."""
    address = f"http://127.0.0.1:{(port := free_port())}"
    command = [sys.executable, "-m", "streamlit", "run", script, "--server.headless", "true"]
    command += ["--server.address", "127.0.0.1", "--server.port", str(port)]
    with (folder / "log.txt").open("wb") as log:
        server = subprocess.Popen(
            command, cwd=folder, env=os.environ | {"PYTHONPATH": str(ROOT)} | environment,
            stdin=subprocess.DEVNULL, stdout=log, stderr=subprocess.STDOUT,
        )  # fmt: skip
        try:
            wait_until_healthy(address, server)
            yield address
        finally:
            server.terminate()
            server.wait(timeout=20)


def app_folder(folder: Path, script: str) -> Path:
    """A folder with a script of `apps`, and beside it the static files and settings it needs."""
    shutil.copy(Path(__file__).parent / "apps" / script, folder)
    shutil.copytree(ROOT / "static", folder / "static")
    shutil.copytree(ROOT / ".streamlit", folder / ".streamlit")
    return folder


def settle(page: Page) -> None:
    """Wait until the script has run and every chart is drawn."""
    page.evaluate("window.calmLooks = 0")
    end = time.monotonic() + 30
    # Asked from here: the app's content policy forbids the polling that Playwright would start.
    while not page.evaluate(CALM):
        assert time.monotonic() < end, "the page did not settle within 30 seconds"
        page.wait_for_timeout(60)


@pytest.fixture(scope="session")
def chromium(chromium_path: str) -> Iterator[Browser]:
    """One Chromium for all tests."""
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=chromium_path, args=FLAGS)
        yield browser
        browser.close()


@pytest.fixture
def new_page(chromium: Browser) -> Iterator[Callable[..., Page]]:
    """A function that opens a page in a fresh context; options are those of a context.

    At the end of the test no page may have logged an error or asked another host for anything.
    """
    opened: list[WatchedPage] = []

    def create(**options) -> Page:
        options = {"viewport": {"width": 1280, "height": 800}} | options
        page = chromium.new_context(**options).new_page()
        page.set_default_timeout(20_000)
        opened.append(WatchedPage(page))
        return page

    yield create
    problems = [problem for watched in opened for problem in watched.problems]
    for watched in opened:
        watched.page.context.close()
    assert not problems, problems


@pytest.fixture
def page(new_page: Callable[..., Page]) -> Page:
    """One watched page, 1280 x 800, light."""
    return new_page()
