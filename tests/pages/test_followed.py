"""Wherever a point is followed on several charts, each shows the value that it draws."""

import re

import numpy as np
import pytest

from tests.pages.drive import figures, open_screen, sentences

VIEWS = [
    ("config", "Wavelengths", 3),
    ("config", "Angles", 3),
    ("config", "Resolution", 2),
    ("config", "Scores", 2),
    ("config", "Short prompts", 2),
    ("config", "Ledger", 1),
    ("scaling", "Wavelengths", 3),
    ("scaling", "Angles", 2),
]


def followed_values(app) -> set[float]:
    """The values under the formulas, with all their digits."""
    found = (re.match(r"At .*: (\S+) .*in float64", one.value) for one in app.caption)
    return {float(one[1]) for one in found if one}


def marked(app) -> list[tuple[dict, float, float]]:
    """Every figure of curves or bars whose followed point is marked, with that point."""
    out = []
    for figure, _ in figures(app):
        *_, mark = figure["data"]
        if mark.get("marker", {}).get("symbol") == "square-open" and "z" not in figure["data"][0]:
            out.append((figure, mark["x"][0], mark["y"][0]))
    return out


@pytest.mark.parametrize(("screen", "view", "charts"), VIEWS)
def test_each_chart_marks_and_says_the_value_that_it_draws(screen, view, charts) -> None:
    app = open_screen(screen, view=view)
    assert sentences(app) == []
    points, said = marked(app), followed_values(app)
    assert len(points) == charts
    for figure, x, y in points:
        drawn = [
            np.asarray(trace["y"])[list(trace["x"]).index(x)]
            for trace in figure["data"][:-1]
            if x in list(trace["x"])
        ]
        assert np.float32(y) in drawn, figure["key"]
        assert y in said


def test_a_typed_point_is_followed_on_every_chart() -> None:
    app = open_screen("config", wavelengths_point="1, 7")
    assert [x for _, x, _ in marked(app)] == [7, 7, 7]
    said = [c.value for c in app.caption if c.value.startswith("At none, pair 7: ")]
    assert len(said) == 3


def test_a_curve_that_a_chart_does_not_draw_is_said() -> None:
    app = open_screen("config", view="Angles", unseen_point="3, 40")
    assert [figure["key"] for figure, *_ in marked(app)] == ["turns"]
    words = "Not in this picture: seen in training, pair 40."
    assert [c.value for c in app.caption].count(words) == 2


@pytest.mark.parametrize("typed", ["9, 3", "0, 64", "0, -1", "pair", "1e9"])
def test_a_point_that_is_not_there_gets_a_sentence(typed) -> None:
    app = open_screen("config", wavelengths_point=typed)
    assert not app.exception
    (said,) = sentences(app)
    assert said.startswith("The point must be curve from 0 to 2, pair from 0 to 63; got ")


def test_a_pair_at_rest_has_no_wavelength() -> None:
    methods = ["none", "proportional"]
    app = open_screen("config", methods=methods, wavelengths_point="1, 63")
    assert not app.exception
    assert [figure["key"] for figure, *_ in marked(app)] == ["frequencies"]
