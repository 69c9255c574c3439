"""Curves carry their names where these are read: on no other curve, and within the drawing."""

import numpy as np
import pytest

from plots.lines import Series, lines
from plots.names import HEIGHT, LETTER, LINE, WIDTH, name_curves
from tests.drawn import as_plotly

NAMES = {"title": "Decay", "x_title": "distance", "y_title": "score"}
X = np.arange(64)
RAMP = np.interp(X, [20, 46], [1.0, 4.0])


def named(curves: dict[str, np.ndarray], **more: bool):
    return name_curves(lines(X, [Series(name, y) for name, y in curves.items()], **NAMES, **more))


def boxes(figure) -> dict[str, tuple[float, float, float, float]]:
    """Left, right, low and high of each name in pixels of a phone."""
    heights = np.concatenate([np.asarray(curve["y"], float) for curve in figure.data])
    log = figure.layout["yaxis"].get("type") == "log"
    heights = np.log10(heights) if log else heights
    low, high = np.nanmin(heights), np.nanmax(heights)
    found = {}
    for note in figure.layout.get("annotations", ()):
        x = WIDTH * note["x"] / X[-1]
        y = HEIGHT * (note["y"] - low) / (high - low) + note["yshift"]
        left = x - LETTER * len(note["text"]) if note["xanchor"] == "right" else x
        bottom = y if note["yanchor"] == "bottom" else y - LINE
        found[note["text"]] = (left, left + LETTER * len(note["text"]), bottom, bottom + LINE)
    return found


METHODS = {
    "none": np.ones(64),
    "linear": np.full(64, 4.0),
    "NTK-aware": 4.0 ** (X / 63),
    "YaRN": RAMP,
}


@pytest.mark.parametrize("log_y", [False, True])
def test_every_curve_has_its_name_in_its_colour_on_no_other(log_y):
    figure = named(METHODS, log_y=log_y)
    as_plotly(figure)
    colours = {note["text"]: note["font"]["color"] for note in figure.layout["annotations"]}
    assert colours == {curve["name"]: curve["line"]["color"] for curve in figure.data}
    places = boxes(figure)
    for name, (left, right, low, high) in places.items():
        assert left >= -4
        assert right <= WIDTH + 4
        assert low >= 0
        assert high <= HEIGHT
        for curve in figure.data:
            y = np.asarray(curve["y"], float)
            y = np.log10(y) if log_y else y
            every = np.concatenate([np.log10(one) if log_y else one for one in METHODS.values()])
            pixels = HEIGHT * (y - every.min()) / (every.max() - every.min())
            inside = (left < WIDTH * X / 63) & (right > WIDTH * X / 63)
            assert not ((pixels > low) & (pixels < high) & inside).any(), (name, curve["name"])
    for one, (left, right, low, high) in places.items():
        for other, (left2, right2, low2, high2) in places.items():
            apart = right <= left2 or right2 <= left or high <= low2 or high2 <= low
            assert one == other or apart


@pytest.mark.parametrize("factor", [2.0, 4.0, 8.0])
def test_in_a_low_drawing_no_name_lies_on_another_curve(factor):
    high = 140.0
    ramp = np.interp(X, [23, 40], [0.0, 1.0])
    yarn = 1 / (1 - ramp + ramp / factor)
    heights = {"linear": np.full(64, factor), "NTK-aware": factor ** (X / 63), "YaRN": yarn}
    curves = [Series(name, y) for name, y in heights.items()]
    figure = name_curves(lines(X, curves, **NAMES, log_y=True), high)
    assert figure.layout["annotations"]
    for note in figure.layout["annotations"]:
        wide = LETTER * len(note["text"])
        left = WIDTH * note["x"] / 63 - (wide if note["xanchor"] == "right" else 0)
        edge = high * note["y"] / np.log10(factor) + note["yshift"]
        low = edge if note["yanchor"] == "bottom" else edge - LINE
        inside = (left < WIDTH * X / 63) & (left + wide > WIDTH * X / 63)
        for name, y in heights.items():
            pixels = high * np.log10(y) / np.log10(factor)
            on = (pixels > low) & (pixels < low + LINE) & inside
            assert not on.any(), (note["text"], name)


def test_curves_that_lie_upon_each_other_keep_to_the_legend():
    same = {"one": np.sin(X), "two": np.sin(X) + 0.001, "far": np.full(64, 9.0)}
    assert set(boxes(named(same))) == {"far"}


def test_gaps_and_a_curve_without_points_are_no_harm():
    gaps = {"gap": np.where(X < 40, np.nan, 1.0), "empty": np.full(64, np.nan), "line": X / 9.0}
    figure = named(gaps)
    as_plotly(figure)
    assert "empty" not in boxes(figure)
    assert all(np.isfinite(note["y"]) for note in figure.layout["annotations"])
