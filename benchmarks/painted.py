"""Waiting times in a real browser: `CHROMIUM=/usr/bin/chromium python -m benchmarks.painted`.

From the press of a key on a control to the last chart painted, and to the last word of the answer;
and from an address to its first picture in a browser that has kept nothing, beside an empty page
with one chart, in turns. Ratios of one run can be relied on, milliseconds belong to the machine and
to what else it does.
"""

import argparse
import os
import shutil
import statistics
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import Any

from playwright.sync_api import Browser, Page, sync_playwright

from benchmarks.moves import MOVES, Move
from benchmarks.report import keep, markdown
from benchmarks.server import ROOT, Server, served
from benchmarks.visitor import PATIENCE
from course.page.files import version

PRESSED = (
    Move("absolute", "length", ()),
    Move("alibi", "head", (), "num_heads=32"),
    Move("rope", "base", (), "view=score"),
    Move("scaling", "factor", ()),
    Move("cope", "max_positions", ()),
)
WARM = 2
FLAGS = ["--no-sandbox", "--disable-gpu", "--disable-background-networking"]
# Two frames after a change of a chart it is painted; the last change is that before a calm second.
WATCH = """() => {
  const CHARTS = ".js-plotly-plot, .posenc-chart, .posenc-picture";
  const painted = (tell) => requestAnimationFrame(() => requestAnimationFrame(() => tell()));
  let pressed = 0, seen = 0, whole = 0;
  const isChart = (node) => node.nodeType === 1
    && (node.closest(CHARTS) || node.querySelector(CHARTS));
  // What Streamlit says of the boxes around a chart, such as that they are stale, paints no chart.
  const paints = ({ type, target, addedNodes }) =>
    (target.nodeType === 1 ? target : target.parentElement)?.closest(CHARTS)
    || (type === "childList" && [...addedNodes].some(isChart));
  new MutationObserver((changes) => {
    painted(() => { whole = performance.now(); });
    if (!changes.some(paints)) return;
    if (window.firstPicture === undefined
        && document.querySelector(".posenc-chart .main-svg, .posenc-picture svg")) {
      window.firstPicture = null;
      painted(() => { window.firstPicture = performance.now(); });
    }
    painted(() => { seen = performance.now(); });
  }).observe(document, { subtree: true, childList: true, attributes: true, characterData: true });
  addEventListener("keydown", (event) => { pressed = event.timeStamp; seen = whole = 0; }, true);
  window.waited = () => {
    const app = document.querySelector("[data-testid=stApp]");
    const calm = seen && performance.now() - whole > 1000
      && app?.dataset.testScriptState === "notRunning";
    return calm ? [seen - pressed, whole - pressed] : null;
  };
}"""


@contextmanager
def empty_page() -> Iterator[Server]:
    """The empty page with one chart, in a folder where that chart finds its files."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        for one in ROOT.iterdir():
            if one.name not in ("static", "build"):
                (folder / one.name).symlink_to(one)
        # `serving` takes the release out of an address before Streamlit looks for the file.
        shutil.copytree(ROOT / "static", folder / "static" / f"release-{version()}")
        shutil.copy(ROOT / "benchmarks" / "floor_page.py", folder)
        with served("floor_page.py", folder) as server:
            yield server


def page_of(browser: Browser) -> Page:
    """A page of a browser that has kept nothing."""
    page = browser.new_context(viewport={"width": 1280, "height": 800}).new_page()
    page.set_default_timeout(1000 * PATIENCE)
    page.add_init_script(f"({WATCH})()")
    return page


def told(page: Page, words: str) -> Any:
    """Value of an expression in a page, once it is not null."""
    end = time.monotonic() + PATIENCE
    while (found := page.evaluate(words)) is None:  # the page's own policy forbids waiting there
        if time.monotonic() > end:
            raise SystemExit(f"{page.url} never told {words}")
        time.sleep(0.05)
    return found


def press(page: Page, key: str) -> tuple[float, float]:
    """Milliseconds from a press of the arrow key to the last chart painted, and to everything."""
    page.locator(f".st-key-{key} input").first.focus()
    page.keyboard.press("ArrowUp")
    charts, whole = told(page, "waited()")
    return charts, whole


def pressed(browser: Browser, ours: Server, move: Move, count: int) -> dict[str, Any]:
    page = page_of(browser)
    # Streamlit by itself knows its pages once somebody has been there.
    for address in (ours.address, f"{ours.address}/{move.screen}?{move.query}"):
        page.goto(address)
        told(page, "waited()")
    taken = [press(page, move.key) for _turn in range(WARM + count)]
    page.context.close()
    painted, whole = map(statistics.median, zip(*taken[WARM:], strict=True))
    return {"name": move.name, "painted": painted, "whole": whole}


def first(browser: Browser, address: str) -> float:
    """Milliseconds from an address to its first picture."""
    page = page_of(browser)
    page.goto(address, wait_until="commit")
    found = told(page, "window.firstPicture ?? null")
    page.context.close()
    return float(found)


def firsts(
    browser: Browser, ours: Server, floor: Server, screens: Sequence[str], count: int
) -> Iterator[dict[str, Any]]:
    """The first picture of each screen in turns with that of the empty page."""
    first(browser, floor.address)
    for screen in screens:
        # Without a step a chapter opens the course.
        address = f"{ours.address}/{'' if screen == 'home' else screen}"
        first(browser, address)  # what the server makes once for all readers
        pairs = [(first(browser, address), first(browser, floor.address)) for _turn in range(count)]
        one, other = (statistics.median(times) for times in zip(*pairs, strict=True))
        yield {"name": screen, "ours": one, "beside": other, "ratio": one / other}


def table(rows: Sequence[dict[str, Any]]) -> str:
    cells = [
        [row["name"], f"{row['ours']:.0f}", f"{row['beside']:.0f}", f"{row['ratio']:.2f}"]
        for row in rows
    ]
    ratios = [row["ratio"] for row in rows]
    told = f"Ratio: median {statistics.median(ratios):.2f}, most {max(ratios):.2f}."
    head = ["address to first picture", "ms", "empty page, ms", "ratio"]
    return f"{markdown(head, cells)}\n\n{told}"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--presses", type=int, default=7, help="of each control")
    parser.add_argument("--visits", type=int, default=2, help="of each screen")
    asked = parser.parse_args()
    presses = []
    visits = []
    with ExitStack() as stack:
        ours = stack.enter_context(served("app.py"))
        floor = stack.enter_context(empty_page())
        play = stack.enter_context(sync_playwright())
        browser = play.chromium.launch(executable_path=os.environ.get("CHROMIUM"), args=FLAGS)
        for move in PRESSED:
            presses.append(pressed(browser, ours, move, asked.presses))
            print(presses[-1], file=sys.stderr, flush=True)
        screens = list(dict.fromkeys(move.screen for move in MOVES))
        for row in firsts(browser, ours, floor, screens, asked.visits):
            visits.append(row)
            print(row, file=sys.stderr, flush=True)
        browser.close()
    cells = [[row["name"], f"{row['painted']:.0f}", f"{row['whole']:.0f}"] for row in presses]
    head = ["press to painted", "charts, ms", "everything, ms"]
    text = f"{markdown(head, cells)}\n\n{table(visits)}"
    record = {"presses": presses, "visits": visits}
    keep(ROOT / "build" / "painted.md", text, record)


if __name__ == "__main__":
    main()
