"""One Chromium for all browser tests, and a page that watches what it does."""

import shutil
import time
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager
from pathlib import Path
from urllib.parse import urljoin, urlsplit
from urllib.request import urlopen

import pytest
from playwright.sync_api import (
    Browser,
    BrowserContext,
    ConsoleMessage,
    Error,
    Frame,
    Page,
    expect,
    sync_playwright,
)

from course.page.files import version
from tests.conftest import PATIENCE, ROOT, running_app

FLAGS = [
    "--headless",
    "--no-sandbox",
    "--font-render-hinting=none",  # letters as wide as in a window
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    # Another host is found by nobody, and so asked in vain, which is told: to hear of every request
    # would take a tenth of a visit.
    "--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1, EXCLUDE localhost",
]
expect.set_options(timeout=1000 * PATIENCE)
WIDE = {"width": 1280, "height": 800}
PHONE = {"width": 390, "height": 844}
OWN_HOSTS = ("127.0.0.1", "localhost")
# What the page asks of the server, and what becomes of it. The numbers are those of the fields of
# Streamlit's messages: a run is asked for, begins, ends and how (2: given up for another one).
WATCH = """() => {
  window.runs = {lines: 0, sent: 0, asked: 0, begun: 0, ended: 0};
  let tick = 0;
  const ASKS = 11, BEGINS = 4, ENDS = 6, GIVEN_UP = 2;
  const fields = (bytes) => {
    const found = {};
    let at = 0;
    const number = () => {
      let value = 0, scale = 1, byte;
      do { byte = bytes[at++]; value += (byte & 127) * scale; scale *= 128; } while (byte > 127);
      return value;
    };
    while (at < bytes.length) {
      const tag = number(), kind = tag & 7, name = tag >>> 3;
      if (kind === 0) found[name] = number();
      else if (kind === 2) { const size = number(); found[name] = null; at += size; }
      else at += kind === 5 ? 4 : 8;
    }
    return found;
  };
  const plain = WebSocket;
  window.WebSocket = class extends plain {
    constructor(...what) {
      super(...what);
      runs.lines += 1;
      this.addEventListener("message", (event) => {
        const message = fields(new Uint8Array(event.data));
        if (BEGINS in message) runs.begun = ++tick;
        if (ENDS in message && message[ENDS] !== GIVEN_UP) runs.ended = ++tick;
      });
    }
    send(message) {
      if (ASKS in fields(new Uint8Array(message))) {
        runs.sent += 1;
        runs.asked = ++tick;
      }
      return super.send(message);
    }
  };
}"""
# What stands in for the app until it is there would be drawn anew sixty times a second, which takes
# as long as to open it.
STILL = """() => {
  const sheet = new CSSStyleSheet();
  const it = "[data-testid$=Skeleton]";
  sheet.replaceSync(`${it}, ${it} * { animation: none !important; }`);
  document.adoptedStyleSheets = [sheet];
}"""
# The answer to the last question is there and drawn.
CALM = """() => {
    const app = document.querySelector("[data-testid=stApp]");
    const drawn = [...document.querySelectorAll("[data-testid^=stBidiComponent]")]
        .filter(component => !component.closest(
            ".st-key-look_up, .st-key-pasted, .st-key-fold, .st-key-skip, "
            + ".st-key-alone_keys, .st-key-alone_foot, .st-key-playlist_kept, "
            + ".st-key-homework_kept, [class*=st-key-progress], [class*=st-key-address]"))
        .every(component => component.querySelector(
            ".main-svg, .posenc-picture svg text, .posenc-command"));
    const answered = runs.asked < runs.begun && runs.begun < runs.ended;
    return answered && app?.dataset.testScriptState === "notRunning" && drawn
        && document.querySelector("[data-testid=stMain] [data-testid=stElementContainer]")
        && !document.querySelector("[data-testid=stSkeleton]");
}"""
# Looked at three times, because what was drawn may ask again. It waits in the page: each look from
# here would pass through two other processes. (And the app's content policy forbids the polling
# that Playwright would start there.)
SETTLES = f"""async (patience) => {{
    const calm = {CALM}, end = performance.now() + patience;
    for (let looks = 0; looks < 3; looks = calm() ? looks + 1 : 0) {{
        if (performance.now() > end) return false;
        await new Promise((done) => setTimeout(done, 30));
    }}
    return true;
}}"""


