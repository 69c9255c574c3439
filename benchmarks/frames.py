"""Frames of the pictures that move, while they are dragged: `python -m benchmarks.frames`.

A real Chromium, without a screen and without a graphics card, opens each picture; the pointer takes
its handle to and fro for some seconds. Frames per second depend on what else the machine does (its
load is printed first): the same page at rest is counted just before, and the share of its frames
that are left while the hand moves depends on the machine much less. So do milliseconds of CPU time
that the page's main thread spends for each frame; 20 of them are the most for 50 frames a second.
Chapters of the course are dragged at every step. CHROMIUM names the browser.
"""

import argparse
import os
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass

from playwright.sync_api import Browser, CDPSession, Page, sync_playwright

from benchmarks.server import Server, served
from course.chapters import COURSE
from course.page.words import chapter

FLAGS = ["--headless", "--no-sandbox", "--disable-gpu"]
WIDE = {"width": 1280, "height": 800}
REACH = 240
"""Pixels of a drag."""
DRAG = 6.0
"""Seconds of a drag."""
REST = 1.0
"""Seconds in which the frames of the page at rest are counted."""
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
    Picture("two hands, 8 pairs", "rope?view=hands", ".posenc-picture .handle.query .head"),
    Picture(
        "two hands, 64 pairs, 8,192 positions",
        "rope?head_dim=128&base=10000&length=8192&trained=4096&m=3000&n=1000",
        ".posenc-picture .handle.query .head",
    ),
    Picture("shuffle, 5 words", "why_position?encoding=rope", ".posenc-picture input[type=range]"),
    Picture(
        "shuffle, 23 words",
        f"why_position?encoding=rope&head_dim=8&text={SHUFFLED}",
        ".posenc-picture input[type=range]",
    ),
    Picture(
        "7 against 8, the second", "absolute?view=odometer&b=40", ".posenc-picture .handle.b .head"
    ),
    Picture(
        "7 against 8, the first",
        "absolute?view=odometer&a=40&b=9",
        ".posenc-picture .handle.a .head",
    ),
    Picture(
        "7 against 8, 512 numbers, 1,024 positions, the first",
        "absolute?view=odometer&d_model=512&length=1024&a=400&b=9",
        ".posenc-picture .handle.a .head",
    ),
    Picture("clocks that are played", "rope?view=clocks", ".posenc-picture input[type=range]"),
    Picture("stretching a text", "scaling?view=stretch", ".posenc-picture .handle .head"),
)

CHAPTERS = tuple(
    Picture(f"{screen}: {step.id}", f"course/{screen}/{step.id}/", ".course [role=slider]:visible")
    for screen in COURSE
    for step in chapter(screen).steps
)


@contextmanager
def opened(browser: Browser, address: str) -> Iterator[Page]:
    """A page on which nothing moves any more."""
    context = browser.new_context(viewport=WIDE)
    page = context.new_page()
    page.goto(address)
    page.wait_for_selector(":is(.posenc-picture, .course) svg text:visible", timeout=120_000)
    page.wait_for_timeout(3000)
    yield page
    context.close()


def spent(client: CDPSession) -> float:
    """Seconds of CPU time of the main thread so far."""
    metrics = client.send("Performance.getMetrics")["metrics"]
    return next(float(one["value"]) for one in metrics if one["name"] == "TaskDuration")


def measure(page: Page, handle: str) -> dict[str, float]:
    """Frames per second, their share of those at rest, and milliseconds of the main thread."""
    client = page.context.new_cdp_session(page)
    client.send("Performance.enable", {"timeDomain": "threadTicks"})
    dragged = page.locator(handle).first
    dragged.scroll_into_view_if_needed()
    box = dragged.bounding_box()
    assert box is not None
    x, y = box["x"] + box["width"] / 2, box["y"] + box["height"] / 2
    page.evaluate(COUNT)
    at_rest = drawn_in(page, REST)
    page.mouse.move(x, y)
    page.mouse.down()
    drawn = page.evaluate("frames_drawn")
    before = spent(client)
    start = time.perf_counter()
    moves = 0
    while time.perf_counter() - start < DRAG:
        away = moves * 6 % (2 * REACH)
        off = min(away, 2 * REACH - away)
        page.mouse.move(x + off, y + off / 4)
        moves += 1
    frames = page.evaluate("frames_drawn") - drawn
    passed = time.perf_counter() - start
    cost = spent(client) - before
    page.mouse.up()
    return {
        "frames a second": frames / passed,
        "of those at rest": frames / passed / at_rest,
        "moves a second": moves / passed,
        "ms a frame": 1000 * cost / frames,
    }


def drawn_in(page: Page, seconds: float) -> float:
    """Frames a second of a page that is left alone."""
    drawn = page.evaluate("frames_drawn")
    start = time.perf_counter()
    page.wait_for_timeout(1000 * seconds)
    return float(page.evaluate("frames_drawn") - drawn) / (time.perf_counter() - start)


def report(server: Server, only: str) -> None:
    """Print a line for each picture whose name has `only` in it."""
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(
            executable_path=os.environ.get("CHROMIUM", "/usr/bin/chromium"), args=FLAGS
        )
        for picture in (*PICTURES, *CHAPTERS):
            if only not in picture.name:
                continue
            with opened(browser, f"{server.address}/{picture.address}") as page:
                if not page.locator(picture.handle).count():
                    continue  # a step that is only looked at, or asks first
                found = measure(page, picture.handle)
            said = ", ".join(f"{value:.2f} {name}" for name, value in found.items())
            print(f"{picture.name}: {said}", flush=True)
        browser.close()


def main() -> None:
    """Measure all pictures, or those that are named."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--only", default="", help="a part of the names of pictures")
    given = parser.parse_args()
    print(f"load {os.getloadavg()[0]:.1f} on {os.cpu_count()} cores")
    with served("app.py") as server:
        report(server, given.only)


if __name__ == "__main__":
    main()
