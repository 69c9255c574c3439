"""A small picture of each chapter, for the contents and for links to it.

`python -m scripts.chapter_pictures [SCREEN ...]` draws them with the chapters' own pictures.
"""

import base64
import io
import sys
import tempfile
import threading
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import streamlit
from PIL import Image
from playwright.sync_api import Page, sync_playwright

from course.chapters import COURSE, FOLDER
from course.page.words import chapter
from scripts.browser import find
from scripts.static_site import export

SIZE = (1200, 630)  # what those who unfold a link expect
COLORS = 64
RESTS = 4000  # ms
STEPS = {
    "why_position": "bag",
    "absolute": "digits",
    "relative": "braces",
    "alibi": "lamp",
    "rope": "lock",
    "why_rope": "turn",
    "scaling": "draw",
    "cope": "count",
    "live_attention": "copy",
    "measured": "methods",
    "kv_cache": "turned",
    "which": "curves",
    "running": "stale",
    "picture_in_text": "next",
    "turn_value": "back",
    "forget_gates": "road",
    "learned_or_none": "layers",
}
"""The step that shows a chapter's idea."""
# The app's letters, which a plain file has only where they are installed.
LETTERS = {
    "Source Sans": "SourceSansVF-Upright.*.woff2",
    "Source Serif": "SourceSerifVariable-Roman.*.woff2",
}
ALONE = """
  .course { grid: minmax(0, 1fr) / minmax(0, 1fr) !important; }
  #site, .course :is(.prose, .foot, .more) { display: none !important; }
"""


def letters() -> str:
    media = Path(streamlit.__file__).parent / "static" / "static" / "media"
    faces = []
    for name, pattern in LETTERS.items():
        packed = base64.b64encode(next(media.glob(pattern)).read_bytes()).decode()
        source = f"url(data:font/woff2;base64,{packed})"
        faces.append(
            f"@font-face {{ font-family: '{name}'; src: {source}; font-weight: 200 900; }}"
        )
    return "\n".join(faces)


def draw(page: Page, address: str, screen: str) -> bytes:
    """A chapter's picture alone, as a small PNG."""
    step = next(one for one in chapter(screen).steps if one.id == STEPS[screen])
    page.goto(f"{address}{chapter(screen).path(step.id)}")
    page.locator(".course .live").wait_for(state="attached")
    page.add_style_tag(content=letters())
    if step.guess and step.guess.options:
        page.locator(f"[data-choice='{step.guess.right}']").click()
        page.locator(".course .answer b").wait_for()
    page.add_style_tag(content=ALONE)
    page.wait_for_timeout(RESTS)
    image = Image.open(io.BytesIO(page.screenshot())).convert("RGB")
    packed = io.BytesIO()
    its = image.quantize(COLORS, method=Image.Quantize.FASTOCTREE, dither=Image.Dither.NONE)
    its.save(packed, "PNG", optimize=True)
    return packed.getvalue()


class Quiet(SimpleHTTPRequestHandler):
    """Files of a folder, without a line for each."""

    def log_message(self, *_args: object) -> None:
        """Nothing."""


def main() -> None:
    """Draw the chapters that are named, or all that a picture tells."""
    screens = sys.argv[1:] or COURSE
    with tempfile.TemporaryDirectory() as work, sync_playwright() as playwright:
        export(Path(work) / "site")
        server = ThreadingHTTPServer(
            ("127.0.0.1", 0), partial(Quiet, directory=str(Path(work) / "site"))
        )
        threading.Thread(target=server.serve_forever, daemon=True).start()
        browser = playwright.chromium.launch(executable_path=find(), args=["--no-sandbox"])
        page = browser.new_page(viewport={"width": SIZE[0], "height": SIZE[1]}, bypass_csp=True)
        for screen in screens:
            made = draw(page, f"http://127.0.0.1:{server.server_port}", screen)
            (FOLDER / screen / "preview.png").write_bytes(made)
            print(f"{screen}: {len(made) / 1000:.0f} kB")
        browser.close()
        server.shutdown()


if __name__ == "__main__":
    main()