class WatchedPage:
    """A page that remembers console errors, uncaught errors and what it asked of other hosts."""

    def __init__(self, page: Page) -> None:
        self.page = page
        self.size = page.viewport_size or WIDE
        self.problems: list[str] = []
        page.on("console", self._console)
        page.on("pageerror", lambda error: self.problems.append(f"uncaught: {error}"))
        page.on("requestfailed", lambda request: self._request(request.url))
        page.on("websocket", lambda socket: self._request(socket.url))

    def _console(self, message: ConsoleMessage) -> None:
        if message.type == "error":
            self.problems.append(f"console: {message.text} at {message.location['url']}")

    def _request(self, url: str) -> None:
        if urlsplit(url).scheme in ("http", "https", "ws", "wss"):
            host = urlsplit(url).hostname
            if host not in OWN_HOSTS:
                self.problems.append(f"request to {host}: {url}")


def served(script: str, folder: Path, **environment: str) -> AbstractContextManager[str]:
    """Serve a Streamlit script that stands in `folder`; the address while it runs."""
    return running_app(folder, script, folder, PYTHONPATH=str(ROOT), **environment)


def app_folder(folder: Path, script: str) -> Path:
    """A folder with a script of `apps`, and beside it the static files and settings it needs."""
    shutil.copy(Path(__file__).parent / "apps" / script, folder)
    shutil.copytree(ROOT / "static", folder / "static")
    # What `serving` takes out of an address before Streamlit looks for the file.
    shutil.copytree(ROOT / "static", folder / "static" / f"release-{version()}")
    shutil.copytree(ROOT / ".streamlit", folder / ".streamlit")
    return folder


def settle(page: Page | Frame) -> None:
    """Wait until the script has run and every chart is drawn."""
    while True:
        try:
            assert page.evaluate(SETTLES, 1000 * PATIENCE), f"not calm within {PATIENCE:g} seconds"
            return
        except Error as gone:
            if "context was destroyed" not in str(gone):  # the page went on to another
                raise


def until(page: Page, true: Callable[[], object], what: str) -> None:
    """Wait until something is true of a page."""
    end = time.monotonic() + PATIENCE
    while not true():
        assert time.monotonic() < end, f"not within {PATIENCE:g} seconds: {what}"
        page.wait_for_timeout(50)


def example(page: Page, name: str) -> None:
    """Choose one of a screen's examples."""
    chosen = page.locator("[class*=st-key-preset_] button").filter(has_text=name)
    if not chosen.count():
        page.locator(".st-key-preset").get_by_role("button", name="Examples").click()
    chosen.click()


@contextmanager
def answered(page: Page) -> Iterator[None]:
    """Do something that asks the server, and wait for its answer to be drawn."""
    before = page.evaluate("runs.sent")
    yield
    until(page, lambda: page.evaluate("runs.sent") > before, "the page asks the server")
    settle(page)


TURN = """(address) => {
  history.pushState({}, "", address);
  dispatchEvent(new PopStateEvent("popstate"));
}"""


def turn_to(page: Page, address: str) -> None:
    """Another address of the same screen, as if the reader went back to it: no page is loaded."""
    with answered(page):
        page.evaluate(TURN, address)


@pytest.fixture(scope="session")
def chromium(chromium_path: str) -> Iterator[Browser]:
    """One Chromium for all tests."""
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=chromium_path, args=FLAGS)
        yield browser
        browser.close()


def watched_page(context: BrowserContext) -> WatchedPage:
    """A page that waits long, counts what it asks of the server and remembers what went wrong."""
    page = context.new_page()
    page.set_default_timeout(1000 * PATIENCE)
    page.add_init_script(f"({WATCH})(); ({STILL})();")
    return WatchedPage(page)


