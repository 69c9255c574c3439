"""Many small matrices in one picture."""

import numpy as np
import pytest

from plots.looks import HABITS, KNOWN
from plots.mosaic import marks, mosaic
from tests.drawn import as_plotly

PANELS = np.arange(2 * 3 * 4 * 4, dtype=np.float32).reshape(2, 3, 4, 4) / 96
NAMES = [["a", "b", "c"], ["d", "e", "f"]]
KINDS = [["first", "even", "mixed"], ["mixed", "mixed", "even"]]


@pytest.fixture
def figure():
    words = {"title": "All", "x_title": "layer", "y_title": "head"}
    labels = {"first": "the first", "copy": "a copy", "even": "evenly"}
    figure = mosaic(PANELS, NAMES, KINDS, HABITS, labels, chosen=(1, 2), faint="first", **words)
    return as_plotly(figure)


def test_panels_stand_in_their_places_with_a_gap_between_them(figure):
    cells = np.asarray(figure.data[0].z)
    assert cells.shape == (9, 14)
    for row in range(2):
        for column in range(3):
            place = cells[5 * row : 5 * row + 4, 5 * column : 5 * column + 4]
            np.testing.assert_array_equal(place, PANELS[row, column])
    assert np.isnan(cells[4]).all()
    assert np.isnan(cells[:, [4, 9]]).all()


def test_points_are_in_the_order_of_reading(figure):
    points = figure.data[1]
    assert list(points.text) == ["a", "b", "c", "d", "e", "f"]
    np.testing.assert_array_equal(points.x, [1.5, 6.5, 11.5] * 2)
    np.testing.assert_array_equal(points.y, [1.5] * 3 + [6.5] * 3)


def test_marks_stand_in_a_corner_of_panels_of_their_kind(figure):
    marks = {trace.name: trace for trace in figure.data[2:]}
    assert list(marks) == ["the first", "evenly"]
    np.testing.assert_allclose(marks["evenly"].x, [6.5 + 1.2, 11.5 + 1.2])
    np.testing.assert_allclose(marks["evenly"].y, [1.5 - 1.2, 6.5 - 1.2])
    assert marks["the first"].marker.size == 4
    assert marks["evenly"].marker.symbol == HABITS["even"].marker


def test_axes_count_panels_and_the_chosen_one_has_a_frame(figure):
    assert list(figure.layout.xaxis.ticktext) == ["0", "1", "2"]
    assert list(figure.layout.xaxis.tickvals) == [1.5, 6.5, 11.5]
    assert list(figure.layout.yaxis.ticktext) == ["0", "1"]
    [box] = figure.layout.shapes
    assert (box.x0, box.x1, box.y0, box.y1) == (9, 14, 4, 9)


def test_marks_alone_are_numbers_and_shapes():
    labels = {"ran": "ran", "refused": "refused", "read": "read"}
    kinds = [["ran", "read", "ran"], ["read", "read", "ran"]]
    names = {"rows": ["one", "two"], "columns": ["x", "y", "z"]}
    figure = as_plotly(marks(NAMES, kinds, KNOWN, labels, title="Known", **names))
    cells, ran, read = figure.data
    np.testing.assert_array_equal(cells.z, [[0, 2, 0], [2, 2, 0]])
    assert list(cells.text[1]) == ["d", "e", "f"]
    assert list(zip(ran.x, ran.y, strict=True)) == [(0, 0), (2, 0), (2, 1)]
    assert ran.marker.symbol != read.marker.symbol
    assert figure.layout.xaxis.side == "top"
