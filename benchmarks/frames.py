"""Frames of the pictures that move, while they are dragged: `python -m benchmarks.frames`.

A real Chromium, without a screen and without a graphics card, opens each picture; the pointer takes
its handle to and fro for some seconds. Frames per second depend on what else the machine does (its
load is printed first); milliseconds of CPU time that the page's main thread spends for each frame
do so much less, and 20 of them are the most for 50 frames a second. CHROMIUM names the browser.
"""

import argparse
import os
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass

from playwright.sync_api import Browser, CDPSession, Page, sync_playwright

from benchmarks.moves import Server, served

FLAGS = ["--headless", "--no-sandbox", "--disable-gpu"]
WIDE = {"width": 1280, "height": 800}
REACH = 240
"""Pixels of a drag."""
COUNT = """() => {
  window.frames_drawn = 0;
  const step = () => { window.frames_drawn += 1; requestAnimationFrame(step); };
  requestAnimationFrame(step);
}"""
SHUFFLED = "unbelievably+good+" * 11 + "words"


@dataclass(frozen=True)
class Picture:
    """A picture, and what of it is dragged."""

    name: str
    address: str
    handle: str


PICTURES = (
    Picture("two hands, 8 pairs", "rope?view=hands", ".handle.query .head"),
    Picture(
        "two hands, 64 pairs, 8,192 positions",
        "rope?head_dim=128&base=10000&length=8192&trained=4096&m=3000&n=1000",
        ".handle.query .head",
    ),
    Picture("shuffle, 5 words", "why_position?encoding=rope", "input[type=range]"),
    Picture(
        "shuffle, 23 words",
        f"why_position?encoding=rope&head_dim=8&text={SHUFFLED}",
        "input[type=range]",
    ),
    Picture("7 against 8, the second", "absolute?view=odometer&b=40", ".handle.b .head"),
    Picture("7 against 8, the first", "absolute?view=odometer&a=40&b=9", ".handle.a .head"),
    Picture(
        "7 against 8, 512 numbers, 1,024 positions, the first",
        "absolute?view=odometer&d_model=512&length=1024&a=400&b=9",
        ".handle.a .head",
    ),
    Picture("clocks that are played", "rope?view=clocks", "input[type=range]"),
    Picture("stretching a text", "scaling?view=stretch", ".handle .head"),
)


@contextmanager
def opened(browser: Browser, address: str) -> Iterator[Page]:
    """A page on which nothing moves any more."""
    context = browser.new_context(viewport=WIDE)
    page = context.new_page()
    page.goto(address)
    page.wait_for_selector(".posenc-picture svg text", timeout=120_000)
    page.wait_for_timeout(3000)
    yield page
    context.close()


def spent(client: CDPSession) -> float:
    """Seconds of CPU time of the main thread so far."""
    metrics = client.send("Performance.getMetrics")["metrics"]
    return next(float(one["value"]) for one in metrics if one["name"] == "TaskDuration")


def measure(page: Page, handle: str, seconds: float) -> dict[str, float]:
    """Frames per second, and milliseconds of the main thread for each."""
    client = page.context.new_cdp_session(page)
    client.send("Performance.enable", {"timeDomain": "threadTicks"})
    dragged = page.locator(f".posenc-picture {handle}").first
    dragged.scroll_into_view_if_needed()
    box = dragged.bounding_box()
    assert box is not None
    x, y = box["x"] + box["width"] / 2, box["y"] + box["height"] / 2
    page.mouse.move(x, y)
    page.mouse.down()
    page.evaluate(COUNT)
    before, start = spent(client), time.perf_counter()
    moves = 0
    while time.perf_counter() - start < seconds:
        away = moves * 6 % (2 * REACH)
        page.mouse.move(x + min(away, 2 * REACH - away), y)
        moves += 1
    frames = page.evaluate("window.frames_drawn")
    passed, cost = time.perf_counter() - start, spent(client) - before
    page.mouse.up()
    return {
        "frames a second": frames / passed,
        "moves a second": moves / passed,
        "ms a frame": 1000 * cost / frames,
    }


def report(server: Server, only: str, seconds: float) -> None:
    """Print a line for each picture whose name has `only` in it."""
    address = server.stream.replace("ws://", "http://").removesuffix("_stcore/stream")
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(
            executable_path=os.environ.get("CHROMIUM", "/usr/bin/chromium"), args=FLAGS
        )
        for picture in PICTURES:
            if only not in picture.name:
                continue
            with opened(browser, address + picture.address) as page:
                found = measure(page, picture.handle, seconds)
            said = ", ".join(f"{value:.1f} {name}" for name, value in found.items())
            print(f"{picture.name}: {said}", flush=True)
        browser.close()


def main() -> None:
    """Measure all pictures, or those that are named."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--only", default="", help="a part of the names of pictures")
    parser.add_argument("--seconds", type=float, default=6.0, help="of each drag")
    given = parser.parse_args()
    print(f"load {os.getloadavg()[0]:.1f} on {os.cpu_count()} cores")
    with served("asgi.py") as server:
        report(server, given.only, given.seconds)


if __name__ == "__main__":
    main()