@pytest.fixture
def new_page(chromium: Browser) -> Iterator[Callable[..., Page]]:
    """A function that opens a page of a new reader's; options are those of a context.

    At the end of the test no page may have logged an error or asked another host for anything.
    """
    opened: list[WatchedPage] = []

    def create(**options) -> Page:
        opened.append(watched_page(chromium.new_context(**{"viewport": WIDE} | options)))
        return opened[-1].page

    yield create
    problems = [problem for watched in opened for problem in watched.problems]
    for watched in opened:
        watched.page.context.close()
    assert not problems, problems


@pytest.fixture(scope="session")
def tab(chromium: Browser) -> WatchedPage:
    """One tab for most tests: a new one would compile the app's scripts again, for a second."""
    return watched_page(chromium.new_context(viewport=WIDE))


@pytest.fixture(scope="session")
def phone_tab(chromium: Browser) -> WatchedPage:
    """One tab that is touched, for the same reason."""
    return watched_page(chromium.new_context(viewport=PHONE, has_touch=True, is_mobile=True))


HEALTH = "/_stcore/health"


def leave(page: Page) -> None:
    """Empty the page, and forget what the browser kept of it.

    By a word of the same server: from a page of nobody's, a visit begins in a new process, because
    the app's headers ask for one, and that compiles the app's scripts again, for seconds. What is
    kept is forgotten there, where no script of the page that is left can write it once more.
    """
    health = urljoin(page.url, HEALTH)
    if urlsplit(page.url).hostname in OWN_HOSTS and answers(health):
        page.goto(health)
        page.evaluate("[localStorage, sessionStorage].forEach((kept) => kept.clear())")
    else:
        page.goto("about:blank")


def answers(address: str) -> bool:
    """Whether a server says something there; some end with their test, some are not Streamlit."""
    try:
        urlopen(address, timeout=PATIENCE).close()
    except OSError:
        return False
    return True


def as_new(tab: WatchedPage) -> None:
    """Forget what a test has seen, and look as a new tab does."""
    tab.page.emulate_media(color_scheme="light", reduced_motion="no-preference")
    tab.page.set_viewport_size(tab.size)
    tab.page.mouse.move(0, 0)
    tab.problems.clear()


def lent(tab: WatchedPage) -> Iterator[Page]:
    """The page of a tab for one test, which knows nothing of the test before."""
    if urlsplit(tab.page.url).path not in ("blank", HEALTH):  # a test with `same_page` was there
        leave(tab.page)
    yield tab.page
    problems = tab.problems.copy()
    leave(tab.page)
    tab.page.context.clear_cookies()
    as_new(tab)
    assert not problems, problems


@pytest.fixture
def page(tab: WatchedPage) -> Iterator[Page]:
    """One watched page, 1280 x 800, light."""
    yield from lent(tab)


@pytest.fixture
def phone(phone_tab: WatchedPage) -> Iterator[Page]:
    """One watched page as on a phone."""
    yield from lent(phone_tab)


@pytest.fixture
def other_page(page: Page) -> Iterator[Page]:
    """A second watched tab of the same browser."""
    other = watched_page(page.context)
    yield other.page
    other.page.close()
    assert not other.problems, other.problems


@pytest.fixture
def copying(page: Page) -> Iterator[Page]:
    """The page, whose clipboard can be read."""
    page.context.grant_permissions(["clipboard-read", "clipboard-write"])
    yield page
    page.context.clear_permissions()


@pytest.fixture(scope="module")
def modules_tab(tab: WatchedPage) -> Iterator[WatchedPage]:
    """The tab for one file of tests."""
    yield tab
    leave(tab.page)
    as_new(tab)


@pytest.fixture
def same_page(modules_tab: WatchedPage) -> Iterator[Page]:
    """As `page`, but what the test before has opened is still open, and need not be loaded."""
    yield modules_tab.page
    problems = modules_tab.problems.copy()
    as_new(modules_tab)
    assert not problems, problems
