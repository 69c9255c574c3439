"""A notebook of each screen as it opens, which the site serves at an address of its own.

`python -m scripts.screen_notebooks` writes them to `static/site/notebooks/`.
"""

import json
from collections.abc import Iterator

from streamlit.testing.v1 import AppTest
from streamlit.util import calc_hash

from course.page.files import ROOT, STATIC
from course.page.menu import SCREENS
from ui import notebooks
from ui.memory import memory

PICTURES = {"live_attention": {"view": "stage"}}
"""Where no program computes the picture with which a screen opens: one that a program does."""
FOLDER = STATIC / "site" / "notebooks"
LONGEST = 300  # seconds that a screen may take


def made() -> Iterator[tuple[str, str]]:
    """Each screen whose first picture a program computes, and its notebook, JSON."""
    for screen in SCREENS:
        app = AppTest.from_file(str(ROOT / "navigation.py"), default_timeout=LONGEST)
        app._page_hash = calc_hash(screen)
        for key, value in PICTURES.get(screen, {}).items():
            app.query_params[key] = value
        app.run()
        memory().update(app.session_state["_app"])
        for key, one in memory().get("__charts_kept", {}).items():
            text = notebooks.notebook(key, one.figure, one.alt)
            if text and json.loads(text)["metadata"]["program"]:
                yield screen, text
                break


def main() -> None:
    FOLDER.mkdir(parents=True, exist_ok=True)
    for screen, text in made():
        (FOLDER / f"{screen}.ipynb").write_text(f"{text}\n", "utf-8")
        print(f"{screen}: {len(text):,} letters")


if __name__ == "__main__":
    main()
