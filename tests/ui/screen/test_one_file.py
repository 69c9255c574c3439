"""One HTML file with the pictures: whole, harmless, and asking for nothing."""

import base64
import json
import re

import numpy as np

from plots.figure import Figure
from plots.heatmap import heatmap
from plots.lines import Series, lines
from tests.pages.drive import open_screen
from ui.charts.component import FOLDER, GRID, DrawnChart
from ui.screen.one_file import one_file

VALUES = np.arange(6.0).reshape(2, 3)
HOSTILE = "</script><script>alert(1)</script>"


def figure(title: str = "a") -> Figure:
    return heatmap(VALUES, title=title, x_title="x", y_title="y", signed=False)


def pictures(page: str) -> list[dict]:
    return json.loads(re.search(r'id="pictures">(.*?)</script>', page, re.DOTALL)[1])


def test_holds_every_figure_with_its_numbers_caption_and_code():
    curve = lines([0, 1], [Series("s", [2.0, 3.0])], title="c", x_title="x", y_title="y")
    drawn = {
        "first": DrawnChart(figure(), "A matrix", 300),
        "second": DrawnChart(curve, "A curve", 200),
    }
    page = one_file("Title", "A question?", drawn, "values = 1 < 2").decode()
    found = pictures(page)
    assert len(found) == 2
    assert "<h1>Title</h1>" in page
    assert "A question?" in page
    assert "<figcaption>A matrix.</figcaption>" in page
    assert "values = 1 &lt; 2" in page
    z = found[0]["data"][0]["z"]
    got = np.frombuffer(base64.b64decode(z["bdata"]), z["dtype"]).reshape(2, 3)
    np.testing.assert_array_equal(got, VALUES.astype(np.float32))


def test_what_a_stranger_typed_stays_text():
    drawn = {"k": DrawnChart(figure(HOSTILE), HOSTILE, 300)}
    page = one_file(HOSTILE, HOSTILE, drawn, HOSTILE).decode()
    assert HOSTILE not in page
    assert "<script>alert" not in page
    assert pictures(page)[0]["layout"]["title"]["text"].replace("<br>", "") == HOSTILE


def test_asks_for_nothing():
    page = one_file("t", "q", {"k": DrawnChart(figure(), "a", 300)}, "c").decode()
    bundle = (FOLDER / "plotly-cartesian-4.1.1.min.js").read_text("utf-8")
    own = page.replace(bundle, "")
    assert len(own) < 10_000
    assert "http" not in own
    assert " src=" not in own


def test_the_grid_is_that_of_the_charts():
    assert f'const GRID = "{GRID}";' in (FOLDER / "look.js").read_text("utf-8")


def test_a_screen_offers_its_own_charts_alone():
    app = open_screen("pitfalls", tab="numbers")
    assert list(app.session_state["_app"]["__charts_kept"]) == ["wrong_and_right"]
    labels = [button.proto.label for button in app.get("download_button")]
    assert "HTML of all pictures" in labels
    app.switch_page("pages/alibi/screen.py").run()
    assert "wrong_and_right" not in app.session_state["_app"]["__charts_kept"]
