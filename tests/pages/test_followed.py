"""Wherever a point is followed on several charts, each shows the value that it draws."""

import re

import numpy as np
import pytest

from plots.style import MARK
from tests.conftest import said_number
from tests.pages.drive import figures, open_screen, sentences


def followed_values(app) -> set[float]:
    """The values under the formulas, with all their digits."""
    found = (re.match(r".*: (\S+)(?: .*in float64|, an integer)", one.value) for one in app.caption)
    return {said_number(one[1]) for one in found if one}


def marked(app) -> list[tuple[dict, float, float]]:
    """Every figure of curves or bars whose followed point is marked, with that point."""
    out = []
    for figure, _ in figures(app):
        *_, mark = figure["data"]
        if mark.get("meta") == MARK and "z" not in figure["data"][0]:
            out.append((figure, mark["x"][0], mark["y"][0]))
    return out


def is_drawn(trace: dict) -> bool:
    """Whether a trace has places and is no mark."""
    return "x" in trace and trace.get("meta") != MARK


def check_marks(app) -> None:
    """Every mark stands at the value that its chart draws there, and that is said below."""
    said = followed_values(app)
    for figure, x, y in marked(app):
        curves = [(list(trace["x"]), trace["y"]) for trace in figure["data"] if is_drawn(trace)]
        drawn = [np.asarray(ys)[xs.index(x)] for xs, ys in curves if x in xs]
        assert not drawn or np.float32(y) in drawn, figure["key"]
        assert y in said, figure["key"]


def test_a_typed_point_is_followed_on_every_chart() -> None:
    app = open_screen("config", wavelengths_point="1, 7")
    assert [x for _, x, _ in marked(app)] == [7, 7, 7]
    said = [c.value for c in app.caption if c.value.startswith("None, pair 7: ")]
    assert len(said) == 3


def test_a_curve_that_a_chart_does_not_draw_is_said() -> None:
    app = open_screen("config", view="angles", unseen_point="3, 40")
    assert [figure["key"] for figure, *_ in marked(app)] == ["turns"]
    words = "Not in this picture: seen in training, pair 40."
    assert [c.value for c in app.caption].count(words) == 2


def test_a_pair_at_rest_has_no_wavelength() -> None:
    methods = ["none", "proportional"]
    app = open_screen("config", methods=methods, wavelengths_point="1, 63")
    assert not app.exception
    assert [figure["key"] for figure, *_ in marked(app)] == ["frequencies"]


@pytest.mark.parametrize(
    ("view", "cell", "charts"),
    [
        ("decoding", "6, 2", {"attention", "stale"}),
        ("window", "9, 1", {"attention", "told", "moved"}),
        ("window", "9, 4", {"attention", "told", "moved"}),  # a key that is dropped
    ],
)
def test_one_cell_is_followed_on_every_heatmap(view, cell, charts) -> None:
    app = open_screen("kv_cache", view=view, attention_cell=cell, decoding_step="12")
    assert sentences(app) == []
    row, col = map(int, cell.split(","))
    place = f"Row {row}, column {col}"
    assert sum(one.value.startswith(place) for one in app.caption) == len(charts)
    drawn = {
        figure["key"]: np.asarray(figure["data"][0]["z"])[row, col] for figure, _ in figures(app)
    }
    said = {np.float32(value) for value in followed_values(app)}
    for key in charts:
        assert np.isnan(drawn[key]) or drawn[key] in said, key


def test_what_no_setting_has_to_do_is_said() -> None:
    app = open_screen("units", slowed_point="2, 3")
    words = "Needed for the target, pair 3: there is nothing to compute."
    assert any(one.value.startswith(words) for one in app.caption)
    assert any(r"\text{training}" in one.value for one in app.markdown)
